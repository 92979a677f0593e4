//! `agentd templates list`: which file is used for which agent and phase, the identities, and the prompts of the team.

use std::io::Write as _;

use anstyle::{AnsiColor, Style};
use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::project_root;
use crate::catalog::{CATALOG, SystemTemplate, TEAM};
use crate::cli::{Outcome, print_json};
use crate::models::template::SystemTemplateMetadata;
use crate::output::escape_control::escape_control;
use crate::output::table::Table;
use crate::prompt::team::extension_files;
use crate::template::{Agent, Phase};

/// List which template is used for which agent and phase, the identities and the prompts of the team, with the
/// variables they use and the files with which this project extends them.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Print JSON: an array with one object for each agent and phase.
    #[arg(long)]
    json: bool,
}

/// An agent in a phase, and the template that is used.
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
    pub(super) fn run(&self) -> Outcome {
        let rows: Vec<_> = Agent::ALL
            .iter()
            .flat_map(|agent| Phase::ALL.iter().map(|phase| row(*agent, *phase)))
            .collect();
        if self.json { print_json(json!(rows)) } else { print_tables(&rows) }
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

fn print_tables(rows: &[Row]) -> Outcome {
    let dim = Style::new().fg_color(Some(AnsiColor::BrightBlack.into()));
    let mut system = Table::new(["AGENT", "PHASE", "FILE", "VARIABLES"]);
    for row in rows {
        let (style, mark) = if row.fallback { (dim, "  (fallback)") } else { (Style::new(), "") };
        let variables = format!("{}{mark}", row.template.variables.join(" "));
        let cells = [row.agent.word(), row.phase.word(), row.file, &variables];
        system.styled_row(style, cells.map(str::to_owned));
    }
    let mut identities = Table::new(["IDENTITY", "CATEGORY", "VARIABLES"]);
    for identity in CATALOG.identities {
        let variables: Vec<_> = identity.variables.iter().map(|variable| variable.name).collect();
        let category = identity.category.to_string();
        identities.row([identity.name.to_owned(), category, variables.join(" ")]);
    }
    let root = project_root()?;
    let mut team = Table::new(["TEAM", "VALUES"]);
    for template in TEAM.iter() {
        let values: Vec<_> = template.placeholders.iter().map(|value| value.word()).collect();
        team.row([template.file.to_owned(), values.join(" ")]);
        for file in extension_files(&root, template.prompt)? {
            team.styled_row(dim, [String::new(), format!("+ {}", escape_control(&file))]);
        }
    }
    Ok(write!(anstream::stdout(), "{system}\n{identities}\n{team}")?)
}
