//! Archives: writes the changelog entry, and every spec of the change as it stands.

use askama::Template;

use super::idea::{script, title_of_plan};
use super::part::Part;
use super::{NO_MODEL, Played, Unplayable};
use crate::template::Phase;

#[derive(Template)]
#[template(path = "blocks/offline/changelog.md.j2", escape = "none")]
struct Changelog<'a> {
    title: &'a str,
    script: &'a str,
}

pub(super) fn play(part: &Part) -> Result<Played, Unplayable> {
    let skeleton = part.skeleton(Phase::Archive, "archive/changelog.md")?;
    let title = title_of_plan(part.artifact("proposal.md"), &part.prompt.instructions);
    let script = script(skeleton.change.as_str());
    let changelog = Changelog { title: &title, script: &script }.to_string();
    let mut files = vec![("archive/changelog.md".to_owned(), changelog)];
    files.extend(part.specs().map(|(name, text)| (format!("archive/{name}"), text.to_owned())));
    let names: String = files.iter().map(|(name, _)| format!("- {name}\n")).collect();
    Ok(skeleton
        .hand_over(&format!("Files written:\n\n{names}\nLeftovers and doubts: none."), files))
}
