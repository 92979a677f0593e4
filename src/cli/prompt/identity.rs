//! The prompt of an identity: text in layers, with its tools as JSON.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::catalog::CATALOG;
use crate::cli::input::{self, Assignment};
use crate::cli::value_parsers::known;
use crate::cli::{Failure, Kind, Outcome, print_raw};
use crate::models::tool::Tool;
use crate::prompt::{PromptBuilder, block};

/// The options of an identity's prompt.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of an identity")]
pub(super) struct IdentityOptions {
    /// Add a block of context; its name is not printed.
    #[arg(long = "context", value_name = "NAME=TEXT|NAME=@FILE", requires = "identity")]
    contexts: Vec<Assignment>,
    /// The task's depth in the tree of tasks, which decides about its rules.
    #[arg(long, value_name = "D", requires = "identity")]
    depth: Option<u64>,
    /// The depth from which tasks are no longer split [default: 2].
    #[arg(long, value_name = "M", requires = "depth")]
    max_depth: Option<u64>,
    /// A JSON file with a list of tools: name, description and `input_schema`.
    #[arg(long, value_name = "FILE", requires = "identity")]
    tools: Option<PathBuf>,
    /// Print one flat prompt, for an agent that takes no system prompt.
    #[arg(long, requires = "identity", conflicts_with = "tools")]
    task: bool,
}

impl IdentityOptions {
    pub(super) fn run(
        &self,
        identity: &str,
        instructions: Option<&str>,
        variables: &[Assignment],
        mut builder: PromptBuilder,
    ) -> Outcome {
        if builder.get_template(identity)?.is_none() {
            return Err(unknown_identity(identity));
        }
        builder.set_identity(identity, &input::values(variables)?)?;
        builder.load_project_context();
        for (name, content) in input::pairs(&self.contexts)? {
            builder.add_context(&name, &content);
        }
        if let Some(depth) = self.depth {
            let data = json!({ "depth": depth, "max_depth": self.max_depth });
            builder.add_context_section(block::TASK_DEPTH, &data)?;
        }
        if let Some(instructions) = instructions {
            builder.add_context(block::TASK, &input::instructions(instructions)?);
        }
        if let Some(path) = &self.tools {
            builder.set_core_tools(tools(path)?)?;
        }
        let (system_prompt, tools) = builder.build();
        let text = if self.tools.is_some() {
            format!("{:#}", json!({ "system_prompt": system_prompt, "tools": tools }))
        } else if self.task {
            builder.build_task_prompt()
        } else {
            system_prompt
        };
        print_raw(format!("{text}\n").as_bytes())
    }
}

fn unknown_identity(name: &str) -> Failure {
    let names = CATALOG.identities.iter().map(|identity| identity.name);
    Failure::new(Kind::Template, format!("there is no identity `{name}`")).help(known(
        "identities",
        name,
        names,
    ))
}

fn tools(path: &Path) -> Outcome<Vec<Tool>> {
    let text = input::text_file(path)?;
    serde_json::from_str(&text).map_err(|error| {
        let message = format!("`{}` is not a list of tools: {error}", path.display());
        Failure::precondition(
            message,
            "write [{\"name\": …, \"description\": …, \"input_schema\": {\"type\": \"object\"}}]",
        )
    })
}
