//! `agentd templates list`: which file serves which agent and phase, the identities, and the prompts of the team.

use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};
use clap::Args;
use serde::Serialize;

use super::super::failure::{Failure, Kind, Outcome};
use crate::catalog::{CATALOG, SystemTemplate, TEAM};
use crate::models::template::SystemTemplateMetadata;
use crate::output::visible::visible;
use crate::prompt::team::extension_files;
use crate::template::{Agent, Phase};

/// List which template serves which agent and phase, the identities and the prompts of the team, with the variables they
/// use and the files with which this project extends them.
#[derive(Debug, Args)]
pub(in super::super) struct List {
    /// Print JSON: an array with one object for each agent and phase.
    #[arg(long)]
    json: bool,
}

/// An agent in a phase, and the template that serves it there.
#[derive(Serialize)]
struct Row {
    agent: Agent,
    phase: Phase,
    file: &'static str,
    hash: &'static str,
    /// Whether the agent has no template of its own here.
    fallback: bool,
    template: SystemTemplateMetadata,
}

impl List {
    pub(in super::super) fn run(&self) -> Outcome {
        let rows =
            Agent::ALL.iter().flat_map(|agent| Phase::ALL.iter().map(|phase| row(*agent, *phase)));
        if self.json { json(rows) } else { table(rows) }
    }
}

fn row(agent: Agent, phase: Phase) -> Row {
    let template: &SystemTemplate = CATALOG.system(agent, phase);
    Row {
        agent,
        phase,
        file: template.file,
        hash: template.hash,
        fallback: template.agent != agent,
        template: template.into(),
    }
}

fn json(rows: impl Iterator<Item = Row>) -> Outcome {
    let rows: Vec<_> = rows.collect();
    let text = serde_json::to_string_pretty(&rows)
        .map_err(|error| Failure::new(Kind::Bug, format!("cannot write JSON: {error}")))?;
    writeln!(io::stdout().lock(), "{text}")?;
    Ok(())
}

fn table(rows: impl Iterator<Item = Row>) -> Outcome {
    let head = Style::new().bold();
    let dim = Style::new().fg_color(Some(AnsiColor::BrightBlack.into()));
    let mut out = anstream::stdout().lock();
    writeln!(out, "{head}{:<7} {:<10} {:<21} VARIABLES{head:#}", "AGENT", "PHASE", "FILE")?;
    for row in rows {
        let style = if row.fallback { dim } else { Style::new() };
        let fallback = if row.fallback { "  (fallback)" } else { "" };
        let variables = row.template.variables.join(" ");
        writeln!(
            out,
            "{style}{:<7} {:<10} {:<21} {variables}{fallback}{style:#}",
            row.agent, row.phase, row.file
        )?;
    }
    writeln!(out, "\n{head}{:<20} {:<10} VARIABLES{head:#}", "IDENTITY", "CATEGORY")?;
    for identity in CATALOG.identities {
        let variables: Vec<_> = identity.variables.iter().map(|variable| variable.name).collect();
        let variables = variables.join(" ");
        let row = format!("{:<20} {:<10} {variables}", identity.name, identity.category);
        writeln!(out, "{}", row.trim_end())?;
    }
    let root = super::project_root()?;
    writeln!(out, "\n{head}{:<26} VALUES{head:#}", "TEAM")?;
    for template in TEAM.iter() {
        let values: Vec<_> = template.placeholders.iter().map(|value| value.word()).collect();
        writeln!(out, "{:<26} {}", template.file, values.join(" "))?;
        for file in extension_files(&root, template.prompt)? {
            writeln!(out, "{dim}{:<26} + {}{dim:#}", "", visible(&file))?;
        }
    }
    Ok(())
}
