//! Compiles flows: read -> resolve -> check -> explore. All faults are collected; a flow without any is a [`Flow`].
//!
//! `key` is the table of keys, `flow::Step` that of columns; `resolve`, `steps`, `column`, `prompt` and `documents` make a draft of
//! what stands under them. `check` looks at each step, `left` at the files that it leaves, `model` and `loops` at the whole, `own` at the templates that a flow brings along.

mod check;
mod code;
mod column;
mod documents;
mod draft;
mod key;
mod left;
mod loops;
mod model;
mod own;
mod path;
mod prompt;
mod resolve;
mod steps;

use std::collections::HashSet;
use std::fmt;

pub use code::FlowCode;
pub use key::KEYS;

use super::code::{DiagnosticCode, Severity};
use super::diagnostic::Diagnostic;
use super::fields::{FieldReader, Terms};
use super::report::{self, Colors};
use super::source::{FileId, Folder, Sources, hash_of};
use crate::flow::Flow;
use crate::template::OwnTemplate;
use crate::template::lexer::is_name;
use crate::text::toml;

/// A flow and the file that says it.
#[derive(Clone, Debug)]
pub struct FlowUnit {
    /// Its file.
    pub file: FileId,
    /// What it says.
    pub flow: Flow,
    /// The templates that it brings along, linked: those of each agent, and of BASE.
    pub templates: Vec<OwnTemplate>,
}

/// Where flows come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<'n> {
    /// They are compiled in, and use templates that are compiled in.
    BuiltIn,
    /// A project brings them, with templates of their own; these names are taken.
    Project(&'n [&'n str]),
    /// A text is all that is there: its name may be any, and its templates are kept elsewhere.
    TextAlone,
}

/// The flows of a folder: what is wrong with them and, if nothing is, what they say.
#[derive(Debug)]
pub struct FlowCompilation {
    /// The files, as they were read.
    pub sources: Sources,
    /// The flows without faults, sorted by file.
    pub flows: Vec<FlowUnit>,
    /// What is wrong with the flows, sorted by place.
    pub faults: Vec<Diagnostic<FlowCode>>,
    /// What is wrong with their templates, sorted by place.
    pub template_faults: Vec<Diagnostic>,
}

/// Compiles the flows of a project: `NAME.toml`, with templates `NAME/AGENT-STEP.md`.
///
/// ```
/// use agentd::compile::Sources;
/// use agentd::compile::flow::{FlowCode, Origin, compile_flows};
///
/// let mut sources = Sources::new("agentd");
/// sources.add("flows/small.toml", b"version = 2\n".to_vec());
/// let compilation = compile_flows(sources, Origin::Project(&["sdd"]));
/// assert_eq!(compilation.faults[0].code, FlowCode::MissingKey);
/// assert!(compilation.report().contains("write `version = 1`"));
/// ```
pub fn compile_flows(sources: Sources, origin: Origin<'_>) -> FlowCompilation {
    let (flows, faults, template_faults) = check(&sources, origin);
    FlowCompilation {
        flows,
        faults: sorted(faults, &sources),
        template_faults: sorted(template_faults, &sources),
        sources,
    }
}

/// Why a text is no flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidFlow {
    /// The name of the flow.
    pub name: String,
    /// What is wrong with it, as the compiler reports it.
    pub report: String,
}

impl fmt::Display for InvalidFlow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the flow `{}` has faults:\n{}", self.name.escape_debug(), self.report)
    }
}

impl std::error::Error for InvalidFlow {}

/// Compiles one flow from its text alone, by the same rules. The templates of its own steps are not looked at, and the name may be
/// that of a flow that is compiled in.
///
/// ```
/// use agentd::compile::flow::compile_text;
///
/// let error = compile_text("small", "version = 2\n").unwrap_err();
/// assert!(error.report.contains("small.toml:1:11"));
/// ```
pub fn compile_text(name: &str, text: &str) -> Result<Flow, InvalidFlow> {
    let file = format!("{name}.toml");
    let mut sources = Sources::new("");
    sources.add_as(Folder::Flows, &file, file.clone(), text.as_bytes().to_vec());
    let mut compilation = compile_flows(sources, Origin::TextAlone);
    match compilation.flows.pop() {
        Some(unit) if compilation.is_ok() => Ok(unit.flow),
        Some(_) | None => Err(InvalidFlow { name: name.to_owned(), report: compilation.report() }),
    }
}

