//! The diagnosis for people: a line for each thing, and what is wrong at one glance.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::Diagnosis;
use super::agents::AgentState;
use super::command::CommandLine;
use super::here::{Git, Here, Repository};
use super::phases::PhaseState;
use super::roles::RoleState;
use crate::orchestrator::agents::install::{Package, Standing};
use crate::output::secrets::hide;
use crate::output::visible::visible;

/// The most names that are listed.
const MOST_NAMES: usize = 8;

/// How good and bad are marked.
#[derive(Clone, Copy)]
pub(super) enum Marks {
    /// With signs, on a terminal.
    Signs,
    /// With words, where a program may read along.
    Words,
}

/// How something stands.
#[derive(Clone, Copy)]
enum Mark {
    Good,
    Bad,
}

impl Marks {
    fn show(self, mark: Mark) -> String {
        let (text, color) = match (self, mark) {
            (Self::Signs, Mark::Good) => ("✓", AnsiColor::Green),
            (Self::Signs, Mark::Bad) => ("✗", AnsiColor::Red),
            (Self::Words, Mark::Good) => ("ok", AnsiColor::Green),
            (Self::Words, Mark::Bad) => ("no", AnsiColor::Red),
        };
        let style = Style::new().bold().fg_color(Some(color.into()));
        format!("{style}{text:2}{style:#}")
    }
}

/// Lines under titles.
struct Table {
    text: String,
    marks: Marks,
    width: usize,
}

impl Table {
    fn title(&mut self, title: &str) {
        let style = Style::new().bold();
        let gap = if self.text.is_empty() { "" } else { "\n" };
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{gap}{style}{title}{style:#}");
    }

    fn line(&mut self, mark: Mark, name: &str, words: &str) {
        let (mark, width) = (self.marks.show(mark), self.width);
        let _ = writeln!(self.text, "  {mark} {name:width$}  {}", clean(words));
    }

    fn more(&mut self, words: &str) {
        let _ = writeln!(self.text, "     {}", clean(words));
    }
}

/// Makes a text from elsewhere fit to be shown.
fn clean(text: &str) -> String {
    visible(&hide(text)).replace('\n', " ")
}

const fn mark(trouble: Option<&String>) -> Mark {
    match trouble {
        Some(_) => Mark::Bad,
        None => Mark::Good,
    }
}

pub(super) fn report(diagnosis: &Diagnosis, marks: Marks) -> String {
    let names = diagnosis.agents.iter().map(|agent| agent.name.len());
    let width = names.max().unwrap_or_default().max("repository".len());
    let mut table = Table { text: String::new(), marks, width };
    table.title("agents");
    diagnosis.agents.iter().for_each(|state| agent(&mut table, state));
    table.title("phases");
    diagnosis.phases.iter().for_each(|state| phase(&mut table, state));
    table.title("roles");
    let longest = diagnosis.roles.iter().map(|state| state.role.word().len()).max();
    table.width = longest.unwrap_or_default().max(width);
    diagnosis.roles.iter().for_each(|state| role(&mut table, state));
    table.width = width;
    table.title("here");
    here(&mut table, &diagnosis.here);
    table.title("commands");
    diagnosis.phases.iter().for_each(|state| command(&mut table, state));
    table.text
}

fn agent(table: &mut Table, state: &AgentState) {
    let mark = if state.is_usable() { Mark::Good } else { Mark::Bad };
    let mut words = Vec::new();
    if let Some(version) = &state.version {
        words.push(match state.standing.zip(state.package) {
            Some((standing, package)) => format!("{}, {}", version.text, stands(standing, package)),
            None => version.text.clone(),
        });
    }
    words.extend(state.trouble());
    words.extend(state.path.as_ref().map(|path| path.display().to_string()));
    table.line(mark, &state.name, &words.join("; "));
    if let Some(advice) = state.advice() {
        table.more(&advice);
    }
}

fn stands(standing: Standing, package: &Package) -> String {
    match standing {
        Standing::Checked => "checked".to_owned(),
        Standing::Newer => format!("newer than checked ({})", package.checked_version()),
        Standing::Older => format!("older than checked ({})", package.checked_version()),
    }
}

fn phase(table: &mut Table, state: &PhaseState) {
    let PhaseState { phase, agent, origin, obstacle, .. } = state;
    let trouble = obstacle.as_ref().map(|obstacle| obstacle.reason.clone());
    let said = trouble.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    table.line(mark(trouble.as_ref()), phase.word(), &format!("{agent} (from {origin}){said}"));
}

fn role(table: &mut Table, state: &RoleState) {
    let RoleState { role, agent, origin, trouble } = state;
    let said = trouble.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    table.line(mark(trouble.as_ref()), role.word(), &format!("{agent} (from {origin}){said}"));
}

/// Shows what a phase would run, and round it.
fn command(table: &mut Table, state: &PhaseState) {
    if let Some(command) = &state.command {
        let style = Style::new().bold();
        let _ = writeln!(table.text, "  {style}{}{style:#}", state.phase);
        table.more(&command.line());
        table.more(&changes(command));
    }
}

/// Says where a command runs and with which changes to the environment.
fn changes(command: &CommandLine) -> String {
    let mut parts = vec![format!("in {}", command.folder.display())];
    let sets: Vec<_> = command.sets.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let files: Vec<_> = command.files.iter().map(|path| path.display().to_string()).collect();
    for (what, names) in [("with", &sets), ("without", &command.removes), ("writing", &files)] {
        if !names.is_empty() {
            let more = names.len().saturating_sub(MOST_NAMES);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let names = &names[..names.len().min(MOST_NAMES)];
            parts.push(format!("{what} {}{more}", names.join(", ")));
        }
    }
    parts.join("; ")
}

fn here(table: &mut Table, here: &Here) {
    match &here.git {
        Git::There(Some(version)) => table.line(Mark::Good, "git", &version.text),
        Git::There(None) => table.line(Mark::Good, "git", "it does not tell its version"),
        Git::Missing => table.line(Mark::Bad, "git", "not installed"),
        Git::Fails(reason) => table.line(Mark::Bad, "git", reason),
    }
    match here.repository {
        Repository::WithCommit => table.line(Mark::Good, "repository", "has a commit"),
        Repository::WithoutCommit => {
            table.line(Mark::Bad, "repository", "has no commit; make the first one");
        }
        Repository::None => table.line(Mark::Bad, "repository", "none here; git init makes one"),
    }
    let files: Vec<_> = here.config.iter().map(|path| path.display().to_string()).collect();
    let files = if files.is_empty() {
        "no file, so the defaults hold".to_owned()
    } else {
        files.join(", ")
    };
    table.line(Mark::Good, "config", &files);
    let guard = here.guard.as_deref().unwrap_or("ends agents and all that they start");
    table.line(mark(here.guard.as_ref()), "guard", guard);
}
