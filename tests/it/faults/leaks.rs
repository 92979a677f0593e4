//! An agent that prints every kind of secret wherever it can, through a whole change: none of them is in anything that agentd
//! shows or derives, and what is exact is for the user alone and never committed.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::project::ran;
use crate::ran::Ran;
use crate::workflow::scene::{ID, Scene};

/// What a run keeps exactly as it was.
const EXACT: [&str; 5] = ["prompt.xml", "prompt.md", "stdout", "stderr", "response.txt"];

/// The value of a variable of the environment, and of one of the configuration: known by their names alone.
const PASSWORD: &str = "correct-horse-battery";
const TOKEN: &str = "staple/of the configuration";
/// A password that is known by the address it stands in.
const ADDRESSED: &str = "bicycle-repair";

/// Keys as their makers write them. Their beginnings stand apart, so that nobody takes this file for a leak.
fn secrets() -> Vec<String> {
    let word = "abcDEF0123456789abcDEF0123456789abcd";
    let line = |letter: &str| format!("{letter}{}", "aB3+/xYz9".repeat(7));
    let mut secrets: Vec<_> = [
        ("sk", format!("-proj-{word}")),
        ("sk", format!("-ant-api03-{word}")),
        ("AI", format!("zaSy{}", &word[..33])),
        ("gh", format!("p_{word}")),
        ("github", format!("_pat_{word}")),
        ("AK", "IAIOSFODNN7EXAMPLE".to_owned()),
        ("xo", format!("xb-123456789012-{word}")),
        ("gl", format!("pat-{word}")),
        ("np", format!("m_{word}")),
        ("ey", format!("JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkw.{word}")),
    ]
    .map(|(begin, rest)| format!("{begin}{rest}"))
    .into();
    secrets.push(ADDRESSED.to_owned());
    secrets.extend([line("M"), line("q"), PASSWORD.to_owned(), TOKEN.to_owned()]);
    secrets
}

/// All of them as an agent might print them, the key of two lines as PEM has it; `\n` is a line break in a script.
fn spoken(secrets: &[String]) -> String {
    let kind = "RSA PRIVATE KEY";
    let [words @ .., _, first, second, password, token] = secrets else { panic!("there are more") };
    format!(
        "{}, \u{1b}[31m{password}\u{1b}[0m, {token}, postgres://shop:{ADDRESSED}@db/x\\n-----BEGIN {kind}-----\\n{first}\\n{second}\\nab0=\\n-----END {kind}-----\\n",
        words.join(" \u{1b}[31m")
    )
}

/// A scene whose agent follows a script, in which `SPOKEN` is all secrets, and whose check prints them and ends as is said.
fn leaky(secrets: &[String], check: &str, script: &str) -> Scene {
    let scene = Scene::new();
    let spoken = spoken(secrets);
    scene.write("printed", spoken.replace("\\n", "\n"));
    let check = format!("cat {}; {check}", scene.path("printed").display());
    let verify = format!("[verify]\nbaseline = \"fix\"\ncommands = [{check:?}]\n");
    scene.write("user.toml", scene.sandbox() + &verify);
    scene.script(&script.replace("SPOKEN", &spoken));
    let config = scene.read("user.toml");
    scene.write(
        "user.toml",
        format!("{config}retries = 0\nenv = {{ SERVICE_TOKEN = {TOKEN:?} }}\n"),
    );
    scene
}

fn show(scene: &Scene, words: &[&str]) -> Ran {
    ran(scene.agentd(words).env("DB_PASSWORD", PASSWORD))
}

/// Lists all files below a folder.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() { walk(&path, files) } else { files.push(path) }
    }
}

/// Says which of the secrets stand in a text.
fn found<'s>(text: &str, secrets: &'s [String]) -> Vec<&'s String> {
    secrets.iter().filter(|secret| text.contains(secret.as_str())).collect()
}

