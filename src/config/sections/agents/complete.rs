//! Completes the agents: those that are always there, and what follows from an agent's CLI.

use std::path::Path;

use super::super::super::layers::Inputs;
use super::super::super::value::Table;
use super::keys::CLIS;

/// Adds the built-in agents, and what follows from an agent's CLI.
pub(in super::super::super) fn complete(settings: &mut Table, inputs: &Inputs<'_>) {
    let agents = settings.table_mut("agents");
    for name in CLIS {
        agents.table_mut(name).set_default("cli", *name);
    }
    for table in agents.tables.values_mut() {
        let cli = table.text("cli").map(str::to_owned);
        if let Some(cli) = &cli {
            table.set_default("command", command(cli, inputs.executable));
        } else {
            table.set_default("output", "text");
        }
        table.set_default("family", family(cli.as_deref()));
        start_at(inputs.root, table);
    }
}

fn command(cli: &str, executable: &Path) -> Vec<String> {
    match cli {
        "offline" => vec![executable.to_string_lossy().into_owned(), "offline-agent".to_owned()],
        program => vec![program.to_owned()],
    }
}

fn family(cli: Option<&str>) -> &str {
    match cli {
        Some(own @ ("claude" | "gemini" | "codex")) => own,
        Some(_) | None => "base",
    }
}

/// Lets a command that is a relative path start at the project's root.
fn start_at(root: &Path, table: &mut Table) {
    if let Some(setting) = table.values.get_mut("command")
        && let Some(program) = setting.value.get_mut(0)
        && let Some(path) = program.as_str().filter(|path| path.contains('/'))
    {
        *program = root.join(path).to_string_lossy().into();
    }
}
