//! The diagnosis for people: one line per item, with problems visible at a glance.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::Diagnosis;
use super::agents::AgentState;
use super::assignments::Assignment;
use super::command::CommandLine;
use super::here::{Git, Here, Repository};
use crate::cli::configuration::Confinement;
use crate::config::Reason;
use crate::output::json::paths;
use crate::output::sanitize::safe;

/// The maximum number of names that are listed.
const MOST_NAMES: usize = 8;

/// How good and bad are marked.
#[derive(Clone, Copy)]
pub(super) enum Marks {
    /// With symbols, on a terminal.
    Signs,
    /// With words, if a program may read the output.
    Words,
}

/// The status that a line shows.
#[derive(Clone, Copy)]
enum Mark {
    Good,
    Bad,
    /// Not installed, and not needed.
    Absent,
}

impl From<bool> for Mark {
    fn from(is_good: bool) -> Self {
        if is_good { Self::Good } else { Self::Bad }
    }
}

impl Marks {
    fn show(self, mark: Mark) -> String {
        let (sign, word, color) = match mark {
            Mark::Good => ("✓", "ok", AnsiColor::Green),
            Mark::Bad => ("✗", "no", AnsiColor::Red),
            Mark::Absent => ("-", "-", AnsiColor::BrightBlack),
        };
        let text = match self {
            Self::Signs => sign,
            Self::Words => word,
        };
        let style = Style::new().bold().fg_color(Some(color.into()));
        format!("{style}{text:2}{style:#}")
    }
}

/// Lines grouped under titles.
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

    fn line(&mut self, mark: impl Into<Mark>, name: &str, words: &str) {
        let (mark, width) = (self.marks.show(mark.into()), self.width);
        let _ = writeln!(self.text, "  {mark} {name:width$}  {}", clean(words));
    }

    fn more(&mut self, words: &str) {
        let _ = writeln!(self.text, "     {}", clean(words));
    }

    fn assignments(&mut self, title: &str, all: &[Assignment]) {
        self.title(title);
        let longest = all.iter().map(|it| it.task.len()).max().unwrap_or_default();
        let width = self.width;
        self.width = width.max(longest);
        for Assignment { task, agent, reason, trouble, shares_vendor_with, .. } in all {
            let trouble_text = trouble.as_ref().map(|trouble| format!(": {trouble}"));
            let shared = shares_vendor_with.as_ref().filter(|_| trouble.is_none());
            let shared = shared.map(|author| format!("; same vendor as its author, `{author}`"));
            let more = trouble_text.or(shared).unwrap_or_default();
            let reason = match reason {
                Reason::Said(origin) => format!("from {origin}"),
                other => other.to_string(),
            };
            self.line(trouble.is_none(), task, &format!("{agent} ({reason}){more}"));
        }
        self.width = width;
    }
}

/// Returns external text without secrets, line breaks and control characters.
fn clean(text: &str) -> String {
    safe(text).replace('\n', " ")
}

pub(super) fn report(diagnosis: &Diagnosis, marks: Marks) -> String {
    let names = diagnosis.agents.iter().map(|agent| agent.name.len());
    let width = names.max().unwrap_or_default().max("repository".len());
    let mut table = Table { text: String::new(), marks, width };
    table.title("agents");
    let (wanted, stuck) = (diagnosis.wanted().map(|it| it.name.as_str()), diagnosis.stuck());
    for state in &diagnosis.agents {
        let is_lacking = stuck.iter().any(|step| step.agent == state.name);
        let mark =
            if state.is_missing() && !is_lacking { Mark::Absent } else { state.is_usable.into() };
        agent(&mut table, state, mark, !state.is_missing() || wanted == Some(&state.name));
    }
    table.assignments(&format!("steps of {}", diagnosis.flow), &diagnosis.steps);
    for (flow, all) in [("sdd", &diagnosis.phases), ("team", &diagnosis.roles)] {
        if flow != diagnosis.flow {
            table.assignments(&format!("steps of {flow}"), all);
        }
    }
    table.title("here");
    here(&mut table, &diagnosis.here);
    table.text
}

/// Adds the command line of each phase.
pub(super) fn commands(text: &mut String, phases: &[Assignment]) {
    let mut table = Table { text: std::mem::take(text), marks: Marks::Words, width: 0 };
    table.title("commands");
    for phase in phases {
        let Some(command) = &phase.command else { continue };
        let style = Style::new().bold();
        let _ = writeln!(table.text, "  {style}{}{style:#}", phase.task);
        table.more(&command.line);
        table.more(&changes(command));
    }
    *text = table.text;
}

fn agent(table: &mut Table, state: &AgentState, mark: Mark, is_advised: bool) {
    let mut words = Vec::new();
    if let Some(version) = &state.version {
        let checked = state.checked_version.as_deref().unwrap_or_default();
        words.push(match state.standing {
            None => version.clone(),
            Some("checked") => format!("{version}, checked"),
            Some(standing) => format!("{version}, {standing} than checked ({checked})"),
        });
    }
    words.extend(state.trouble.iter().chain(&state.path).cloned());
    table.line(mark, &state.name, &words.join("; "));
    if let Some(advice) = state.advice.as_ref().filter(|_| is_advised) {
        table.more(advice);
    }
}

/// Returns where a command runs and how its environment differs.
fn changes(command: &CommandLine) -> String {
    let mut parts = vec![format!("in {}", command.folder)];
    let sets: Vec<_> = command.sets.iter().map(|(name, value)| format!("{name}={value}")).collect();
    for (what, names) in
        [("with", &sets), ("without", &command.removes), ("writing", &command.files)]
    {
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
    let Git { version, trouble } = &here.git;
    let git = trouble.as_ref().or(version.as_ref());
    let git = git.map_or("it does not print its version", String::as_str);
    table.line(trouble.is_none(), "git", git);
    let words = match here.repository {
        Repository::WithCommit => "has a commit",
        Repository::WithoutCommit => "has no commit; create the first one",
        Repository::None => "none here; git init creates one",
    };
    table.line(here.repository == Repository::WithCommit, "repository", words);
    let files = paths(&here.config).join(", ");
    let files = if files.is_empty() { "no file, so the defaults apply" } else { &files };
    table.line(true, "config", files);
    let guard = here.guard.as_deref().unwrap_or("ends agents and all processes that they start");
    table.line(here.guard.is_none(), "guard", guard);
    let Confinement { text, is_full, is_chosen } = here.sandbox;
    // What somebody has chosen is not out of order.
    let mark = if is_chosen { Mark::Absent } else { is_full.into() };
    table.line(mark, "sandbox", text);
}