#[test]
fn secrets_that_an_agent_prints_everywhere_are_in_nothing_that_is_shown_or_derived() {
    let secrets = secrets();
    let script = "count PATH/notes/calls\nread\ncomplain SPOKEN\nsay SPOKEN\non 1 exit 3\n\
                  on 2 answer SPOKEN<review>NEEDS_CHANGES</review>\n\
                  on 3 answer <thought>SPOKEN</thought>SPOKEN<review>PASS</review>\n\
                  from 4 answer SPOKEN<review>PASS</review>";
    for flow in ["sdd", "team"] {
        let scene = leaky(&secrets, "false", script);
        let who = if flow == "sdd" { "review=scripted" } else { "reviewer=scripted" };
        let words = [
            "-vv",
            "run",
            ID,
            "Add a login page",
            "--flow",
            flow,
            "--agent",
            "offline",
            "--agent",
            who,
        ];
        let mut outputs = vec![show(&scene, &words).exits(5)];
        outputs.push(show(&scene, &[&words[..], &["--json"]].concat()));
        outputs.push(show(&scene, &words));
        assert!(scene.calls() >= 2, "{flow}: it was asked {} times", scene.calls());
        for command in [&["status", ID][..], &["log", ID], &["list"], &["usage", ID], &["doctor"]] {
            outputs.push(show(&scene, command));
            outputs.push(show(&scene, &[command, &["--json"]].concat()));
        }
        outputs.push(show(&scene, &["config", "show"]));
        assert_hidden(&scene, &outputs, &secrets, flow, 3);
    }
}

#[test]
fn whoever_leaks_in_a_change_nothing_of_it_is_shown_or_derived() {
    let secrets = secrets();
    let parts = [
        ("sdd", "plan", 5),
        ("sdd", "challenge", 5),
        ("sdd", "implement", 5),
        ("sdd", "archive", 5),
        ("team", "architect", 5),
        ("team", "coder", 5),
        // A topic that fails stops nobody.
        ("team", "code-researcher", 0),
    ];
    for (flow, part, code) in parts {
        let then = if part == "challenge" { "answer SPOKEN<review>PASS</review>" } else { "play" };
        let script =
            format!("count PATH/notes/calls\nread\ncomplain SPOKEN\non 1 exit 3\nfrom 2 {then}");
        let scene = leaky(&secrets, "true", &script);
        let who = format!("{part}=scripted");
        let words = ["-vv", "run", ID, "Add a login page", "--flow", flow];
        let words = [&words[..], &["--agent", "offline", "--agent", &who]].concat();
        let mut outputs = vec![show(&scene, &words).exits(code)];
        outputs.push(show(&scene, &[&words[..], &["--json"]].concat()));
        for command in [&["status", ID][..], &["log", ID]] {
            outputs.push(show(&scene, command));
            outputs.push(show(&scene, &[command, &["--json"]].concat()));
        }
        assert!(scene.calls() >= 1, "{part} was not asked");
        assert_hidden(&scene, &outputs, &secrets, part, 1);
    }
}

#[test]
fn the_words_of_a_person_are_kept_as_they_are_and_a_secret_in_them_is_warned_of() {
    let scene = Scene::new();
    let request = format!("Use {} to log in", secrets()[1]);
    let run = ["run", ID, &request, "--agent", "offline", "--until", "plan"];
    show(&scene, &run).exits(0).says("looks like it contains a secret").hides(&secrets()[1]);
    assert!(scene.read("repo/agentd/changes/add-login/request.md").contains(&request));
    show(&scene, &["status", ID, "--json"]).exits(0).hides(&secrets()[1]);
    let words = ["run", ID, "And a logo", "--agent", "offline", "--until", "plan"];
    show(&scene, &words).hides("looks like it contains a secret");
}

/// Demands that a secret is nowhere but in what a run keeps exactly, where it is in so many files at least.
fn assert_hidden(scene: &Scene, outputs: &[Ran], secrets: &[String], part: &str, least: usize) {
    for one in outputs {
        let text = format!("{}{}", one.stdout, one.stderr);
        assert_eq!(found(&text, secrets), [""; 0], "{part}:\n{text}");
    }
    let is_hidden = |one: &Ran| one.stderr.contains("***") || one.stdout.contains("***");
    assert!(outputs.iter().any(is_hidden), "{part}: nothing was hidden");
    let mut files = Vec::new();
    walk(&scene.path("repo"), &mut files);
    walk(&scene.path("state"), &mut files);
    let mut exact = 0;
    for path in files {
        let text = String::from_utf8_lossy(&fs::read(&path).expect("its bytes")).into_owned();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let is_of_a_run = path.to_string_lossy().contains("/runs/");
        if is_of_a_run && EXACT.contains(&name.as_str()) {
            let mode = fs::metadata(&path).expect("there").permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{}", path.display());
            scene.git(&["check-ignore", "--quiet", &path.display().to_string()]);
            exact += usize::from(!found(&text, secrets).is_empty());
        } else {
            assert_eq!(found(&text, secrets), [""; 0], "{part}: {}:\n{text}", path.display());
        }
    }
    assert!(exact >= least, "{part}: only {exact} exact files hold what was printed");
}
