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
    let written = home.read("agentd/config.toml");
    assert!(written.lines().count() < 12 && written.contains("docs/configuration.md"), "{written}");
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
    let ran = home.agentd_within("ulimit -f 0", &["init"]).exits(10);
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
    let ran = home.agentd(&["init", "--json"]).exits(0);
    assert!(ran.stderr.contains("warning: no checks were found"), "{}", ran.stderr);
    assert!(ran.stderr.contains("[verify]\n  commands = "), "it says what to do: {}", ran.stderr);
    let json = ran.json();
    assert_eq!(json["verify"], serde_json::json!([]));
    assert_eq!(json["version"], 1);
    let project = home.read("agentd/project.md");
    assert!(project.starts_with("# shop\n"), "{project}");
    assert!(project.contains("(How is it built and tested?)"), "{project}");
    home.agentd(&["trust"]).exits(0).prints("nothing in agentd/config.toml needs your trust");
}

/// A package of npm with a lock file and a test.
fn package() -> Home {
    Home::new()
        .with_git()
        .file(
            "package.json",
            "{\"dependencies\": {\"x\": \"1\"}, \"scripts\": {\"test\": \"vitest\"}}",
        )
        .file("package-lock.json", "{}")
}

#[test]
fn on_a_terminal_it_asks_once_whether_to_take_what_it_found() {
    for (typed, is_taken) in [("\n", true), ("y\n", true), ("n\n", false)] {
        let home = package();
        let ran = home.agentd_on_terminal(&["init"], typed).exits(0);
        let asked = ran.stderr.matches("Use these commands?").count();
        assert_eq!(asked, 1, "{}", ran.stderr);
        assert!(ran.stderr.contains("  setup  npm ci") && ran.stderr.contains("  check  npm test"));
        let written = home.read("agentd/config.toml");
        assert_eq!(written.contains("npm ci"), is_taken, "{written}");
        assert_eq!(ran.stderr.contains("no checks were used"), !is_taken, "{}", ran.stderr);
    }
    let home = package();
    let ran = home.agentd_on_terminal(&["init", "--yes"], "").exits(0);
    assert!(!ran.stderr.contains("Use these"), "{}", ran.stderr);
    assert!(home.read("agentd/config.toml").contains("setup = [\"npm ci\"]"));
    // What is there is not asked about again.
    let ran = home.agentd_on_terminal(&["init"], "").exits(0);
    assert_eq!(ran.stderr, "");
}

#[test]
fn what_setup_leaves_and_git_does_not_ignore_is_said() {
    let home = package();
    let ran = home.agentd(&["init"]).exits(0);
    assert!(ran.stderr.contains("git does not ignore `node_modules/`"), "{}", ran.stderr);
    assert!(!home.root().join(".gitignore").exists(), "that file is yours");
    let home = package().file(".gitignore", "node_modules\n");
    assert_eq!(home.agentd(&["init"]).exits(0).stderr, "");
}

#[test]
fn outside_of_git_it_says_what_to_do_and_makes_nothing() {
    let home = Home::new().with_git();
    let folder = home.path("bin");
    let ran = home.agentd_in(&folder, &["init"]).exits(4);
    ran.says("is not in a git repository").says("help: go to a repository, or make one: `git init");
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
            ".tmpAbCdEf",
        ] {
            home.write(&format!("{folder}/{file}"), "secret");
        }
        home.write(&format!("{folder}/proposal.md"), "");
    }
    let status = home.git(&["status", "--porcelain", "-uall"]);
    let seen: Vec<_> = status.lines().filter_map(|line| line.strip_prefix("?? ")).collect();
    assert_eq!(
        seen,
        [
            "agentd/.gitignore",
            "agentd/archive/2026-01-01-add-login/proposal.md",
            "agentd/changes/.gitkeep",
            "agentd/changes/add-login/proposal.md",
            "agentd/config.toml",
            "agentd/project.md",
            "agentd/specs/.gitkeep",
        ]
    );
}
