//! The compiled templates: what `build.rs` generated, and the types it is made of.

mod team;

use crate::flow::{Flow, Prompt, Step};
use crate::template::values::MOST_VARIABLES;
use crate::template::{
    Agent, Node, OnMissing, Phase, RenderError, Scope, Slot, Tags, Value, Values, Variable, Verdict,
};

#[doc(hidden)]
pub use phf;
#[doc(hidden)]
pub use team::{Team, TeamTemplate};

include!(concat!(env!("OUT_DIR"), "/catalog.rs"));

/// A set of compiled templates.
#[derive(Debug)]
pub struct Catalog {
    /// A hash of the whole set.
    pub hash: &'static str,
    /// The tags that nothing filled in can make: the protocol's, and every frame of every template of the set.
    pub tags: &'static Tags<'static>,
    /// Every template, by file name.
    pub templates: &'static [&'static SystemTemplate],
    /// The template that serves each agent in each phase.
    #[doc(hidden)]
    pub by_type: [[&'static SystemTemplate; Phase::ALL.len()]; Agent::ALL.len()],
    /// The same by names, for names that come from outside.
    #[doc(hidden)]
    pub by_name: &'static phf::Map<(&'static str, &'static str), &'static SystemTemplate>,
    /// Every identity, by file name.
    pub identities: &'static [&'static IdentityTemplate],
    /// The identities by their names and aliases.
    #[doc(hidden)]
    pub identity_by_name: &'static phf::Map<&'static str, &'static IdentityTemplate>,
    /// Every flow, by file name.
    pub flows: &'static [&'static Flow],
}

impl Catalog {
    /// Returns the template that serves an agent in a phase. This cannot fail: the build did not pass
    /// without it.
    ///
    /// ```
    /// use agentd::{Agent, Phase, catalog::CATALOG};
    ///
    /// assert_eq!(CATALOG.system(Agent::Claude, Phase::Implement).file, "CLAUDE-implement.md");
    /// assert_eq!(CATALOG.system(Agent::Gemini, Phase::Archive).file, "BASE-archive.md");
    /// ```
    pub fn system(&self, agent: Agent, phase: Phase) -> &'static SystemTemplate {
        self.by_type[agent as usize][phase as usize]
    }

    /// Finds an identity by its name or one of its aliases.
    ///
    /// ```
    /// use agentd::catalog::CATALOG;
    ///
    /// let identity = CATALOG.identity("chat_agent_system").unwrap();
    /// assert_eq!(identity.name, "supervisor");
    /// ```
    pub fn identity(&self, name: &str) -> Option<&'static IdentityTemplate> {
        self.identity_by_name.get(name).copied()
    }

    /// Finds a flow by its name.
    ///
    /// ```
    /// use agentd::catalog::CATALOG;
    ///
    /// let flow = CATALOG.flow("sdd").unwrap();
    /// assert_eq!(flow.step(flow.start).name, "plan");
    /// ```
    pub fn flow(&self, name: &str) -> Option<&'static Flow> {
        self.flows.iter().copied().find(|flow| flow.name == name)
    }

    /// Returns the step of the spec-driven flow that asks for a phase: what a phase reads, leaves and may answer is said there.
    ///
    /// ```
    /// use agentd::{Phase, catalog::CATALOG};
    ///
    /// assert_eq!(CATALOG.step(Phase::Plan).leaves[0].path, "proposal.md");
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a phase has no step, which a test excludes for every phase.
    pub fn step(&self, phase: Phase) -> &'static Step {
        let steps = self.flow("sdd").into_iter().flat_map(|flow| flow.steps.iter());
        let mut of_phase = steps.filter(|step| step.prompt == Some(Prompt::System(phase)));
        #[expect(clippy::expect_used, reason = "a test ensures that every phase has its step")]
        of_phase.next().expect("every phase is a step of the flow `sdd`")
    }

    /// Finds the template that serves an agent in a phase by their exact names.
    pub fn find(&self, agent: &str, phase: &str) -> Option<&'static SystemTemplate> {
        self.by_name.get(&(agent, phase)).copied()
    }
}

impl Phase {
    /// Lists the verdicts that an agent may give in this phase; none means that it is not asked for one.
    ///
    /// ```
    /// use agentd::{Phase, Verdict};
    ///
    /// assert_eq!(Phase::Plan.verdicts(), [Verdict::Pass, Verdict::NeedsRevision]);
    /// ```
    pub fn verdicts(self) -> Vec<Verdict> {
        CATALOG.step(self).verdicts()
    }
}

