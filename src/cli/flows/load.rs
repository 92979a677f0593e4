//! Reads the flows of a project: `agentd/flows/NAME.toml`, and the templates `NAME/AGENT-STEP.md` beside them.

use std::io::Write as _;
use std::path::Path;

use super::super::failure::{AFTER_LIMIT, Failure, Kind as FailureKind, Outcome};
use super::super::templates::TEMPLATES;
use crate::catalog::CATALOG;
use crate::compile::flow::{FlowCompilation, Origin, compile_flows};
use crate::compile::report::Colors;
use crate::compile::{Folder, Sources};
use crate::config::{FlowFile, Guarded};
use crate::files::own::{self, Kind, Reason, Refused};
use crate::flow::Flow;
use crate::output::visible::visible;
use crate::template::OwnTemplate;
use crate::template::nearest::nearest;

/// The folder of a project's flows, below its root.
pub(in super::super) const FOLDER: &str = "agentd/flows";

/// No file of a flow is larger.
const LARGEST: u64 = 1 << 20;

/// There are no more files of flows.
const MOST_FILES: usize = 1_000;

/// They are no larger together.
const LARGEST_TOGETHER: u64 = 8 << 20;

/// A flow that a change can follow.
#[derive(Debug)]
pub(in super::super) struct FoundFlow {
    /// The flow.
    pub(in super::super) flow: Flow,
    /// The TOML that it was compiled from.
    pub(in super::super) text: String,
    /// The templates that it brings along, linked; none if it is compiled in.
    pub(in super::super) templates: Vec<OwnTemplate>,
    /// Whether it is compiled in, so that it needs no trust.
    pub(in super::super) is_built_in: bool,
    /// What the user trusts of it: its files, as they were when it was compiled.
    pub(in super::super) guarded: Guarded,
}

/// Finds a flow by its name: one that is compiled in, or one of the project. Nothing is said about trust.
pub(in super::super) fn find_flow(root: &Path, name: &str) -> Outcome<FoundFlow> {
    if let Some(flow) = CATALOG.flow(name)
        && let Some(text) = built_in_text(name)
    {
        return Ok(FoundFlow {
            flow: flow.clone(),
            text: text.to_owned(),
            templates: Vec::new(),
            is_built_in: true,
            guarded: Guarded::default(),
        });
    }
    let files = FlowFiles::of_project(root)?;
    if !files.names().any(|own| own == name) {
        return Err(unknown(name, &files));
    }
    let guarded = files.guarded(name);
    let mut compilation = files.only(name).compile();
    match compilation.flows.pop() {
        Some(unit) if compilation.is_ok() => Ok(FoundFlow {
            text: compilation.sources.get(unit.file).text.clone(),
            flow: unit.flow,
            templates: unit.templates,
            is_built_in: false,
            guarded,
        }),
        Some(_) | None => {
            anstream::stderr().write_all(compilation.report_in(Colors::On).as_bytes())?;
            let message = format!("the flow `{}` is not right", visible(name));
            Err(Failure::new(FailureKind::Template, message)
                .help("docs/flows.md explains each fault; `agentd flows check` checks it again"))
        }
    }
}

/// Returns the TOML of a flow that is compiled in.
pub(in super::super) fn built_in_text(name: &str) -> Option<&'static str> {
    TEMPLATES.get_file(format!("flows/{name}.toml"))?.contents_utf8()
}

fn unknown(name: &str, files: &FlowFiles) -> Failure {
    let built_in = CATALOG.flows.iter().map(|flow| flow.name.as_ref());
    let names: Vec<_> = built_in.chain(files.names()).collect();
    let help = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the flows are {}", names.join(", ")),
    };
    Failure::new(FailureKind::Usage, format!("there is no flow `{}`", visible(name))).help(help)
}

/// The files of a folder of flows, as they were read.
#[derive(Debug)]
pub(in super::super) struct FlowFiles {
    /// How the folder is shown.
    shown: String,
    /// Each with its name below the folder, sorted.
    files: Vec<(String, Vec<u8>)>,
}

impl FlowFiles {
    /// Reads the flows of a project; without a folder there are none.
    pub(in super::super) fn of_project(root: &Path) -> Outcome<Self> {
        let root = own::root(root).map_err(|error| Failure::io("cannot open", root, &error))?;
        Self::read(&root.join(FOLDER), FOLDER)
    }