impl FlowCompilation {
    /// Returns whether there is no error.
    pub fn is_ok(&self) -> bool {
        let is_warning = |diagnostic: &Diagnostic| diagnostic.code.severity() == Severity::Warning;
        self.faults.is_empty() && self.template_faults.iter().all(is_warning)
    }

    /// Shows every fault with its line, carets and help.
    pub fn report(&self) -> String {
        self.report_in(Colors::Off)
    }

    /// Shows the same, in colours or not.
    pub fn report_in(&self, colors: Colors) -> String {
        report::listing(&self.template_faults, &self.faults, &self.sources, colors)
    }
}

/// How slips in a flow's file are called.
const TERMS: Terms<FlowCode> = Terms {
    map: "a table",
    syntax: FlowCode::Syntax,
    unknown: FlowCode::UnknownKey,
    missing: FlowCode::MissingKey,
    wrong: FlowCode::WrongValue,
};

type Checked = (Vec<FlowUnit>, Vec<Diagnostic<FlowCode>>, Vec<Diagnostic>);

/// Compiles every flow among the sources.
pub(super) fn check(sources: &Sources, origin: Origin<'_>) -> Checked {
    let (mut units, mut faults, mut template_faults) = (Vec::new(), Vec::new(), Vec::new());
    let is_flow = |name: &str| name.to_ascii_lowercase().ends_with(".toml");
    let files =
        sources.iter().filter(|(_, file)| file.folder == Folder::Flows && is_flow(&file.name));
    let files: Vec<FileId> = files.map(|(file, _)| file).collect();
    for file in files {
        let unit = one(sources, file, origin, (&mut faults, &mut template_faults));
        units.extend(unit);
    }
    own::strays(sources, &units, &mut faults);
    (units, faults, template_faults)
}

/// Compiles one flow.
fn one(
    sources: &Sources,
    file: FileId,
    origin: Origin<'_>,
    (faults, template_faults): (&mut Vec<Diagnostic<FlowCode>>, &mut Vec<Diagnostic>),
) -> Option<FlowUnit> {
    let before = (faults.len(), template_faults.len());
    let text = sources.get(file).text.clone();
    let first_line = sources.first_line(file).span;
    let name = flow_name(sources, file, origin, faults);
    let mut reader = FieldReader { offset: 0, file, found: faults, terms: TERMS };
    let keys = match toml::parse(&text) {
        Ok(keys) => keys,
        Err(slips) => {
            for slip in slips {
                reader.syntax(slip);
            }
            return None;
        }
    };
    let draft = resolve::flow(&mut reader, &keys, (&name, hash_of(&text)), first_line)?;
    check::check(&draft, faults);
    let templates = own::check(sources, &draft, origin, (faults, template_faults));
    if faults.len() == before.0 {
        model::check(&draft, faults);
    }
    ((faults.len(), template_faults.len()) == before).then_some(FlowUnit {
        file,
        flow: draft.flow,
        templates,
    })
}

/// Returns the flow's name, and reports one that no flow can have.
fn flow_name(
    sources: &Sources,
    file: FileId,
    origin: Origin<'_>,
    found: &mut Vec<Diagnostic<FlowCode>>,
) -> String {
    let place = sources.first_line(file);
    let file_name = &sources.get(file).name;
    let name = file_name.strip_suffix(".toml").unwrap_or(file_name).to_owned();
    let is_taken = match origin {
        Origin::BuiltIn | Origin::TextAlone => false,
        Origin::Project(taken) => taken.contains(&name.as_str()),
    };
    let is_plain = is_name(&name) && !name.bytes().any(|byte| byte.is_ascii_uppercase());
    if is_taken {
        let message = format!("there is a flow `{name}` already, which is compiled in");
        found.push(
            Diagnostic::new(FlowCode::FlowName, place, message).help("give the file another name"),
        );
    } else if !is_plain {
        let message = format!("`{}` is no name for a flow", name.escape_debug());
        let help = "name the file in small letters, digits, `-` and `_`, ending in `.toml`, with no folder between";
        found.push(Diagnostic::new(FlowCode::FlowName, place, message).help(help));
    }
    name
}

/// Brings faults in order; what was found on several ways is said once.
pub(super) fn sorted<C: DiagnosticCode + std::hash::Hash>(
    mut faults: Vec<Diagnostic<C>>,
    sources: &Sources,
) -> Vec<Diagnostic<C>> {
    let mut said = HashSet::new();
    faults.retain(|fault| said.insert((fault.code, fault.place, fault.message.clone())));
    faults.sort_by(|a, b| a.sort_key(sources).cmp(&b.sort_key(sources)));
    faults
}
