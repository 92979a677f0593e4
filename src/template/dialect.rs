//! The four dialects of the one language, as data: which markers are live in a folder of templates, and
//! what a missing value means there.

use super::render::OnMissing;
use super::words::words;

words! {
    /// The names of a bracket directive: `[[name:argument]]`.
    Directive {
        /// `[[placeholder:name]]`, a value.
        Placeholder = "placeholder",
        /// `[[shared:name]]`, a fragment that is linked in at build time.
        Shared = "shared",
        /// `[[include:path]]`, a file of the session that must be there.
        Include = "include",
        /// `[[include-optional:path]]`, a file of the session that may be missing.
        IncludeOptional = "include-optional",
    }
}

/// What `{{…}}` means in a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Braces {
    /// Curly braces are text.
    Text,
    /// `{{UPPER_SNAKE}}`, nothing else between the braces.
    Upper,
    /// `{{lower_snake}}`, spaces inside the braces allowed.
    Lower,
}

/// What `[[…]]` means in a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brackets<'d> {
    /// These directives are live; any other directive is an error.
    Live(&'d [Directive]),
    /// `[[placeholder:name]]` of these names is live; all else is text and there is no escape.
    Only(&'d [&'d str]),
}

/// One dialect of the template language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect<'d> {
    /// The dialect's name, for messages.
    pub name: &'static str,
    /// What curly braces mean.
    pub braces: Braces,
    /// What square brackets mean.
    pub brackets: Brackets<'d>,
    /// Whether a file may open with YAML between two lines of `---`.
    pub frontmatter: bool,
    /// What happens to a hole without a value, unless the caller asks for more strictness.
    pub on_missing: OnMissing,
}

impl Dialect<'static> {
    /// The prompts of the workflow's phases: `{{UPPER_SNAKE}}` and `[[shared:x]]`.
    pub const SYSTEM: Self = Self {
        name: "system",
        braces: Braces::Upper,
        brackets: Brackets::Live(&[Directive::Shared]),
        frontmatter: false,
        on_missing: OnMissing::Note,
    };

    /// The prompts of roles and commands, and shared fragments: all four `[[…]]` directives.
    pub const ROLE: Self = Self {
        name: "role",
        braces: Braces::Text,
        brackets: Brackets::Live(Directive::ALL),
        frontmatter: false,
        on_missing: OnMissing::Refuse,
    };

    /// The identities of the layered builder: `{{lower_snake}}` and frontmatter.
    pub const IDENTITY: Self = Self {
        name: "identity",
        braces: Braces::Lower,
        brackets: Brackets::Live(&[]),
        frontmatter: true,
        on_missing: OnMissing::Empty,
    };
}

impl<'d> Dialect<'d> {
    /// A project's own text, in which only `[[placeholder:…]]` of the `allowed` names is live.
    pub const fn extension(allowed: &'d [&'d str]) -> Self {
        Self {
            name: "extension",
            braces: Braces::Text,
            brackets: Brackets::Only(allowed),
            frontmatter: false,
            on_missing: OnMissing::Refuse,
        }
    }

    /// Returns whether `[[directive:…]]` is live.
    pub fn knows(&self, directive: Directive) -> bool {
        match self.brackets {
            Brackets::Live(live) => live.contains(&directive),
            Brackets::Only(_) => directive == Directive::Placeholder,
        }
    }
}
