//! The options of Gemini CLI 0.61.

use crate::orchestrator::agents::arguments::{Options, Reason, any_value};

/// The options of Gemini CLI.
pub(in crate::orchestrator::agents) const OPTIONS: Options = Options {
    program: "gemini",
    flags: &["-d", "--debug", "--skip-trust", "-s", "--sandbox", "--screen-reader"],
    single: &["-m", "--model", "--sandbox-image"],
    refused: &[
        (
            Reason::Session,
            &[
                "-r",
                "--resume",
                "--session-file",
                "--session-id",
                "--list-sessions",
                "--delete-session",
            ],
        ),
        (Reason::Prompt, &["-p", "--prompt", "-i", "--prompt-interactive", "--query"]),
        (Reason::Output, &["-o", "--output-format", "--raw-output", "--accept-raw-output-risk"]),
        (
            Reason::Permission,
            &[
                "-y",
                "--yolo",
                "--approval-mode",
                "--policy",
                "--admin-policy",
                "--allowed-tools",
                "--include-directories",
            ],
        ),
        (
            Reason::Mode,
            &[
                "-h",
                "--help",
                "-v",
                "--version",
                "-w",
                "--worktree",
                "-l",
                "--list-extensions",
                "--acp",
                "--experimental-acp",
            ],
        ),
    ],
    value: any_value,
};
