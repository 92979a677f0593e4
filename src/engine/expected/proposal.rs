//! `proposal.md`: its sections.

use super::document::Document;
use super::fault::FileFault;
use super::placeholder::has_own_words;
use super::sections;
use crate::prompt::blocks::PROPOSAL;

/// Returns what is wrong with a proposal.
pub(super) fn check(path: &str, text: &str) -> Vec<FileFault> {
    let (document, mut faults) = Document::read(path, text);
    faults.extend(sections::check(&document, &PROPOSAL));
    faults
}

/// Returns the title of a proposal, `# Proposal: Title`, if it has one of its own.
///
/// ```
/// use agentd::engine::expected::title;
///
/// assert_eq!(title("# Proposal: Add login\n").as_deref(), Some("Add login"));
/// assert_eq!(title("## Problem\n"), None);
/// ```
pub fn title(proposal: &str) -> Option<String> {
    let (document, _) = Document::read("", proposal);
    let (_, heading, _) = document.headings().find(|(level, ..)| *level == 1)?;
    let title = match heading.split_once(':') {
        Some((word, title)) if word.eq_ignore_ascii_case("proposal") => title.trim(),
        Some(_) | None => heading,
    };
    has_own_words(title).then(|| title.to_owned())
}
