//! What each prompt of the team must teach its reader: the sections it has, and what it must say, outside code blocks.
//!
//! The tables stand beside this file, one for each kind of work. A phrase is part of the sentence that teaches the thing,
//! so that the check fails when the sentence goes.

mod coding;
mod common;
mod inquiry;
mod planning;
mod reviewing;

use super::Directive;
use crate::template::{Command, Role, TeamPrompt};

/// Something that a prompt must say.
#[derive(Clone, Copy, Debug)]
pub struct Teaching {
    /// What it is about, for messages.
    pub about: &'static str,
    /// The phrases that must all stand there, each in one of its spellings.
    pub says: &'static [Directive],
}

/// Lists the sections of a prompt: headings of level 2, compared without case.
pub const fn sections(prompt: TeamPrompt) -> &'static [&'static str] {
    match prompt {
        TeamPrompt::Role(Role::Planner) | TeamPrompt::Command(Command::Change) => {
            &["Role", "Work", "Staged planning", "Rules", "Project rules", "Input", "Output"]
        }
        TeamPrompt::Role(Role::Coder) | TeamPrompt::Command(Command::Fix) => {
            &["Role", "Work", "Discipline", "Rules", "Project rules", "Input", "Output"]
        }
        TeamPrompt::Role(Role::Reviewer) | TeamPrompt::Command(Command::Review) => {
            &["Role", "Work", "Standard", "Rules", "Project rules", "Input", "Output"]
        }
        TeamPrompt::Role(
            Role::Architect
            | Role::ProductManager
            | Role::CodeResearcher
            | Role::WebResearcher
            | Role::Designer,
        )
        | TeamPrompt::Command(Command::Summary) => {
            &["Role", "Work", "Rules", "Project rules", "Input", "Output"]
        }
        TeamPrompt::Context => &["The change", "Folders", "Rules for all", "State"],
    }
}

/// Joins tables that prompts share into the one table of a prompt.
macro_rules! joined {
    ($($table:expr),+) => {{
        const TABLE: &[Teaching] = &join::<{ 0 $(+ $table.len())+ }>(&[$($table),+]);
        TABLE
    }};
}

const fn join<const LENGTH: usize>(tables: &[&[Teaching]]) -> [Teaching; LENGTH] {
    let mut joined = [Teaching { about: "", says: &[] }; LENGTH];
    let (mut filled, mut table) = (0, 0);
    while table < tables.len() {
        let mut row = 0;
        while row < tables[table].len() {
            joined[filled] = tables[table][row];
            filled += 1;
            row += 1;
        }
        table += 1;
    }
    joined
}

/// Lists what a prompt must teach.
pub const fn teachings(prompt: TeamPrompt) -> &'static [Teaching] {
    use common::{PREFERENCES, RESEARCH_REQUESTS, TEAM_MEMBER, UNATTENDED};
    match prompt {
        TeamPrompt::Role(Role::Architect) => {
            joined!(TEAM_MEMBER, PREFERENCES, RESEARCH_REQUESTS, inquiry::ARCHITECT)
        }
        TeamPrompt::Role(Role::Planner) => {
            joined!(
                TEAM_MEMBER,
                PREFERENCES,
                RESEARCH_REQUESTS,
                planning::STAGED,
                planning::PLANNER
            )
        }
        TeamPrompt::Role(Role::ProductManager) => {
            joined!(TEAM_MEMBER, PREFERENCES, RESEARCH_REQUESTS, inquiry::PRODUCT_MANAGER)
        }
        TeamPrompt::Role(Role::Reviewer) => {
            joined!(TEAM_MEMBER, PREFERENCES, reviewing::STANDARD, reviewing::REVIEWER)
        }
        TeamPrompt::Role(Role::Coder) => {
            joined!(TEAM_MEMBER, UNATTENDED, coding::DISCIPLINE, coding::CODER)
        }
        TeamPrompt::Role(Role::CodeResearcher) => {
            joined!(TEAM_MEMBER, UNATTENDED, inquiry::RESEARCHER, inquiry::CODE_RESEARCHER)
        }
        TeamPrompt::Role(Role::WebResearcher) => {
            joined!(TEAM_MEMBER, UNATTENDED, inquiry::RESEARCHER, inquiry::WEB_RESEARCHER)
        }
        TeamPrompt::Role(Role::Designer) => joined!(TEAM_MEMBER, UNATTENDED, inquiry::DESIGNER),
        TeamPrompt::Command(Command::Review) => {
            joined!(TEAM_MEMBER, PREFERENCES, reviewing::STANDARD, reviewing::REVIEW)
        }
        TeamPrompt::Command(Command::Fix) => {
            joined!(TEAM_MEMBER, UNATTENDED, coding::DISCIPLINE, coding::FIX)
        }
        TeamPrompt::Command(Command::Summary) => {
            joined!(TEAM_MEMBER, UNATTENDED, reviewing::SUMMARY)
        }
        TeamPrompt::Command(Command::Change) => {
            joined!(TEAM_MEMBER, PREFERENCES, RESEARCH_REQUESTS, planning::STAGED, planning::CHANGE)
        }
        TeamPrompt::Context => common::CONTEXT,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn joined_tables_hold_every_row_once() {
        let coder = teachings(TeamPrompt::Role(Role::Coder));
        let rows =
            [common::TEAM_MEMBER, common::UNATTENDED, coding::DISCIPLINE, coding::CODER].concat();
        let about = |rows: &[Teaching]| rows.iter().map(|row| row.about).collect::<Vec<_>>();
        assert_eq!(about(coder), about(&rows));
        for prompt in TeamPrompt::all() {
            let all = about(teachings(prompt));
            let distinct: BTreeSet<_> = all.iter().collect();
            assert_eq!(distinct.len(), all.len(), "{}: {all:?}", prompt.file());
        }
    }
}
