//! The options of `codex exec` 0.169, and the keys of its configuration that `-c` must not set.

use crate::orchestrator::agents::arguments::{Options, Reason};

/// The options of `codex exec`.
pub(in crate::orchestrator::agents) const OPTIONS: Options = Options {
    program: "codex",
    flags: &[
        "--oss",
        "--strict-config",
        "--skip-git-repo-check",
        "--ephemeral",
        "--ignore-user-config",
        "--ignore-rules",
        "--search",
    ],
    single: &[
        "-c",
        "--config",
        "--enable",
        "--disable",
        "-m",
        "--model",
        "--local-provider",
        "-p",
        "--profile",
        "--cyber-access-program",
    ],
    refused: &[
        (Reason::Session, &["--last", "--all", "--thread-source"]),
        (Reason::Prompt, &["-i", "--image"]),
        (Reason::Output, &["--json", "--color", "-o", "--output-last-message", "--output-schema"]),
        (
            Reason::Permission,
            &[
                "-s",
                "--sandbox",
                "-a",
                "--ask-for-approval",
                "--approve-for-me",
                "--full-auto",
                "--dangerously-bypass-approvals-and-sandbox",
                "--dangerously-bypass-hook-trust",
                "--trust",
                "--add-dir",
            ],
        ),
        (
            Reason::Mode,
            &[
                "-h",
                "--help",
                "-V",
                "--version",
                "-C",
                "--cd",
                "--worktree",
                "--remote",
                "--remote-auth-token-env",
            ],
        ),
    ],
    value: refusal,
};

/// Says why a key of the configuration must not be set, if so.
fn refusal(option: &str, value: &str) -> Option<Reason> {
    if !["-c", "--config"].contains(&option) {
        return None;
    }
    let key: String = value
        .split('=')
        .next()?
        .chars()
        .filter(|c| !c.is_whitespace() && !"\"'".contains(*c))
        .collect();
    let root = key.split('.').next().unwrap_or_default();
    match root {
        // The one thing that the sandbox can be asked for: commands that may use the network.
        "sandbox_workspace_write" if key == "sandbox_workspace_write.network_access" => None,
        "sandbox_mode"
        | "sandbox_permissions"
        | "sandbox_workspace_write"
        | "approval_policy"
        | "approvals_reviewer"
        | "default_permissions"
        | "permissions"
        | "projects" => Some(Reason::Permission),
        "profile" | "profiles" | "agents" => Some(Reason::SystemPrompt),
        "history" => Some(Reason::Session),
        _ if key.contains("resume") || key.contains("session") => Some(Reason::Session),
        _ if key.contains("instructions") || key.contains("prompt") => Some(Reason::SystemPrompt),
        _ => None,
    }
}
