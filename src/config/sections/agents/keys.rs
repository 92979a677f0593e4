//! The keys of `[agents.NAME]`.

use super::super::super::schema::{Key, Kind, key};
use super::super::super::sorts::{
    COMMAND, DURATION, DURATION_OR_OFF, FREE_TEXT, POINTER, SIZE, TEXT, TEXTS, VARIABLES,
};

/// The CLIs that have an adapter; an agent of such a name is one without saying so.
pub(super) const CLIS: &[&str] = &["claude", "gemini", "codex", "copilot", "offline"];

/// The largest number of repeated runs.
const MOST_RETRIES: u64 = 100;

/// The keys that describe a program that has no adapter.
pub(super) const DESCRIBING: &[&str] = &["output", "text", "error", "usage", "lines", "delivers"];

/// Every key.
pub(super) const KEYS: &[Key] = &[
    key(
        "cli",
        Kind::Word(CLIS),
        "The CLI that the agent is; the agent's name if that is a CLI's, else none: the keys from `output` on \
         describe it.",
    )
    .example("\"claude\""),
    key(
        "command",
        COMMAND,
        "The program, or a list of the program and its first arguments; the CLI's name unless given. A relative path \
         with a slash starts at the project's root.",
    )
    .example("[\"npx\", \"claude\"]"),
    key("model", TEXT, "The model to ask for; the CLI's own choice unless given.")
        .example("\"some-model\"")
        .harmless(),
    key("args", TEXTS, "More arguments.").default("[]"),
    key(
        "env",
        Kind::Named(&VARIABLES, &FREE_TEXT),
        "More variables of its environment.",
    )
    .example("{ LANG = \"C.UTF-8\" }"),
    key("env_clear", Kind::Flag, "Whether it sees only the variables that `env_pass` names.")
        .default("false"),
    key(
        "env_pass",
        TEXTS,
        "The variables that pass under `env_clear`; `*` stands for any characters.",
    )
    .default("[]"),
    key("timeout", DURATION, "How long a run may take.")
        .default("\"30m\"")
        .harmless(),
    key("idle_timeout", DURATION_OR_OFF, "How long a run may be silent.")
        .default("\"off\"")
        .harmless(),
    key(
        "permissions",
        Kind::Word(&["read", "write", "shell"]),
        "The most that it may do: read files, write them too, run commands too. Unless given, steps that write code get \
         `shell` where the sandbox holds them.",
    )
    .default("\"write\""),
    key("isolated", Kind::Flag, "Whether it runs without the user's own settings and login.")
        .default("false"),
    key(
        "max_prompt",
        SIZE,
        "The largest prompt, where that is less than what the CLI takes.",
    )
    .example("\"450 KB\"")
    .harmless(),
    key(
        "retries",
        Kind::Number { least: 0, most: MOST_RETRIES },
        "How often a run is repeated that failed for a passing reason.",
    )
    .default("2")
    .free_to_lower(),
    key(
        "family",
        Kind::Word(&["claude", "gemini", "codex", "base"]),
        "Whose templates it is served; the CLI's own unless given, else `base`.",
    )
    .example("\"base\"")
    .harmless(),
    key(
        "output",
        Kind::Word(&["text", "json", "jsonl"]),
        "The format of a described program's output; `text` unless given.",
    )
    .example("\"jsonl\"")
    .harmless(),
    key("text", POINTER, "Where the answer is in JSON output.")
        .example("\"/message/text\"")
        .harmless(),
    key("error", POINTER, "Where an error message is in JSON output.")
        .example("\"/error/message\"")
        .harmless(),
    key("usage", Kind::Map(USAGE), "Where JSON output counts tokens."),
    key(
        "lines",
        Kind::Word(&["last", "joined"]),
        "Whether the last line of JSON lines holds the answer, or each a piece; `last` unless given.",
    )
    .example("\"last\"")
    .harmless(),
    key(
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
    key("input", POINTER, "Tokens read anew.").example("\"/usage/input\""),
    key("cache_read", POINTER, "Tokens read from a cache.").example("\"/usage/cache_read\""),
    key("cache_write", POINTER, "Tokens written to a cache.").example("\"/usage/cache_write\""),
    key("output", POINTER, "Tokens written, reasoning among them.").example("\"/usage/output\""),
    key("reasoning", POINTER, "Tokens of reasoning.").example("\"/usage/reasoning\""),
    key("cost_usd", POINTER, "The cost in US dollars.").example("\"/usage/cost_usd\""),
];
