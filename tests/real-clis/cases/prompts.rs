//! The prompt arrives at the model as it was sent: all of it, once, and with nothing inserted.

use crate::cli::Cli;
use crate::model::behaviour::Turn;
use crate::scene::{Outcome, Scene};
use crate::suite::Suite;

const PASS: &str = "Fine.\n\n<review>PASS</review>";

/// What stands in files that a prompt mentions.
const SECRET: &str = "canary-of-a-mentioned-file";

fn pass(_: &std::path::Path) -> Vec<Turn> {
    vec![Turn::Say(PASS.to_owned())]
}

/// A prompt of 400 KB arrives byte for byte.
pub(super) fn large(suite: &Suite, cli: Cli) {
    let scene = Scene::new(suite, cli, "prompt-of-400-kb", pass);
    let line = "Zeile mit äöü, \u{1f980}, \"quotes\", \\ and <tags> & tabs\t.\n";
    let outcome = scene.call("review", &line.repeat(400_000 / line.len() + 1));
    arrived(&scene, &outcome);
}

/// Words that name files of the workspace, in each of the ways that a CLI might take for a wish to see them.
pub(super) fn mentions(suite: &Suite, cli: Cli) {
    let scene = Scene::new(suite, cli, "prompt-full-of-mentions", pass);
    scene.put("project/notes.md", SECRET);
    scene.put("project/a b.md", SECRET);
    scene.put("project/docs/deep.md", SECRET);
    let root = scene.project();
    let root = root.display();
    let instructions = format!(
        "@notes.md @./notes.md @docs @docs/ @docs/deep.md @\"a b.md\" @a\\ b.md @{root}/notes.md\n\
         (@notes.md) [@notes.md] x@notes.md \\@notes.md \\\\@notes.md @@notes.md #notes.md !cat notes.md\n\
         @file:notes.md @deep.md @src/*.rs @../changes/demo/tasks.md @~/x /notes.md !{{cat notes.md}} @{{notes.md}}\n\
         someone@example.org @Override @param, 5 @ 3 and `@notes.md`"
    );
    let outcome = scene.call("review", &instructions);
    arrived(&scene, &outcome);
    for asked in scene.server.asked() {
        assert!(!asked.body.contains(SECRET), "a mentioned file was inserted");
    }
}

/// Makes sure that the prompt's document arrived, once and unchanged.
fn arrived(scene: &Scene<'_>, outcome: &Outcome) {
    outcome.exits(0);
    let document = scene.document("review");
    let asked = scene.server.asked();
    assert_eq!(asked.len(), 1, "one request: {outcome:#?}");
    let mut texts = asked[0].user_texts.clone();
    for text in &mut texts {
        *text = match scene.cli {
            // For Gemini CLI the document has its backslashes already.
            Cli::Claude | Cli::Codex | Cli::Gemini => continue,
            Cli::Copilot => without_date(text),
        };
    }
    let found = texts.iter().filter(|text| **text == document).count();
    let nearest = texts.iter().max_by_key(|text| text.len()).expect("a text");
    assert_eq!(found, 1, "{}", first_difference(&document, nearest));
}

/// Takes away the date and time that Copilot puts first, and gives back the line break that it takes from the end;
/// nothing stops it.
fn without_date(text: &str) -> String {
    let rest = text.strip_prefix("<current_datetime>").and_then(|rest| {
        let (date, rest) = rest.split_once("</current_datetime>\n\n")?;
        (date.len() < 40).then(|| format!("{rest}\n"))
    });
    rest.unwrap_or_else(|| text.to_owned())
}

fn first_difference(expected: &str, found: &str) -> String {
    let same = expected.chars().zip(found.chars()).take_while(|(a, b)| a == b).count();
    let from =
        |text: &str| text.chars().skip(same.saturating_sub(60)).take(200).collect::<String>();
    let (expected_size, found_size) = (expected.len(), found.len());
    format!(
        "{expected_size} bytes were sent and {found_size} arrived; expected {:?}, found {:?}",
        from(expected),
        from(found)
    )
}

/// A prompt that is larger than a CLI takes is refused before anything runs.
pub(super) fn too_large(suite: &Suite, cli: Cli) {
    let scene = Scene::new(suite, cli, "prompt-too-large", pass);
    let (scene, size) = match cli {
        Cli::Claude => (scene, 10 << 20),
        Cli::Gemini => (scene, 4_190_000),
        Cli::Codex => (scene, 1 << 20),
        Cli::Copilot => (scene.set("max_prompt", "\"100 KB\""), 100_000),
    };
    scene.call("review", &"word ".repeat(size / 5)).exits(11).says("the prompt is too large");
    assert!(scene.server.asked().is_empty(), "nothing was sent");
    let runs = std::fs::read_dir(scene.change().join("runs")).expect("runs");
    for run in runs.flatten().filter(|entry| entry.path().is_dir()) {
        assert!(!run.path().join("stdout").exists(), "nothing was run");
    }
}

/// A prompt that only the CLI knows to be too large for the model is refused by it, and told as that.
pub(super) fn refused_by_the_cli(suite: &Suite, cli: Cli) {
    let scene = Scene::new(suite, cli, "prompt-refused-by-the-cli", pass);
    let scene = scene.variable("COPILOT_PROVIDER_MAX_PROMPT_TOKENS", "20000");
    // Claude Code's Sonnet has room for a million tokens.
    let size = if cli == Cli::Claude { 5_000_000 } else { 600_000 };
    let outcome = scene.call("review", &"word ".repeat(size / 5));
    outcome.exits(11).says("the prompt is too large");
}
