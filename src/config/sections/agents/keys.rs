//! The keys of `[agents.NAME]`.

use super::super::super::schema::{Key, Kind, Names, Shape};

/// The CLIs that have an adapter; an agent of such a name is one without saying so.
pub(super) const CLIS: &[&str] = &["claude", "gemini", "codex", "copilot", "offline"];

/// The largest number of repeated runs.
const MOST_RETRIES: u64 = 100;

/// The keys that describe a program that has no adapter.
pub(in super::super::super) const DESCRIBING: &[&str] =
    &["output", "text", "error", "usage", "lines", "delivers"];

/// Every key.
pub(super) const KEYS: &[Key] = &[
    Key::new(
        "cli",
        Kind::Word(CLIS),
        "The CLI that the agent is; the agent's name if that is a CLI's, else none: the keys from `output` on \
         describe it.",
    )
    .example("\"claude\""),
    Key::new(
        "command",
        Kind::Command,
        "The program, or a list of the program and its first arguments; the CLI's name unless given. A relative path \
         with a slash starts at the project's root.",
    )
    .example("[\"npx\", \"claude\"]"),
    Key::new("model", Kind::Text, "The model to ask for; the CLI's own choice unless given.")
        .example("\"some-model\"")
        .harmless(),
    Key::new("args", Kind::Texts, "More arguments.").default("[]"),
    Key::new(
        "env",
        Kind::Table(Shape::Named(Names::Variable, &Kind::FreeText)),
        "More variables of its environment.",
    )
    .example("{ LANG = \"C.UTF-8\" }"),
    Key::new("env_clear", Kind::Flag, "Whether it sees only the variables that `env_pass` names.")
        .default("false"),
    Key::new(
        "env_pass",
        Kind::Texts,
        "The variables that pass under `env_clear`; `*` stands for any characters.",
    )
    .default("[]"),
    Key::new("timeout", Kind::Duration, "How long a run may take.")
        .default("\"30m\"")
        .harmless(),
    Key::new("idle_timeout", Kind::DurationOrOff, "How long a run may be silent.")
        .default("\"off\"")
        .harmless(),
    Key::new(
        "permissions",
        Kind::Word(&["read", "write", "shell"]),
        "The most that it may do: read files, write them too, run commands too.",
    )
    .default("\"write\""),
    Key::new("isolated", Kind::Flag, "Whether it runs without the user's own settings and login.")
        .default("false"),
    Key::new(
        "max_prompt",
        Kind::Size,
        "The largest prompt, where that is less than what the CLI takes.",
    )
    .example("\"450 KB\"")
    .harmless(),
    Key::new(
        "retries",
        Kind::Count(0, MOST_RETRIES),
        "How often a run is repeated that failed for a passing reason.",
    )
    .default("2")
    .free_to_lower(),
    Key::new(
        "family",
        Kind::Word(&["claude", "gemini", "codex", "base"]),
        "Whose templates it is served; the CLI's own unless given, else `base`.",
    )
    .example("\"base\"")
    .harmless(),
    Key::new(
        "output",
        Kind::Word(&["text", "json", "jsonl"]),
        "The format of a described program's output; `text` unless given.",
    )
    .example("\"jsonl\"")
    .harmless(),
    Key::new("text", Kind::Pointer, "Where the answer is in JSON output.")
        .example("\"/message/text\"")
        .harmless(),
    Key::new("error", Kind::Pointer, "Where an error message is in JSON output.")
        .example("\"/error/message\"")
        .harmless(),
    Key::new("usage", Kind::Table(Shape::Keys(USAGE)), "Where JSON output counts tokens."),
    Key::new(
        "lines",
        Kind::Word(&["last", "joined"]),
        "Whether the last line of JSON lines holds the answer, or each a piece; `last` unless given.",
    )
    .example("\"last\"")
    .harmless(),
    Key::new(
        "delivers",
        Kind::Word(&["text", "files"]),
        "How a described program hands over files: in its answer, or by writing them itself. Unless given it makes \
         none, and can only challenge and review.",
    )
    .example("\"text\"")
    .harmless(),
];

/// The keys of `usage`.
const USAGE: &[Key] = &[
    Key::new("input", Kind::Pointer, "Tokens read anew.").example("\"/usage/input\""),
    Key::new("cache_read", Kind::Pointer, "Tokens read from a cache.")
        .example("\"/usage/cache_read\""),
    Key::new("cache_write", Kind::Pointer, "Tokens written to a cache.")
        .example("\"/usage/cache_write\""),
    Key::new("output", Kind::Pointer, "Tokens written, reasoning among them.")
        .example("\"/usage/output\""),
    Key::new("reasoning", Kind::Pointer, "Tokens of reasoning.").example("\"/usage/reasoning\""),
    Key::new("cost_usd", Kind::Pointer, "The cost in US dollars.").example("\"/usage/cost_usd\""),
];
