//! `archive/changelog.md`: groups that a changelog knows, each with items.

use std::collections::BTreeMap;

use super::document::Document;
use super::fault::{FileFault, quote};
use super::placeholder::has_own_words;
use crate::prompt::blocks::CHANGELOG;
use crate::text::outline::same_title;

/// Returns what is wrong with a changelog entry.
pub(super) fn check(path: &str, text: &str) -> Vec<FileFault> {
    let (document, mut faults) = Document::read(path, text);
    let names = CHANGELOG.map(|group| format!("`### {}`", group.title)).join(", ");
    // The entry stands below a heading of its own when it is in the changelog, so it must not begin a section there.
    for (level, title, line) in document.headings().filter(|(level, ..)| *level < 3) {
        let message = format!("`{}` is a heading of level {level}", quote(title));
        faults.push(document.fault(Some(line), &message, &format!("write only groups: {names}")));
    }
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let groups = document.parts(3, document.whole());
    for group in &groups {
        let mut fault = |message: &str, help: &str| {
            faults.push(document.fault(Some(group.line), message, help));
        };
        let Some(known) = CHANGELOG.iter().find(|known| same_title(group.title, known.title))
        else {
            fault(
                &format!("`{}` is not a group of a changelog", quote(group.title)),
                &format!("the groups are {names}"),
            );
            continue;
        };
        if let Some(first) = seen.insert(known.title, group.line) {
            fault(
                &format!("group `{}` is repeated; the first is on line {first}", known.title),
                "merge them",
            );
        }
        if !document.prose(group).lines().any(is_item) {
            let help = format!(
                "write a list with an item for each effect ({}), or leave the group out",
                known.asks
            );
            fault(&format!("group `{}` contains no item", known.title), &help);
        }
    }
    if groups.is_empty() {
        let help = format!("write at least one of {names}, with a list below it");
        faults.push(document.fault(None, "there is no group", &help));
    }
    faults
}

fn is_item(line: &str) -> bool {
    let item = line.trim_start();
    ["- ", "* ", "+ "].iter().any(|bullet| item.strip_prefix(bullet).is_some_and(has_own_words))
}
