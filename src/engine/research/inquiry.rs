//! A topic that somebody asks about: of which kind it is, and where its files are. Pure words.

use crate::handoff::Tool;
use crate::models::word::Word;
use crate::prompt::team::Topic;
use crate::template::Role;

/// The folder of all topics, below the change's.
pub(in crate::engine) const RESEARCH: &str = "03_research";

/// What the runs of researchers count as, beside the steps.
pub const PART: &str = "research";

/// Where answers are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ResearchKind {
    /// In the project's code.
    Code,
    /// In the world outside.
    Web,
}

impl ResearchKind {
    /// Gives the role that looks there.
    pub const fn role(self) -> Role {
        match self {
            Self::Code => Role::CodeResearcher,
            Self::Web => Role::WebResearcher,
        }
    }

    /// Gives the tool with which it is asked for.
    pub(super) const fn tool(self) -> Tool {
        match self {
            Self::Code => Tool::ResearchDispatchCode,
            Self::Web => Tool::ResearchDispatchWeb,
        }
    }
}

impl Word for ResearchKind {
    fn spelled(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Web => "web",
        }
    }

    fn find(word: &str) -> Option<Self> {
        [Self::Code, Self::Web].into_iter().find(|kind| kind.spelled() == word)
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
        Some(Self { kind: ResearchKind::find(kind)?, topic: topic.parse().ok()? })
    }

    /// Gives the name of its folder.
    pub fn name(&self) -> String {
        format!("{}-{}", self.kind.spelled(), self.topic)
    }

    /// Gives the path of one of its files, below the change's folder.
    pub fn file(&self, name: &str) -> String {
        format!("{RESEARCH}/{}/{name}", self.name())
    }
}
