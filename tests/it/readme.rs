//! The README keeps its word: its commands run, its links lead somewhere, its picture is what is printed.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::settled::settled_line;
use crate::support::{files, read, repository};

/// The lines of a document's blocks of one language.
fn blocks(document: &str, language: &str) -> Vec<String> {
    let text = read(document);
    let open = format!("```{language}\n");
    let blocks = text.split(&open).skip(1).filter_map(|rest| rest.split("```").next());
    blocks.flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Runs a command line of the README with the binary under test.
fn shell(folder: &Path, line: &str) -> Output {
    let binary = env!("CARGO_BIN_EXE_agentd");
    let line = line.replace("cargo run --release --", "agentd").replacen(
        "agentd",
        &format!("'{binary}'"),
        1,
    );
    let mut bash = Command::new("bash");
    bash.args(["-c", &line]).current_dir(folder).env("TMPDIR", folder).env("HOME", folder);
    bash.env_remove("XDG_STATE_HOME").output().expect("bash runs")
}

#[test]
fn the_commands_of_the_readme_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = blocks("README.md", "sh").first().cloned().expect("a command");
    assert_eq!(first, "cargo run --release -- demo");
    assert!(read(".ci/run").contains(&first), "CI runs the first command");
    let mut ran = 0;
    for line in blocks("README.md", "sh")
        .iter()
        .filter(|line| line.contains("agentd ") || line.contains("cargo run"))
    {
        let output = shell(folder.path(), line);
        assert!(output.status.success(), "{line}\n{}", String::from_utf8_lossy(&output.stderr));
        assert!(!output.stdout.is_empty(), "{line} prints nothing");
        ran += 1;
    }
    assert_eq!(ran, 11);
    assert!(
        blocks("README.md", "sh").contains(&"cargo test".to_owned()),
        "the tests have their command"
    );
    assert!(read(".ci/run").contains("\ncargo test\n"), "CI runs the very same");
}

#[test]
fn the_dependency_of_the_readme_names_this_package() {
    let line = blocks("README.md", "toml").first().cloned().expect("a dependency");
    let manifest: toml::Table = read("Cargo.toml").parse().expect("TOML");
    let shown: toml::Table = line.parse().expect("TOML");
    assert_eq!(shown["agentd"]["package"], manifest["package"]["name"]);
    assert_eq!(manifest["lib"]["name"].as_str(), Some("agentd"));
}

#[test]
fn the_commands_of_the_guide_to_prompts_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = blocks("docs/prompts.md", "sh");
    assert_eq!(lines.len(), 3);
    for line in lines {
        let output = shell(folder.path(), &line);
        assert!(output.status.success(), "{line}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let example = blocks("docs/prompts.md", "markdown").join("\n") + "\n";
    let path = folder.path().join("agentd/prompts/identities/reviewer-bot.md");
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, example).expect("written");
    let output =
        shell(folder.path(), "agentd prompt --identity reviewer-bot --var project_name=shop");
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("changes of shop. Your tone is friendly.")
    );
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut links = 0;
    for document in files("docs", ".md").into_iter().chain(["README.md".to_owned()]) {
        let folder = repository(&document).parent().expect("a folder").to_owned();
        for part in read(&document).split("](").skip(1) {
            let target = part.split([')', '#']).next().unwrap_or_default();
            let is_elsewhere = target.is_empty() || target.contains("://");
            // An example in a table of the grammar may look like a link.
            let is_example = target.contains([' ', '|', '`']) || target == "z";
            if is_elsewhere || is_example {
                continue;
            }
            assert!(folder.join(target).exists(), "{document} links to {target}");
            links += 1;
        }
    }
    assert!(links > 8, "only {links} links found");
}

#[test]
fn the_files_that_answer_where_something_is_exist() {
    let document = read("docs/where.md");
    let rows: Vec<_> = document.lines().filter(|line| line.contains("? | `")).collect();
    assert!(rows.len() >= 30, "{} questions", rows.len());
    for row in rows {
        for path in row.split('`').skip(1).step_by(2).filter(|path| path.contains('/')) {
            assert!(repository(path).is_file(), "{row}");
        }
    }
}

/// Every command of the short tour is one that the guide shows with what it prints.
#[test]
fn the_first_change_of_the_readme_is_the_one_of_the_guide() {
    let tour = blocks("README.md", "console");
    assert_eq!(tour.len(), 4);
    let guide = read("docs/guide.md");
    for line in tour {
        let command = line.split(" #").next().unwrap_or_default().trim_end();
        assert!(guide.contains(&format!("\n$ {command}")), "{command} is not in the guide");
    }
}

#[test]
fn the_picture_shows_what_is_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "agentd demo try";
    let run = shell(folder.path(), &line.replace("agentd ", "agentd --color always "));
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let screen = format!("\u{1b}[1m$ {line}\u{1b}[0m\n{}", String::from_utf8_lossy(&run.stdout));
    let svg = anstyle_svg::Term::new().render_svg(pictured(folder.path(), &screen).trim_end());
    let path = repository("docs/picture.svg");
    if std::env::var_os("AGENTD_BLESS").is_some() {
        fs::write(&path, &svg).expect("the picture is written");
    }
    assert_eq!(
        fs::read_to_string(&path).expect("the picture"),
        svg,
        "run the tests with AGENTD_BLESS=1"
    );
}

/// Gives what is seen of a run: its places, its durations and its date are as they might be with anybody.
fn pictured(folder: &Path, screen: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_agentd")).canonicalize().expect("the binary");
    let text = screen
        .replace(&*folder.to_string_lossy(), "~")
        .replace(&*binary.to_string_lossy(), "agentd");
    text.split_inclusive('\n').map(settled_line).collect()
}
