//! A compiled folder of templates: everything from sources to generated code.

use super::code::Severity;
use super::diagnostic::Diagnostic;
use super::flow::{self, FlowCode, FlowUnit, Origin};
use super::identity::IdentityUnit;
use super::link::{Linked, Linker};
use super::source::{FileId, Sources};
use super::{check, codegen};
use crate::template::{Agent, Dialect, Phase, TeamPrompt};

/// A compiled folder of templates: what is wrong with it and, if nothing is, what it means.
#[derive(Debug)]
pub struct Compilation {
    /// The files, as they were read.
    pub sources: Sources,
    /// Everything found, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The system templates with their fragments linked in, sorted by file.
    pub system: Vec<SystemUnit>,
    /// The identities, sorted by file.
    pub identities: Vec<IdentityUnit>,
    /// The prompts of the team with their fragments linked in, sorted by file.
    pub team: Vec<TeamUnit>,
    /// The flows, sorted by file.
    pub flows: Vec<FlowUnit>,
    /// What is wrong with the flows, sorted by place.
    pub flow_faults: Vec<Diagnostic<FlowCode>>,
}

/// One system template, linked.
#[derive(Debug)]
pub struct SystemUnit {
    /// Its file.
    pub file: FileId,
    /// The agent it is for.
    pub agent: Agent,
    /// The phase it is for.
    pub phase: Phase,
    /// Its text with every fragment in place.
    pub linked: Linked,
}

/// One prompt of the team, linked.
#[derive(Debug)]
pub struct TeamUnit {
    /// Its file.
    pub file: FileId,
    /// Which prompt it is.
    pub prompt: TeamPrompt,
    /// Its text with every fragment in place.
    pub linked: Linked,
}

/// Compiles sources that were loaded (or made by hand).
///
/// ```
/// use agentd::compile::{Code, Sources, compile};
///
/// let mut sources = Sources::new("templates");
/// sources.add("system/BASE-plan.md", b"## Identity & Role\n{{TASK".to_vec());
/// let compilation = compile(sources);
/// assert!(compilation.diagnostics.iter().any(|d| d.code == Code::UnclosedMarker));
/// assert!(!compilation.is_ok());
/// ```
pub fn compile(mut sources: Sources) -> Compilation {
    let mut diagnostics = Vec::new();
    let check::Units { system, identities, team } = check::check(&mut sources, &mut diagnostics);
    let (flows, flow_faults, of_templates) = flow::check(&sources, Origin::BuiltIn);
    diagnostics.extend(of_templates);
    let flow_faults = flow::sorted(flow_faults, &sources);
    let compilation = Compilation::new(sources, diagnostics);
    Compilation { system, identities, team, flows, flow_faults, ..compilation }
}

/// Links one file of the sources and reports its faults, without holding it to any contract.
pub fn link_one(sources: Sources, file: FileId, dialect: &Dialect<'_>) -> (Linked, Compilation) {
    let mut diagnostics = Vec::new();
    let mut linked = Linked::default();
    if check::is_readable(&sources, file, &mut diagnostics) {
        check::faults(&sources, file, dialect, &mut diagnostics);
        linked = Linker::new(&sources).link(file, dialect, &mut diagnostics);
    }
    (linked, Compilation::new(sources, diagnostics))
}

/// Checks one identity that is not part of a folder, by the same rules.
pub fn check_identity(sources: Sources, file: FileId) -> (Option<IdentityUnit>, Compilation) {
    let mut diagnostics = Vec::new();
    let mut unit = None;
    if check::is_readable(&sources, file, &mut diagnostics) {
        check::faults(&sources, file, &Dialect::IDENTITY, &mut diagnostics);
        unit = check::identity(&sources, file, &mut diagnostics);
    }
    (unit, Compilation::new(sources, diagnostics))
}

impl Compilation {
    /// Brings the diagnostics in order; what was found on several ways is said once.
    fn new(sources: Sources, diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            diagnostics: flow::sorted(diagnostics, &sources),
            sources,
            system: Vec::new(),
            identities: Vec::new(),
            team: Vec::new(),
            flows: Vec::new(),
            flow_faults: Vec::new(),
        }
    }

    /// Returns whether there is no error; warnings do not count.
    pub fn is_ok(&self) -> bool {
        let is_fine = |diagnostic: &Diagnostic| diagnostic.code.severity() != Severity::Error;
        self.flow_faults.is_empty() && self.diagnostics.iter().all(is_fine)
    }

    /// Writes the Rust of the catalog; `library` is the path of this crate as seen from there.
    pub fn generate(&self, library: &str) -> String {
        codegen::generate(self, library)
    }
}
