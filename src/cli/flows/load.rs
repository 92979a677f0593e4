//! Reads the flows of a project: `agentd/flows/NAME.toml`, and the templates `NAME/AGENT-STEP.md` beside them.

use std::path::Path;

use super::super::failure::{Failure, Outcome};
use super::super::templates::project_root;
use crate::catalog::CATALOG;
use crate::compile::flow::{FlowCompilation, Origin, compile_flows};
use crate::compile::{Folder, Sources};
use crate::files::own::{self, Kind};

/// The folder of a project's flows, below its root.
pub(super) const FOLDER: &str = "agentd/flows";

/// No file of a flow is larger.
const LARGEST: u64 = 1 << 20;

/// Compiles the flows of this project.
pub(super) fn of_project() -> Outcome<FlowCompilation> {
    let root = project_root()?;
    let root = root.canonicalize().map_err(|error| Failure::io("cannot open", &root, &error))?;
    compiled(&root.join(FOLDER), FOLDER)
}

/// Compiles the flows of a folder, which is shown as `shown`.
pub(super) fn compiled(folder: &Path, shown: &str) -> Outcome<FlowCompilation> {
    let mut files = Vec::new();
    for (name, kind) in entries(folder)? {
        match kind {
            Kind::File | Kind::Other => files.push(name),
            Kind::Folder => {
                let below = entries(&folder.join(&name))?.into_iter();
                let below = below.filter(|(_, kind)| *kind != Kind::Folder);
                files.extend(below.map(|(file, _)| format!("{name}/{file}")));
            }
        }
    }
    let mut sources = Sources::new(shown);
    let is_ours = |name: &String| {
        let ending = Path::new(name).extension().unwrap_or_default();
        ending.eq_ignore_ascii_case("toml") || ending.eq_ignore_ascii_case("md")
    };
    for name in files.into_iter().filter(is_ours) {
        let path = folder.join(&name);
        let read = own::read(&path, LARGEST);
        let bytes = read.map_err(|error| Failure::io("cannot read", &path, &error))?;
        sources.add_as(Folder::Flows, &name, format!("{shown}/{name}"), bytes.unwrap_or_default());
    }
    let taken: Vec<_> = CATALOG.flows.iter().map(|flow| flow.name.as_ref()).collect();
    Ok(compile_flows(sources, Origin::Project(&taken)))
}

/// Lists what is in a folder, hidden files apart.
fn entries(folder: &Path) -> Outcome<Vec<(String, Kind)>> {
    let entries =
        own::entries(folder).map_err(|error| Failure::io("cannot read", folder, &error))?;
    let named =
        entries.into_iter().filter_map(|(name, kind)| Some((name.into_string().ok()?, kind)));
    Ok(named.filter(|(name, _)| !name.starts_with('.')).collect())
}
