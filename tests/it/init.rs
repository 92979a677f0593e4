//! `agentd init`: what it makes, what it keeps, and what it finds out by itself.

use std::fs;

use crate::home::Home;

const FILES: [&str; 5] = [
    "agentd/config.toml",
    "agentd/project.md",
    "agentd/.gitignore",
    "agentd/specs/.gitkeep",
    "agentd/changes/.gitkeep",
];

#[test]
fn a_project_is_set_up_and_what_was_written_is_trusted() {
    let home = Home::new()
        .with_git()
        .file("Cargo.toml", "[package]\nname = \"shop\"\ndescription = \"Sells tea.\"\n")
        .file("package.json", "{\"scripts\": {\"test\": \"vitest\", \"build\": \"vite build\"}}")
        .file("src/main.rs", "fn main() {}\n")
        .file(".gitignore", "target\n")
        .file("target/x", "");
    let ran = home.agentd(&["init"]).exits(0);
    for file in FILES {
        assert!(ran.stdout.contains(&format!("made  {file}")), "{}", ran.stdout);
    }
    ran.prints("verified with: cargo test\n").prints("verified with: npm test\n");
    let shown = home.agentd(&["config", "show", "--origin"]).exits(0).stdout;
    let line = shown.lines().find(|line| line.starts_with("verify.commands")).expect("set");
    assert!(line.starts_with("verify.commands = [\"cargo test\", \"npm test\"]"), "{line}");
    assert!(line.contains("# agentd/config.toml:"), "{line}");
    home.agentd(&["trust"]).exits(0).prints("(trusted)");
    let project = home.read("agentd/project.md");
    for expected in [
        "# shop\n",
        "Drafted by `agentd init`",
        "Sells tea.",
        "- Rust (`Cargo.toml`): test with `cargo test`",
        "- JavaScript (`package.json`): build with `npm run build`",
        "- `src/`\n",
        "- `Cargo.toml`\n",
    ] {
        assert!(project.contains(expected), "{expected}\n{project}");
    }
    assert!(!project.contains("target") && !project.contains("`agentd/`"), "{project}");
}

#[test]
fn what_could_not_be_written_whole_is_not_there_and_made_by_the_next() {
    let home = Home::new().with_git().file("Cargo.toml", "[package]\nname = \"shop\"\n");
    // Two blocks of 512 bytes: less than the configuration.
    let ran = home.agentd_within("ulimit -f 2", &["init"]).exits(10);
    ran.says("agentd/config.toml");
    assert!(!home.root().join("agentd/config.toml").exists(), "half a file is none");
    home.agentd(&["init"]).exits(0).prints("made  agentd/config.toml");
    home.agentd(&["config", "show"]).exits(0);
}

#[test]
fn nothing_that_is_there_is_changed_or_trusted() {
    let home = Home::new()
        .with_git()
        .file("Cargo.toml", "[package]\nname = \"shop\"\n")
        .file("agentd/config.toml", "[verify]\ncommands = [\"evil\"]\n")
        .file("agentd/project.md", "Mine.\n");
    let json = home.agentd(&["init", "--json"]).exits(0).json();
    let made = |path: &str| {
        let files = json["files"].as_array().expect("files");
        files.iter().find(|file| file["path"] == path).expect("told")["made"] == true
    };
    assert!(!made("agentd/config.toml") && !made("agentd/project.md"));
    assert!(made("agentd/.gitignore") && made("agentd/specs/.gitkeep"));
    assert_eq!(home.read("agentd/config.toml"), "[verify]\ncommands = [\"evil\"]\n");
    assert_eq!(home.read("agentd/project.md"), "Mine.\n");
    home.agentd(&["trust"]).exits(4).prints("evil");
    let before: Vec<_> = FILES.iter().map(|file| home.read(file)).collect();
    let ran = home.agentd(&["init"]).exits(0);
    assert!(!ran.stdout.contains("made"), "{}", ran.stdout);
    assert_eq!(FILES.iter().map(|file| home.read(file)).collect::<Vec<_>>(), before);
    ran.prints("kept  agentd/config.toml").prints("`agentd trust` shows what it would run");
}

#[test]
fn a_project_in_which_nothing_is_known_gets_an_honest_draft_and_no_commands() {
    let home = Home::new().with_git();
    let json = home.agentd(&["init", "--json"]).exits(0).json();
    assert_eq!(json["verify"], serde_json::json!([]));
    assert_eq!(json["version"], 1);
    let project = home.read("agentd/project.md");
    assert!(project.starts_with("# shop\n"), "{project}");
    assert!(project.contains("(How is it built, and how is it tested?)"), "{project}");
    home.agentd(&["trust"]).exits(0).prints("nothing in agentd/config.toml needs your trust");
}

#[test]
fn outside_of_git_it_says_what_to_do_and_makes_nothing() {
    let home = Home::new().with_git();
    let folder = home.path("bin");
    let ran = home.agentd_in(&folder, &["init"]).exits(4);
    ran.says("is in no git repository")
        .says("help: agentd keeps each change on a branch: run `git init`");
    assert!(!folder.join("agentd").exists());
}

#[test]
fn from_a_folder_below_the_root_is_set_up() {
    let home = Home::new().with_git().file("src/deep/x", "");
    home.agentd_in(&home.root().join("src/deep"), &["init"]).exits(0);
    assert!(home.root().join("agentd/config.toml").exists());
    assert!(!home.root().join("src/deep/agentd").exists());
}

#[test]
fn a_link_that_leads_elsewhere_is_refused() {
    for link in ["agentd", "agentd/specs"] {
        let home = Home::new().with_git();
        let target = home.path("bin");
        fs::create_dir_all(home.root().join(link).parent().expect("a folder")).expect("made");
        std::os::unix::fs::symlink(&target, home.root().join(link)).expect("linked");
        home.agentd(&["init"]).exits(12).says("is a link");
        assert_eq!(fs::read_dir(&target).expect("a folder").count(), 0, "nothing is written there");
    }
}

#[test]
fn git_never_keeps_prompts_answers_or_what_is_derived() {
    let home = Home::new().with_git();
    home.agentd(&["init"]).exits(0);
    for folder in ["agentd/changes/add-login", "agentd/archive/2026-01-01-add-login"] {
        for file in [
            "runs/001-plan/prompt.xml",
            "runs/001-plan/response.txt",
            "runs/001-plan/stdout",
            "state.json",
            ".lock",
            ".before",
            ".tmpAbCdEf",
        ] {
            home.write(&format!("{folder}/{file}"), "secret");
        }
        home.write(&format!("{folder}/proposal.md"), "");
        home.write(&format!("{folder}/journal.jsonl"), "");
    }
    let status = home.git(&["status", "--porcelain", "-uall"]);
    let seen: Vec<_> = status.lines().filter_map(|line| line.strip_prefix("?? ")).collect();
    assert_eq!(
        seen,
        [
            "agentd/.gitignore",
            "agentd/archive/2026-01-01-add-login/journal.jsonl",
            "agentd/archive/2026-01-01-add-login/proposal.md",
            "agentd/changes/.gitkeep",
            "agentd/changes/add-login/journal.jsonl",
            "agentd/changes/add-login/proposal.md",
            "agentd/config.toml",
            "agentd/project.md",
            "agentd/specs/.gitkeep",
        ]
    );
}