    /// Reads the flows of a folder to which no link leads.
    pub(super) fn read(folder: &Path, shown: &str) -> Outcome<Self> {
        let mut names = Vec::new();
        for (name, kind) in entries(folder)? {
            match kind {
                Kind::File | Kind::Other => names.push(name),
                Kind::Folder => {
                    let below = entries(&folder.join(&name))?.into_iter();
                    let below = below.filter(|(_, kind)| *kind != Kind::Folder);
                    names.extend(below.map(|(file, _)| format!("{name}/{file}")));
                }
            }
        }
        names.retain(|name| is_ours(name));
        if names.len() > MOST_FILES {
            let message = format!("`{}` holds more than {MOST_FILES} files", visible(shown));
            return Err(Failure::new(FailureKind::Limit, message).help(AFTER_LIMIT));
        }
        let mut files = Vec::new();
        let mut together = 0;
        for name in names {
            let path = folder.join(&name);
            let read = own::read(&path, LARGEST);
            let bytes = read.map_err(|error| Failure::io("cannot read", &path, &error))?;
            let bytes = bytes.unwrap_or_default();
            together += bytes.len() as u64;
            if together > LARGEST_TOGETHER {
                let reason = Reason::TooLargeTogether { bytes: together, limit: LARGEST_TOGETHER };
                return Err(Failure::io("cannot use", folder, &Refused::because(reason)));
            }
            files.push((name, bytes));
        }
        files.sort();
        Ok(Self { shown: shown.to_owned(), files })
    }

    /// Lists the names of the flows.
    fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.files.iter().filter_map(|(file, _)| file.strip_suffix(".toml"));
        names.filter(|name| !name.contains('/'))
    }

    /// Keeps the files of one flow.
    pub(super) fn only(mut self, flow: &str) -> Self {
        self.files.retain(|(file, _)| belongs_to(file, flow));
        self
    }

    /// Adds every flow to what needs the user's trust.
    pub(in super::super) fn add_to(&self, guarded: &mut Guarded) {
        self.names().for_each(|flow| self.add_one(flow, guarded));
    }

    /// Returns what needs the user's trust of one flow.
    pub(super) fn guarded(&self, flow: &str) -> Guarded {
        let mut guarded = Guarded::default();
        self.add_one(flow, &mut guarded);
        guarded
    }

    fn add_one(&self, flow: &str, guarded: &mut Guarded) {
        let files = self.files.iter().filter(|(file, _)| belongs_to(file, flow));
        let paths: Vec<_> =
            files.map(|(file, bytes)| (format!("{}/{file}", self.shown), bytes)).collect();
        let files = paths.iter().map(|(path, bytes)| FlowFile { path, bytes });
        guarded.add_flow(flow, &files.collect::<Vec<_>>());
    }

    /// Compiles the flows. Their templates may include the shared fragments that are compiled in.
    pub(super) fn compile(&self) -> FlowCompilation {
        let mut sources = Sources::new(self.shown.as_str());
        for (name, bytes) in &self.files {
            let path = format!("{}/{name}", self.shown);
            sources.add_as(Folder::Flows, name, path, bytes.clone());
        }
        for file in TEMPLATES.get_dir("shared").into_iter().flat_map(include_dir::Dir::files) {
            let name = file.path().file_name().unwrap_or_default().to_string_lossy();
            let path = format!("(compiled in)/shared/{name}");
            sources.add_as(Folder::Shared, &name, path, file.contents().to_vec());
        }
        let taken: Vec<_> = CATALOG.flows.iter().map(|flow| flow.name.as_ref()).collect();
        compile_flows(sources, Origin::Project(&taken))
    }
}

/// Returns whether a file is that of a flow, or one of its templates.
fn belongs_to(file: &str, flow: &str) -> bool {
    let rest = file.strip_prefix(flow);
    rest.is_some_and(|rest| rest == ".toml" || rest.starts_with('/'))
}

fn is_ours(name: &str) -> bool {
    let ending = Path::new(name).extension().unwrap_or_default();
    ending.eq_ignore_ascii_case("toml") || ending.eq_ignore_ascii_case("md")
}

/// Lists what is in a folder, hidden files apart.
fn entries(folder: &Path) -> Outcome<Vec<(String, Kind)>> {
    let entries =
        own::entries(folder).map_err(|error| Failure::io("cannot read", folder, &error))?;
    let named =
        entries.into_iter().filter_map(|(name, kind)| Some((name.into_string().ok()?, kind)));
    Ok(named.filter(|(name, _)| !name.starts_with('.')).collect())
}
