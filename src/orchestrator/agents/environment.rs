//! The environment that an agent runs in: agentd's own, but for what would lead the agent astray or is none of its
//! business.
//!
//! - What would give it a system prompt, a session or more leave never reaches it.
//! - What marks a running agent does not either: an agent that finds itself inside another behaves differently.
//! - It sees the variables of its own vendor only, and of the others just those that `env_pass` names. Claude Code on
//!   Vertex AI also sees Google's, but for the keys of the Gemini API. Those of clouds and companies that make no
//!   CLI of ours, such as `AWS_*`, all agents see.
//! - Under `env_clear` it sees nothing but [`BASE`] and what `env_pass` names, keys included.

use std::collections::BTreeMap;
use std::ffi::OsString;

use super::Request;
use super::arguments::Reason;
use crate::models::wildcard::matches;

/// A complete environment, in order.
pub(super) type Environment = BTreeMap<OsString, OsString>;

/// What every program needs; under `env_clear` it is passed on without being named.
pub(super) const BASE: [&str; 11] = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TERM", "TMPDIR",
];

/// Who makes an agent: whose variables it sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vendor {
    Anthropic,
    Google,
    OpenAi,
    GitHub,
    /// Somebody else.
    Unknown,
}

/// Whose variables have which names.
const OWNERS: [(Vendor, &str); 11] = [
    (Vendor::Anthropic, "ANTHROPIC_*"),
    (Vendor::Anthropic, "CLAUDE_*"),
    (Vendor::Google, "GEMINI_*"),
    (Vendor::Google, "GOOGLE_*"),
    (Vendor::OpenAi, "OPENAI_*"),
    (Vendor::OpenAi, "CODEX_*"),
    (Vendor::OpenAi, "AZURE_OPENAI_*"),
    (Vendor::GitHub, "COPILOT_*"),
    (Vendor::GitHub, "GH_*"),
    (Vendor::GitHub, "GITHUB_TOKEN"),
    (Vendor::GitHub, "GITHUB_COPILOT_*"),
];

/// The variables that a running agent sets for the programs it starts.
const MARKS: [&str; 14] = [
    "CLAUDECODE",
    "CLAUDE_CODE_SIMPLE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_EXECPATH",
    "CLAUDE_CODE_SSE_PORT",
    "CLAUDE_PROJECT_DIR",
    "GEMINI_CLI",
    "GEMINI_CLI_IDE_*",
    "CODEX_CI",
    "CODEX_SANDBOX*",
    "CODEX_THREAD_ID",
    "CODEX_TOOL_CALL_ID",
    "COPILOT_CLI",
    "AI_AGENT",
];

/// The variables that would change who the agent is, whose talk it continues or what it may do.
const REFUSED: [(&str, Reason); 17] = [
    ("GEMINI_SYSTEM_MD", Reason::SystemPrompt),
    ("GEMINI_WRITE_SYSTEM_MD", Reason::SystemPrompt),
    ("*SYSTEM_PROMPT*", Reason::SystemPrompt),
    ("CLAUDE_AGENT", Reason::SystemPrompt),
    ("CLAUDE_CODE_AGENT", Reason::SystemPrompt),
    ("CLAUDE_CODE_EXTRA_BODY", Reason::SystemPrompt),
    ("COPILOT_CUSTOM_INSTRUCTIONS*", Reason::SystemPrompt),
    ("CLAUDE_*SESSION*", Reason::Session),
    ("CLAUDE_*RESUME*", Reason::Session),
    ("ANTHROPIC_*SESSION*", Reason::Session),
    ("GEMINI_*SESSION*", Reason::Session),
    ("CODEX_*SESSION*", Reason::Session),
    ("CODEX_*RESUME*", Reason::Session),
    ("COPILOT_*SESSION*", Reason::Session),
    ("COPILOT_ALLOW_ALL*", Reason::Permission),
    ("COPILOT_ASSISTED_APPROVAL", Reason::Permission),
    ("CLAUDE_CODE_REMOTE*", Reason::Mode),
];

/// Says why an agent must not get a variable, if so.
pub(super) fn refusal(name: &str) -> Option<Reason> {
    REFUSED.iter().find(|(pattern, _)| matches(pattern, name)).map(|(_, reason)| *reason)
}

/// Gives the environment of a run: what is passed on, then the configuration's variables, then the agent's own.
pub(super) fn of<const N: usize>(
    request: &Request<'_>,
    vendor: Vendor,
    own: [(&str, &str); N],
) -> Environment {
    let settings = request.settings;
    let variable = |wanted: &str| {
        settings.env.contains_key(wanted)
            || request.environment.iter().any(|(name, _)| name.to_str() == Some(wanted))
    };
    let vertex = vendor == Vendor::Anthropic && variable("CLAUDE_CODE_USE_VERTEX");
    let passes = |name: &str| {
        let named = settings.lets_through(name);
        if settings.env_clear {
            return named || BASE.iter().any(|pattern| matches(pattern, name));
        }
        let owner =
            OWNERS.iter().find(|(_, pattern)| matches(pattern, name)).map(|(owner, _)| *owner);
        named
            || owner.is_none_or(|owner| owner == vendor)
            || (vertex && matches("GOOGLE_*", name) && name != "GOOGLE_API_KEY")
    };
    let harmless =
        |name: &str| refusal(name).is_none() && !MARKS.iter().any(|pattern| matches(pattern, name));
    let passed = request.environment.iter().filter(|(name, _)| match name.to_str() {
        Some(name) => harmless(name) && passes(name),
        // No name that we know is no UTF-8.
        None => !settings.env_clear,
    });
    let mut environment: Environment = passed.cloned().collect();
    environment.extend(settings.env.iter().map(|(name, value)| (name.into(), value.into())));
    environment.extend(own.map(|(name, value)| (name.into(), value.into())));
    environment
}
