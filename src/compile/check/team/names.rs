//! The names of the prompts: one file for each role, each command and the context, and no others.

use super::super::super::code::Code;
use super::super::super::diagnostic::Diagnostic;
use super::super::super::source::{FileId, Folder, SourceFile, Sources};
use super::super::names::plain;
use crate::template::nearest::nearest;
use crate::template::{Command, Role, TeamPrompt};

/// Reports each prompt that has no template, unless a file is there that was meant to be it. A folder that has
/// nothing of the team at all is complete.
pub(in super::super) fn missing(sources: &mut Sources, found: &mut Vec<Diagnostic>) {
    let is_team = |file: &SourceFile| {
        matches!(file.folder, Folder::Agents | Folder::Commands | Folder::Context)
    };
    if !sources.iter().any(|(_, file)| is_team(file)) {
        return;
    }
    let meant: Vec<TeamPrompt> =
        sources.iter().filter_map(|(_, file)| meant(file.folder, &file.name)).collect();
    for prompt in TeamPrompt::all().filter(|prompt| !meant.contains(prompt)) {
        let below = prompt.file();
        let folder = match prompt {
            TeamPrompt::Role(_) => Folder::Agents,
            TeamPrompt::Command(_) => Folder::Commands,
            TeamPrompt::Context => Folder::Context,
        };
        let file = sources.add_absent(folder, &below);
        let message = format!("the team has no prompt `{below}`");
        found.push(Diagnostic::new(Code::MissingPrompt, sources.first_line(file), message).help(
            format!("write `{below}`: a folder with prompts of the team must contain all of them"),
        ));
    }
}

/// Reads the prompt off the name of its template.
pub(super) fn prompt(
    sources: &Sources,
    file: FileId,
    found: &mut Vec<Diagnostic>,
) -> Option<TeamPrompt> {
    let SourceFile { folder, name, .. } = sources.get(file);
    let before = found.len();
    plain(sources, file, found);
    if found.len() > before {
        return None;
    }
    let prompt = exact(*folder, name);
    if prompt.is_none() {
        found.push(unknown(sources, file));
    }
    prompt
}

/// The words after which the files of a folder are named.
const fn words(folder: Folder) -> &'static [&'static str] {
    match folder {
        Folder::Agents => Role::WORDS,
        Folder::Commands => Command::WORDS,
        Folder::Context => &["context"],
        Folder::System
        | Folder::Shared
        | Folder::Identities
        | Folder::Flows
        | Folder::Elsewhere => &[],
    }
}

fn exact(folder: Folder, name: &str) -> Option<TeamPrompt> {
    of_word(folder, name.strip_suffix(".md")?)
}

fn of_word(folder: Folder, word: &str) -> Option<TeamPrompt> {
    match folder {
        Folder::Agents => Role::from_word(word).map(TeamPrompt::Role),
        Folder::Commands => Command::from_word(word).map(TeamPrompt::Command),
        Folder::Context => Some(TeamPrompt::Context),
        Folder::System
        | Folder::Shared
        | Folder::Identities
        | Folder::Flows
        | Folder::Elsewhere => None,
    }
}

/// Guesses the prompt from where a file lies and what it is called.
fn meant(folder: Folder, name: &str) -> Option<TeamPrompt> {
    if let Some(prompt) = exact(folder, name) {
        return Some(prompt);
    }
    match folder {
        Folder::Agents | Folder::Commands => {
            let stem = stem(name);
            let near = || of_word(folder, nearest(stem, words(folder).iter().copied())?);
            in_other_folder(stem).or_else(near)
        }
        Folder::Elsewhere => match name.split_once('/') {
            Some((folder, name)) => meant(near_folder(folder)?, name),
            None => nearest(name, ["context.md"]).map(|_| TeamPrompt::Context),
        },
        Folder::Context | Folder::System | Folder::Shared | Folder::Identities | Folder::Flows => {
            None
        }
    }
}

/// Returns a file's name without folders and ending.
fn stem(name: &str) -> &str {
    let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Finds the prompt of this name, in whichever folder.
fn in_other_folder(stem: &str) -> Option<TeamPrompt> {
    of_word(Folder::Agents, stem).or_else(|| of_word(Folder::Commands, stem))
}

fn near_folder(name: &str) -> Option<Folder> {
    match nearest(name, ["agents", "commands"])? {
        "agents" => Some(Folder::Agents),
        _ => Some(Folder::Commands),
    }
}

fn unknown(sources: &Sources, file: FileId) -> Diagnostic {
    let SourceFile { folder, name, .. } = sources.get(file);
    let stem = stem(name);
    let what = if *folder == Folder::Agents { "role" } else { "command" };
    let help = match meant(*folder, name) {
        Some(prompt) => format!("did you mean `{}`?", prompt.file()),
        None => format!("the {what}s are {}", words(*folder).join(", ")),
    };
    let message = format!("there is no {what} `{stem}`");
    Diagnostic::new(Code::UnknownPrompt, sources.first_line(file), message).help(help)
}
