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
        "The CLI of the agent; by default the CLI with the agent's name, else none: the keys from `output` on \
                 describe it.",
    )
    .example("\"claude\""),
    key(
        "command",
        COMMAND,
        "The program, or a list of the program and its first arguments; the CLI's name by default. A relative path \
         with a slash starts at the project's root.",
    )
    .example("[\"npx\", \"claude\"]"),
    key("model", TEXT, "The model to ask for; the CLI's own default unless set.")
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
        "The variables that are passed on under `env_clear`; `*` matches any characters.",
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
        "The most that it may do: read files, also write them, or also run commands. By default, steps that write code get \
         `shell` where the sandbox confines them.",
    )
    .default("\"write\""),
    key("isolated", Kind::Flag, "Whether it runs without the user's own settings and login.")
        .default("false"),
    key(
        "max_prompt",
        SIZE,
        "The largest prompt, if that is less than what the CLI accepts.",
    )
    .example("\"450 KB\"")
    .harmless(),
    key(
        "retries",
        Kind::Number { least: 0, most: MOST_RETRIES },
        "How often a run is repeated after a temporary failure.",
    )
    .default("2")
    .free_to_lower(),
    key(
        "family",
        Kind::Word(&["claude", "gemini", "codex", "base"]),
        "Which agent's templates it uses; the CLI's own by default, else `base`.",
    )
    .example("\"base\"")
    .harmless(),
    key(
        "output",
        Kind::Word(&["text", "json", "jsonl"]),
        "The format of a described program's output; `text` by default.",
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
        "Whether the last line of JSON lines contains the answer, or each line a piece; `last` by default.",
    )
    .example("\"last\"")
    .harmless(),
    key(
        "delivers",
        Kind::Word(&["text", "files"]),
        "How a described program delivers files: in its answer, or by writing them itself. By default it delivers \
         none, and can only challenge and review.",
    )
    .example("\"text\"")
    .harmless(),
];

/// The keys of `usage`.
const USAGE: &[Key] = &[
    key("input", POINTER, "Uncached input tokens.").example("\"/usage/input\""),
    key("cache_read", POINTER, "Tokens read from a cache.").example("\"/usage/cache_read\""),
    key("cache_write", POINTER, "Tokens written to a cache.").example("\"/usage/cache_write\""),
    key("output", POINTER, "Output tokens, including reasoning.").example("\"/usage/output\""),
    key("reasoning", POINTER, "Reasoning tokens.").example("\"/usage/reasoning\""),
    key("cost_usd", POINTER, "The cost in US dollars.").example("\"/usage/cost_usd\""),
];
