//! A topic that somebody asks about: of which kind it is, and where its files are. Pure words.

use crate::prompt::team::Topic;
use crate::template::Role;
use crate::template::words::words;

/// The folder of all topics, below the change's.
pub(in crate::engine) const RESEARCH: &str = "03_research";

/// What the runs of researchers count as, beside the steps.
pub const PART: &str = "research";

words! {
    /// Where answers are looked for.
    ResearchKind {
        /// In the project's code.
        Code = "code",
        /// In the world outside.
        Web = "web",
    }
}

impl ResearchKind {
    /// Returns the role that looks there.
    pub const fn role(self) -> Role {
        match self {
            Self::Code => Role::CodeResearcher,
            Self::Web => Role::WebResearcher,
        }
    }
}

/// Something that somebody asks about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Inquiry {
    /// Where the answer is looked for.
    pub kind: ResearchKind,
    /// What it is about.
    pub topic: Topic,
}

impl Inquiry {
    /// Reads the name of a topic's folder; any other name is none of a topic.
    ///
    /// ```
    /// use agentd::engine::research::Inquiry;
    ///
    /// assert_eq!(Inquiry::from_name("code-auth").unwrap().name(), "code-auth");
    /// assert!(Inquiry::from_name("submissions").is_none());
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        let (kind, topic) = name.split_once('-')?;
        Some(Self { kind: ResearchKind::from_word(kind)?, topic: topic.parse().ok()? })
    }

    /// Returns the name of its folder.
    pub fn name(&self) -> String {
        format!("{}-{}", self.kind.word(), self.topic)
    }

    /// Returns the path of one of its files, below the change's folder.
    pub fn file(&self, name: &str) -> String {
        format!("{RESEARCH}/{}/{name}", self.name())
    }
}