/// A compiled system template.
#[derive(Debug)]
pub struct SystemTemplate {
    /// The agent it was written for.
    pub agent: Agent,
    /// The phase it was written for.
    pub phase: Phase,
    /// Its file name.
    pub file: &'static str,
    /// A hash of its text.
    pub hash: &'static str,
    /// The variables it uses, in the order of their first use.
    pub variables: &'static [Variable],
    /// Its source with every shared fragment in place.
    pub text: &'static str,
    /// Its nodes, for whoever walks them.
    pub nodes: &'static [Node<'static>],
    /// Its render function.
    #[doc(hidden)]
    pub write: fn(&[Slot<'_>; Variable::ALL.len()], &mut String),
}

impl SystemTemplate {
    /// Renders the prompt; what has no value shows as a note to the agent.
    ///
    /// ```
    /// use agentd::{Agent, Phase, Values, Variable, catalog::CATALOG};
    ///
    /// let template = CATALOG.system(Agent::Claude, Phase::Implement);
    /// let prompt = template.render(&Values::new().with(Variable::Tasks, "1.1 Add {{login}} </open_tasks>"));
    /// assert!(prompt.contains("1.1 Add {{login}} &lt;/open_tasks>"));
    /// assert!(prompt.contains("Context not provided: PROJECT_CONTEXT"));
    /// ```
    pub fn render(&self, values: &Values<'_>) -> String {
        let mut out = String::new();
        self.render_into(values, &mut out);
        out
    }

    /// Renders the prompt at the end of `out`, which is grown once at most.
    pub fn render_into(&self, values: &Values<'_>, out: &mut String) {
        (self.write)(values.resolved(), out);
    }

    /// Lists the variables that the template uses and `values` does not have.
    pub fn missing<'v>(&self, values: &'v Values<'_>) -> impl Iterator<Item = Variable> + 'v
    where
        Self: 'v,
    {
        self.variables.iter().copied().filter(|variable| values.get(*variable).is_none())
    }
}

/// A compiled identity.
#[derive(Debug)]
pub struct IdentityTemplate {
    /// Its name.
    pub name: &'static str,
    /// Other names it answers to.
    pub aliases: &'static [&'static str],
    /// What kind of text it is: `identity` or `rules`.
    pub category: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// A hash of its text.
    pub hash: &'static str,
    /// The variables it takes, in the order in which it declares them.
    pub variables: &'static [IdentityVariable],
    /// Its source, without the frontmatter.
    pub body: &'static str,
    /// Its nodes, for whoever walks them.
    pub nodes: &'static [Node<'static>],
    /// Its render function, which takes a value for each variable.
    #[doc(hidden)]
    pub write: fn(&[Slot<'_>; MOST_VARIABLES], &mut String),
}

/// A variable of an identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdentityVariable {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub description: &'static str,
    /// Whether it must be given.
    pub required: bool,
    /// What stands for it when it is not given.
    pub default: Option<&'static str>,
}

impl IdentityTemplate {
    /// Renders the identity. A variable that is not given is its default; one that has none is empty, unless it
    /// is required and `on_missing` refuses.
    ///
    /// ```
    /// use agentd::{catalog::CATALOG, template::OnMissing};
    ///
    /// let rules = CATALOG.identity("controlled-splitting").unwrap();
    /// let values = [("current_depth", "1"), ("max_depth", "3")];
    /// assert!(rules.render(&values, OnMissing::Refuse).unwrap().contains('3'));
    /// let error = rules.render(&[("max_depth", "3")], OnMissing::Refuse).unwrap_err();
    /// assert!(error.to_string().contains("`current_depth`"));
    /// ```
    pub fn render(
        &'static self,
        scope: &dyn Scope,
        on_missing: OnMissing,
    ) -> Result<String, RenderError> {
        Ok(self.bind(scope, on_missing)?.render())
    }

    /// Finds the values of all variables, by the rules of [`Self::render`], so that the identity can be rendered
    /// with them as often as need be.
    pub fn bind<'v>(
        &'static self,
        scope: &'v dyn Scope,
        on_missing: OnMissing,
    ) -> Result<BoundIdentity<'v>, RenderError> {
        let mut slots = [Slot::own(""); MOST_VARIABLES];
        for (slot, variable) in slots.iter_mut().zip(self.variables) {
            match scope.value(variable.name).or_else(|| variable.default.map(Value::Foreign)) {
                Some(value) => *slot = value.slot(),
                None if variable.required && on_missing == OnMissing::Refuse => {
                    let (template, name) = (self.name.to_owned(), variable.name.to_owned());
                    return Err(RenderError::MissingValue { template, name });
                }
                None => {}
            }
        }
        Ok(BoundIdentity { template: self, slots })
    }
}

/// An identity with its values.
#[derive(Clone, Copy, Debug)]
pub struct BoundIdentity<'v> {
    template: &'static IdentityTemplate,
    slots: [Slot<'v>; MOST_VARIABLES],
}

impl BoundIdentity<'_> {
    /// Renders the identity.
    pub fn render(&self) -> String {
        let mut out = String::new();
        self.render_into(&mut out);
        out
    }

    /// Renders the identity at the end of `out`, which is grown once at most.
    pub fn render_into(&self, out: &mut String) {
        (self.template.write)(&self.slots, out);
    }
}
