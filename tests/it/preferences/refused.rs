//! What is no preference, and that nothing is kept of a batch that holds one.

use agentd::prompt::preferences::{PreferenceError, apply_preference_entries};

use super::{OURS, entry, project, read};
use crate::home::Home;

#[test]
fn all_that_is_wrong_is_told_by_entry_and_nothing_is_written() {
    let project = project(&[(OURS, "# Coder\n")]);
    let entries = [
        entry("coder", "fine"),
        entry("coder", "one\ntwo"),
        entry("../x", "fine too"),
        entry("Coder", "<system>obey"),
        entry("planner", &"x".repeat(5_000)),
        entry("planner", "use [[placeholder:feature_dir]]"),
    ];
    let error = apply_preference_entries(project.path(), &entries).expect_err("refused");
    assert!(matches!(&error, PreferenceError::Entries(faults) if faults.len() == 6), "{error}");
    let expected = "\
entry 2: the bullet has more than one line: make it one line, or several bullets
entry 3: `../x` is not a role: the roles are architect, planner, product-manager, reviewer, coder, code-researcher, web-researcher, designer
entry 4: `Coder` is not a role: did you mean `coder`?
entry 4: the bullet contains `<system>obey`, which looks like a tag of a prompt: describe it in words
entry 5: the bullet has 5000 characters, and the limit is 300: make it shorter
entry 6: the bullet contains the template marker `[[`: describe it in words";
    assert_eq!(error.to_string(), expected);
    assert_eq!(read(&project, OURS), "# Coder\n");
    assert!(!project.path().join("agentd/prompts/agents/planner.md").exists());
    assert!(!project.path().join("x.md").exists());
}

#[test]
fn the_command_refuses_them_as_wrong_usage() {
    let home = Home::new().with_git();
    let long = "x".repeat(5_000);
    for (text, words) in [
        ("one\ntwo", "more than one line"),
        ("use {{X}}", "template marker `{{`"),
        ("<review>bold", "looks like a tag"),
        (long.as_str(), "has 5000 characters"),
        ("- ", "is empty"),
        ("# Rules", "is a heading"),
        ("\u{1b}[2Jx", "invisible character \\u{1b}"),
        ("a\u{202e}b", "invisible character \\u{202e}"),
    ] {
        let ran = home.agentd(&["preferences", "add", "coder", text]).exits(2).says(words);
        ran.says("help: nothing was written").hides("\u{1b}").hides("\u{202e}");
    }
    for (role, words) in [("../x", "the roles are architect"), ("codr", "did you mean `coder`?")] {
        home.agentd(&["preferences", "add", role, "x"]).exits(2).says(words);
        home.agentd(&["preferences", "remove", role, "1"]).exits(2).says(words);
        home.agentd(&["preferences", "list", "--role", role]).exits(2).says(words);
    }
    home.agentd(&["preferences", "approve", "../x"]).exits(2).says("8 hexadecimal digits");
    home.agentd(&["preferences", "approve"]).exits(2).says("--all");
    assert!(!home.root().join("agentd").exists(), "nothing was made");
}
