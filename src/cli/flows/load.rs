//! Reads the flows of a project: `agentd/flows/NAME.toml`, and the templates `NAME/AGENT-STEP.md` beside them.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use crate::catalog::CATALOG;
use crate::cli::templates::TEMPLATES;
use crate::cli::value_parsers::known;
use crate::cli::{Failure, Kind as FailureKind, Outcome, PathContext as _};
use crate::compile::flow::{FlowCompilation, Origin, compile_flows};
use crate::compile::report::Colors;
use crate::compile::{Folder, Sources};
use crate::config::{FlowFile, Guarded};
use crate::files::own::{self, Kind, Reason, Refused};
use crate::flow::Flow;
use crate::output::escape_control::escape_control;
use crate::template::OwnTemplate;

/// The folder of a project's flows, below its root.
pub(crate) const FOLDER: &str = "agentd/flows";

/// The size limit of a file of a flow.
const LARGEST: u64 = 1 << 20;

/// The maximum number of files in a folder of flows.
const MOST_FILES: usize = 1_000;

/// The size limit of these files together.
const LARGEST_TOGETHER: u64 = 8 << 20;

/// A flow that a change can use.
#[derive(Debug)]
pub(crate) struct FoundFlow {
    /// The flow.
    pub(crate) flow: Arc<Flow>,
    /// The TOML that it was compiled from.
    pub(crate) text: String,
    /// The templates that it brings, linked; none if the flow is compiled in.
    pub(crate) templates: Arc<[OwnTemplate]>,
    /// Whether it is compiled in, so that it needs no trust.
    pub(crate) is_built_in: bool,
    /// The files that the user must trust, as they were when the flow was compiled.
    pub(crate) guarded: Guarded,
}

/// Finds a flow by its name: a compiled-in flow, or one of the project. Trust is not checked here.
pub(crate) fn find_flow(root: &Path, name: &str) -> Outcome<FoundFlow> {
    if let Some(flow) = CATALOG.flow(name)
        && let Some(text) = built_in_text(name)
    {
        return Ok(FoundFlow {
            flow: Arc::new(flow.clone()),
            text: text.to_owned(),
            templates: Arc::default(),
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
            flow: Arc::new(unit.flow),
            templates: unit.templates.into(),
            is_built_in: false,
            guarded,
        }),
        Some(_) | None => {
            anstream::stderr().write_all(compilation.report_in(Colors::On).as_bytes())?;
            let message = format!("the flow `{}` has faults", escape_control(name));
            Err(Failure::new(FailureKind::Template, message)
                .help("docs/flows.md explains each fault; `agentd flows check` checks it again"))
        }
    }
}

/// Returns the TOML of a compiled-in flow.
pub(crate) fn built_in_text(name: &str) -> Option<&'static str> {
    TEMPLATES.get_file(format!("flows/{name}.toml"))?.contents_utf8()
}

fn unknown(name: &str, files: &FlowFiles) -> Failure {
    let built_in = CATALOG.flows.iter().map(|flow| flow.name.as_ref());
    let names: Vec<_> = built_in.chain(files.names()).collect();
    Failure::usage(
        format!("there is no flow `{}`", escape_control(name)),
        known("flows", name, names.iter().copied()),
    )
}

/// The files of a folder of flows, as read.
#[derive(Debug)]
pub(crate) struct FlowFiles {
    /// How the folder is shown.
    shown: String,
    /// The files, sorted, each with its name below the folder.
    files: Vec<(String, Vec<u8>)>,
}

impl FlowFiles {
    /// Reads the flows of a project; without a folder there are none.
    pub(crate) fn of_project(root: &Path) -> Outcome<Self> {
        let root = own::root(root).or_fail("cannot open", root)?;
        Self::read(&root.join(FOLDER), FOLDER)
    }

    /// Reads the flows of a folder without following links.
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
            let message =
                format!("`{}` contains more than {MOST_FILES} files", escape_control(shown));
            return Err(Failure::limit(message));
        }
        let mut files = Vec::new();
        let mut together = 0;
        for name in names {
            let path = folder.join(&name);
            let read = own::read(&path, LARGEST);
            let bytes = read.or_fail("cannot read", &path)?;
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

    /// Keeps only the files of one flow.
    pub(super) fn only(mut self, flow: &str) -> Self {
        self.files.retain(|(file, _)| belongs_to(file, flow));
        self
    }

    /// Adds every flow to what needs the user's trust.
    pub(crate) fn add_to(&self, guarded: &mut Guarded) {
        self.names().for_each(|flow| self.add_one(flow, guarded));
    }

    /// Returns what needs the user's trust in one flow.
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

    /// Compiles the flows. Their templates may include the compiled-in shared fragments.
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

/// Returns whether a file belongs to a flow: its table, or one of its templates.
fn belongs_to(file: &str, flow: &str) -> bool {
    let rest = file.strip_prefix(flow);
    rest.is_some_and(|rest| rest == ".toml" || rest.starts_with('/'))
}

fn is_ours(name: &str) -> bool {
    let ending = Path::new(name).extension().unwrap_or_default();
    ending.eq_ignore_ascii_case("toml") || ending.eq_ignore_ascii_case("md")
}

/// Lists the entries of a folder, without hidden files.
fn entries(folder: &Path) -> Outcome<Vec<(String, Kind)>> {
    let entries = own::entries(folder).or_fail("cannot read", folder)?;
    let named =
        entries.into_iter().filter_map(|(name, kind)| Some((name.into_string().ok()?, kind)));
    Ok(named.filter(|(name, _)| !name.starts_with('.')).collect())
}
