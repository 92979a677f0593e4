//! The files of the session that a prompt includes: known to a contract, complete, and certain only where they are.

use super::super::super::code::Code;
use super::super::super::contract::{Presence, SessionFile, session_paths};
use super::super::super::diagnostic::{Diagnostic, Place, quoted};
use super::super::values::PLACEHOLDERS;
use super::Prompt;
use crate::template::nearest::nearest;
use crate::template::{Directive, Node, Part};

pub(super) fn check(prompt: &Prompt<'_>, found: &mut Vec<Diagnostic>) {
    let known = session_paths();
    let mut included: Vec<String> = Vec::new();
    for (node, span) in &prompt.template.parsed.nodes {
        let Node::Include { path, required } = node else { continue };
        let place = prompt.template.place(*span);
        let path = match read(path, prompt) {
            Path::Right(path) => path,
            Path::Faulty(path) => {
                included.push(path);
                continue;
            }
        };
        let presence = if *required { Presence::Certain } else { Presence::Possible };
        if known.contains(&path.as_str()) {
            found.extend(wrong_presence(prompt, &path, presence, place));
            included.push(path);
        } else {
            let near = nearest(&path, known.iter().copied());
            found.push(unknown(&path, near, presence, &known, place));
            // What was meant counts as included.
            included.extend(near.map(str::to_owned));
        }
    }
    if prompt.is_complete() {
        let files = prompt.contract.files.iter();
        let missing = files.filter(|file| !included.contains(&file.path));
        found.extend(missing.map(|file| missing_file(prompt, file)));
    }
}

/// The path of an include as it is written in the contracts.
enum Path {
    /// Every placeholder in it is right.
    Right(String),
    /// One is not, which is reported already; this is the path that was meant.
    Faulty(String),
}

fn read(parts: &[Part<'_>], prompt: &Prompt<'_>) -> Path {
    let mut path = String::new();
    let mut is_right = true;
    for part in parts {
        match part {
            Part::Text(text) => path.push_str(text),
            Part::Hole(name) => {
                is_right &= prompt.contract.allows(name);
                let is_known = PLACEHOLDERS.words.contains(name);
                let meant = if is_known { None } else { PLACEHOLDERS.meant(name) };
                path.push_str(&(PLACEHOLDERS.marker)(meant.unwrap_or(name)));
            }
        }
    }
    if is_right { Path::Right(path) } else { Path::Faulty(path) }
}

/// Writes the include of a file.
fn include(path: &str, presence: Presence) -> String {
    let directive = match presence {
        Presence::Certain => Directive::Include,
        Presence::Possible => Directive::IncludeOptional,
    };
    format!("[[{}:{path}]]", directive.word())
}

fn unknown(
    path: &str,
    near: Option<&str>,
    presence: Presence,
    known: &[&str],
    place: Place,
) -> Diagnostic {
    let message = format!("no session has a file {} to include", quoted(path));
    Diagnostic::new(Code::UnknownSessionFile, place, message).help(match near {
        Some(near) => format!("did you mean `{}`?", include(near, presence)),
        None => format!("the files are {}", known.join(", ")),
    })
}

/// Compares how a file is included with what is known of it when the prompt is made.
fn wrong_presence(
    prompt: &Prompt<'_>,
    path: &str,
    written: Presence,
    place: Place,
) -> Option<Diagnostic> {
    // Nobody has promised a file that is not in the contract.
    let promised = prompt.contract.file(path).map_or(Presence::Possible, |file| file.presence);
    if promised == written {
        return None;
    }
    let file = &prompt.contract.name;
    let message = match promised {
        Presence::Certain => format!("`{path}` always exists when {file} is rendered"),
        Presence::Possible => format!("`{path}` may be missing when {file} is rendered"),
    };
    let help = format!("write `{}`", include(path, promised));
    Some(Diagnostic::new(Code::SessionFilePresence, place, message).help(help))
}

fn missing_file(prompt: &Prompt<'_>, file: &SessionFile) -> Diagnostic {
    let message = format!("{} must include the session file `{}`", prompt.contract.name, file.path);
    Diagnostic::new(Code::MissingSessionFile, prompt.template.whole(), message)
        .help(format!("write `{}` where its text belongs", include(&file.path, file.presence)))
}
