//! Secrets: what an agent says of them stays in the raw files of its run, and is hidden in all that is derived.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use crate::ran::Ran;
use crate::sandbox::Sandbox;

/// A key of a family that is known by how it begins.
const KEY: &str = "sk-ant-api03-abcdefghij0123456789";
/// A secret that is known only by the name of its variable in the environment.
const PASSWORD: &str = "correct-horse-battery";
/// A secret that is known only by the name of its variable in the configuration.
const TOKEN: &str = "staple/of the configuration";

const SECRETS: [&str; 3] = [KEY, PASSWORD, TOKEN];

const CONFIG: &str = "\
[agents.leaky]
command = \"leaky\"
retries = 0
env = { SERVICE_TOKEN = \"staple/of the configuration\" }
[phases]
review = \"leaky\"
";

/// A project whose agent is a script that knows three secrets.
fn project(script: &str) -> Sandbox {
    Sandbox::new()
        .program("leaky", &script.replace("KEY", KEY))
        .file("agentd/config.toml", CONFIG)
        .file("agentd/changes/add-login/proposal.md", "# Login\n")
        .file("agentd/changes/add-login/specs/login.md", "# Login\n")
        .file("agentd/changes/add-login/tasks.md", TASKS)
        .file("agentd/changes/add-login/IMPLEMENTATION.md", "Done.\n")
        .env("DB_PASSWORD", PASSWORD)
        .trusted()
}

const TASKS: &str = "# Tasks\n\n- [ ] 1.1 Add it\n";

fn review(project: &Sandbox, more: &[&str]) -> Ran {
    project.run(&[&["-vv", "call", "review", "add-login", "Review it"], more].concat())
}

fn run_file(project: &Sandbox, name: &str) -> PathBuf {
    project.root().join("agentd/changes/add-login/runs/001-review").join(name)
}

fn assert_hidden(ran: Ran) -> Ran {
    SECRETS.into_iter().fold(ran, Ran::hides)
}

#[test]
fn what_an_agent_says_of_secrets_when_it_fails_is_hidden_but_in_its_raw_output() {
    let project = project("echo \"cannot use KEY, $DB_PASSWORD or $SERVICE_TOKEN\" >&2; exit 3");
    let ran = assert_hidden(review(&project, &[]).exits(5));
    let ran = ran.says("exit code 3: cannot use ***, *** or ***");
    assert!(ran.stdout.is_empty(), "{}", ran.stdout);
    let meta = fs::read_to_string(run_file(&project, "meta.json")).expect("a record");
    assert!(meta.contains("cannot use ***, *** or ***"), "{meta}");
    assert!(SECRETS.iter().all(|secret| !meta.contains(secret)), "{meta}");
    let raw = run_file(&project, "stderr");
    let said = fs::read_to_string(&raw).expect("its standard error");
    assert_eq!(said, format!("cannot use {KEY}, {PASSWORD} or {TOKEN}\n"));
    assert_eq!(fs::metadata(raw).expect("there").permissions().mode() & 0o777, 0o600);
}

#[test]
fn secrets_in_an_answer_are_hidden_on_the_terminal_in_json_and_in_the_log() {
    let script = "echo \"KEY $DB_PASSWORD $SERVICE_TOKEN\"; echo '<review>PASS</review>'";
    for more in [&["--json"][..], &[]] {
        let project = project(script);
        let ran = assert_hidden(review(&project, more).exits(0)).prints("*** *** ***");
        // The log told of the line as well.
        ran.says("*** *** ***");
        let answer = fs::read_to_string(run_file(&project, "response.txt")).expect("the answer");
        assert!(answer.starts_with(&format!("{KEY} {PASSWORD} {TOKEN}\n")), "{answer}");
        let meta = fs::read_to_string(run_file(&project, "meta.json")).expect("a record");
        assert!(SECRETS.iter().all(|secret| !meta.contains(secret)), "{meta}");
    }
}

#[test]
fn a_secret_that_a_long_message_is_cut_in_is_hidden_as_well() {
    let words = "x".repeat(590);
    let project = project(&format!("echo \"{words} $DB_PASSWORD\" >&2; exit 3"));
    let ran = review(&project, &[]).exits(5).says(" ***…");
    assert!(!ran.stderr.contains("correct"), "{}", ran.stderr);
}

#[test]
fn a_faulty_line_of_the_configuration_is_shown_without_its_secret() {
    for line in [
        "env = { SERVICE_TOKEN = \"staple/of the configuration\", N = 1 }",
        "env = { SERVICE_TOKEN = \"staple/of the configuration\"",
        "env = { SERVICE_TOKEN = 'staple/of the configuration' }\nnever = 1",
    ] {
        let config = format!("[agents.leaky]\ncommand = \"leaky\"\n{line}\n");
        let ran = project("").file("agentd/config.toml", &config);
        review(&ran, &[]).exits(4).says("the configuration has errors").hides(TOKEN);
    }
}
