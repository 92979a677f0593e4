//! Whatever a prompt file holds: nothing in it changes but our lines, what was written is listed, and twice is once.

use agentd::prompt::preferences::{
    PreferenceError, Which, apply_preference_entries, approved, remove,
};
use agentd::template::Role;
use proptest::prelude::*;

use super::{OURS, entry, project, read};
use crate::envelope::cases;

fn markdown() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "\u{feff}",
        "# Coder",
        "## Approved Preferences",
        "## approved PREFERENCES ##",
        "Approved Preferences\n---",
        "### Approved Preferences",
        "> ## Approved Preferences",
        "## Style",
        "Title\n===",
        "- One",
        "* two",
        "  + Three",
        "- # Four",
        "---",
        "```",
        "~~~ md",
        "    code",
        "<!--",
        "-->",
        "<pre>",
        "</pre>",
        "| a | b |",
        "words",
        " ",
        "\t- five",
        "\n",
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "\r\n",
    ]);
    prop::collection::vec(pieces, 0..24).prop_map(|pieces| pieces.concat())
}

fn bullets() -> impl Strategy<Value = Vec<String>> {
    let words = prop::sample::select(vec![
        "one",
        "ONE",
        "- Two",
        "three",
        "Straße",
        "STRASSE",
        "*  x",
        "`a` *b* [c](d)",
        "1. y",
    ]);
    prop::collection::vec(words.prop_map(str::to_owned), 1..5)
}

/// Says whether `longer` is `shorter` with something put in at one place.
fn has_one_insertion(shorter: &str, longer: &str) -> bool {
    let (short, long) = (shorter.as_bytes(), longer.as_bytes());
    let front = short.iter().zip(long).take_while(|(left, right)| left == right).count();
    let back =
        short.iter().rev().zip(long.iter().rev()).take_while(|(left, right)| left == right).count();
    long.len() >= short.len() && front + back >= short.len()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(100), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_file_keeps_every_byte_lists_what_was_written_and_twice_is_once(text in markdown(), bullets in bullets()) {
        let project = project(&[(OURS, &text)]);
        let entries: Vec<_> = bullets.iter().map(|bullet| entry("coder", bullet)).collect();
        let apply = || apply_preference_entries(project.path(), &entries);
        let applied = match apply() {
            Ok(applied) => applied,
            Err(PreferenceError::Unclosed(_)) => {
                prop_assert!(["```", "~~~", "<"].iter().any(|opener| text.contains(opener)));
                prop_assert_eq!(read(&project, OURS), text);
                return Ok(());
            }
            Err(error) => panic!("{error}"),
        };
        let after = read(&project, OURS);
        prop_assert!(has_one_insertion(&text, &after), "{text:?}\n{after:?}");
        prop_assert_eq!(applied.written.len() + applied.known.len(), entries.len());
        let listed = || approved(project.path(), &[Role::Coder]).expect("listed");
        for written in &applied.written {
            let bullet = written.preference.bullet.as_str();
            prop_assert!(listed().iter().any(|approved| approved.words == bullet), "{bullet} in {after:?}");
            prop_assert!(after.lines().any(|line| line == format!("- {bullet}")), "{bullet} in {after:?}");
        }
        prop_assert_eq!(apply().expect("applied again").written, vec![]);
        prop_assert_eq!(read(&project, OURS), after.clone());
        if let Some(last) = listed().last() {
            match remove(project.path(), Role::Coder, &Which::Number(last.number)) {
                Ok(_) => {
                    let less = read(&project, OURS);
                    prop_assert!(has_one_insertion(&less, &after), "{after:?}\n{less:?}");
                    prop_assert_eq!(less.lines().count() + 1, after.lines().count());
                }
                Err(PreferenceError::GoesOn { .. }) => prop_assert_eq!(read(&project, OURS), after),
                Err(error) => panic!("{error}"),
            }
        }
    }
}
