//! What a configuration may say: keys, kinds of values and defaults, as data. The check, the documentation and the
//! schema for editors all come from here.

/// A key and what may stand under it.
#[derive(Debug)]
pub(super) struct Key {
    /// How it is spelled.
    pub(super) name: &'static str,
    /// What may stand under it.
    pub(super) kind: Kind,
    /// What holds when it is not given, as TOML; none if that depends on other keys.
    pub(super) default: Option<&'static str>,
    /// A value for an example file, as TOML, where there is no default to show.
    pub(super) example: Option<&'static str>,
    /// What it takes to let a project's file set it.
    pub(super) consent: Consent,
    /// What it is for.
    pub(super) about: &'static str,
}

/// What it takes to let a project's file set a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consent {
    /// The user's trust: the key can make something run, let something out, or hide what is spent.
    Asked,
    /// The user's trust where it is more than what holds without the project, since that much more may be spent.
    AskedToRaise,
    /// Nothing.
    Given,
}

/// What may stand under a key.
#[derive(Debug)]
pub(super) enum Kind {
    /// Text that says something.
    Text,
    /// Any text, the empty one too.
    FreeText,
    /// One of a few words.
    Word(&'static [&'static str]),
    /// The name of an agent.
    AgentName,
    /// The name of a flow.
    FlowName,
    /// True or false.
    Flag,
    /// A whole number from a smallest to a largest one.
    Count(u64, u64),
    /// A number that is not negative.
    Number,
    /// A list of texts.
    Texts,
    /// A program, alone or in a list with its first arguments.
    Command,
    /// A list of commands, each a line for the shell or a list of words.
    Commands,
    /// A span of time.
    Duration,
    /// A span of time, or `off`.
    DurationOrOff,
    /// A number of bytes.
    Size,
    /// A JSON pointer.
    Pointer,
    /// A table.
    Table(Shape),
}

/// What may stand in a table.
#[derive(Debug)]
pub(super) enum Shape {
    /// These keys.
    Keys(&'static [Key]),
    /// Names of one sort, with the same kind under each.
    Named(Names, &'static Kind),
}

/// What may be a name in a table of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// The name of an agent.
    Agent,
    /// The name of a variable of the environment.
    Variable,
    /// The name of a model.
    Model,
}

impl Key {
    /// Describes a key. Unless something else is said of it, a project's file may set it only with the user's trust.
    pub(super) const fn new(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, kind, default: None, example: None, consent: Consent::Asked, about }
    }

    pub(super) const fn default(mut self, toml: &'static str) -> Self {
        self.default = Some(toml);
        self
    }

    pub(super) const fn example(mut self, toml: &'static str) -> Self {
        self.example = Some(toml);
        self
    }

    /// Says that the key is a number that can be spent, of which less does no harm.
    pub(super) const fn free_to_lower(mut self) -> Self {
        self.consent = Consent::AskedToRaise;
        self
    }

    /// Says that the key, and whatever is below it, can neither run, let out nor spend anything.
    pub(super) const fn harmless(mut self) -> Self {
        self.consent = Consent::Given;
        self
    }
}

impl Kind {
    /// Says what a value must be, after "must be".
    pub(super) fn noun(&self) -> String {
        match self {
            Self::Text | Self::FreeText => "text in quotes".to_owned(),
            Self::Word(words) => format!("one of {}", listed(words.iter().copied())),
            Self::AgentName => "the name of an agent".to_owned(),
            Self::FlowName => "the name of a flow".to_owned(),
            Self::Flag => "true or false".to_owned(),
            Self::Count(least, most) => format!("a whole number from {least} to {most}"),
            Self::Number => "a number that is not negative".to_owned(),
            Self::Texts => "a list of texts".to_owned(),
            Self::Command => "a program, or a list of a program and its first arguments".to_owned(),
            Self::Commands => "a list of commands, each a text or a list of texts".to_owned(),
            Self::Duration => "a duration".to_owned(),
            Self::DurationOrOff => "a duration or `off`".to_owned(),
            Self::Size => "a number of bytes".to_owned(),
            Self::Pointer => "a JSON pointer".to_owned(),
            Self::Table(_) => "a table".to_owned(),
        }
    }

    /// Shows how a value is written, as TOML.
    pub(super) fn example(&self) -> String {
        match self {
            Self::Text | Self::FreeText => "\"text\"".to_owned(),
            Self::Word(words) => format!("{:?}", words.first().copied().unwrap_or_default()),
            Self::AgentName => "\"claude\"".to_owned(),
            Self::FlowName => {
                "\"sdd\", \"team\", \"quick\" or the name of a file in agentd/flows without `.toml`"
                    .to_owned()
            }
            Self::Flag => "true".to_owned(),
            Self::Count(..) => "2".to_owned(),
            Self::Number => "2.5".to_owned(),
            Self::Texts => "[\"one\", \"two\"]".to_owned(),
            Self::Command => "\"claude\" or [\"npx\", \"claude\"]".to_owned(),
            Self::Commands => "[\"cargo test\", [\"npm\", \"test\"]]".to_owned(),
            Self::Duration | Self::DurationOrOff => {
                "\"90s\", \"30m\", \"2h\" or a number of seconds".to_owned()
            }
            Self::Size => "\"450 KB\", \"2 MB\" or a number of bytes".to_owned(),
            Self::Pointer => "\"/result/text\"".to_owned(),
            Self::Table(_) => "{ key = … }".to_owned(),
        }
    }
}

impl Shape {
    /// Gives the kind under a key that may stand here.
    pub(super) fn kind(&self, key: &str) -> Option<&'static Kind> {
        match self {
            Self::Keys(_) => self.key(key).map(|key| &key.kind),
            Self::Named(names, kind) => names.allow(key).then_some(kind),
        }
    }

    /// Gives what is known of a key that may stand here, but not of a name.
    pub(super) fn key(&self, key: &str) -> Option<&'static Key> {
        match self {
            Self::Keys(keys) => keys.iter().find(|known| known.name == key),
            Self::Named(..) => None,
        }
    }
}

impl Names {
    /// Says what bears such names.
    pub(super) const fn noun(self) -> &'static str {
        match self {
            Self::Agent => "an agent",
            Self::Variable => "a variable",
            Self::Model => "a model",
        }
    }

    /// Says whether `name` may be such a name.
    pub(super) fn allow(self, name: &str) -> bool {
        match self {
            Self::Agent => is_agent_name(name),
            Self::Variable => !name.is_empty() && !name.contains(['=', '\0']),
            Self::Model => !name.is_empty(),
        }
    }

    /// Says what such names look like.
    pub(super) const fn help(self) -> &'static str {
        match self {
            Self::Agent => {
                "a name has 1 to 32 lower-case letters, digits and hyphens, and begins with a letter or digit"
            }
            Self::Variable => "the name of a variable is not empty and holds no `=`",
            Self::Model => "the name of a model is not empty",
        }
    }
}

/// Says whether `name` can be the name of an agent.
pub(super) fn is_agent_name(name: &str) -> bool {
    const LONGEST: usize = 32;
    let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.bytes().next().is_some_and(word)
        && name.len() <= LONGEST
        && name.bytes().all(|byte| word(byte) || byte == b'-')
}

/// Lists words for a sentence: `a`, `b` or `c`.
pub(super) fn listed<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<_> = words.map(|word| format!("`{word}`")).collect();
    match words.as_slice() {
        [] => String::new(),
        [word] => word.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
