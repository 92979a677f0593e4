//! Why a run of Gemini CLI failed: by its exit code, by the server's answer in its message, or by what it printed on standard
//! error.

use serde_json::Value;

use crate::orchestrator::agents::{AgentError, Exit, failure, json};

/// Exit codes of its own; others are an HTTP status cut to a byte.
const NOT_LOGGED_IN: i32 = 41;
const NOT_TRUSTED: i32 = 55;

/// Returns why a run failed, by the message of its result if it has one. A program that ends well without one says nothing.
pub(super) fn failure(message: Option<&str>, exit: &Exit<'_>) -> Option<AgentError> {
    let printed = reason(exit.stderr);
    let said = || failure::said(printed);
    Some(match (exit.code, message) {
        (NOT_LOGGED_IN, _) => AgentError::NotLoggedIn { message: said() },
        (NOT_TRUSTED, _) => AgentError::PermissionRefused { message: said() },
        (_, Some(message)) => told(message, exit),
        (0, None) => return None,
        (code, None) => status(code)
            .and_then(|status| failure::by_status(status, printed))
            .unwrap_or_else(|| failure::without_record(&Exit { stderr: printed, ..*exit }, None)),
    })
}

fn told(message: &str, exit: &Exit<'_>) -> AgentError {
    // Advice may follow, as it does on a limit.
    let (inner, advice) = message
        .strip_prefix("[API Error: ")
        .and_then(|rest| rest.rsplit_once(']'))
        .unwrap_or((message, ""));
    let answer: Value = serde_json::from_str(inner).unwrap_or_default();
    let said = match json::text(&answer, "/error/message") {
        "" => &format!("{inner}{advice}"),
        told => told,
    };
    let told = match json::count(&answer, "/error/code") {
        0 => status(exit.code),
        status => Some(status),
    };
    told.and_then(|status| failure::by_status(status, said))
        .unwrap_or_else(|| failure::by_words(said, exit))
}

/// Finds the HTTP status that an exit code was cut from. Those above 511 would be exit codes of any program.
fn status(code: i32) -> Option<u64> {
    let status = u64::try_from(code).ok()? + 256;
    matches!(status, 400..=431 | 500..=511).then_some(status)
}

/// Finds the reason among what it prints on standard error: no stack traces and no remarks on the terminal.
fn reason(stderr: &str) -> &str {
    let remark = |line: &str| {
        line.trim().is_empty()
            || ["Warning:", "Ripgrep", "    at ", "[STARTUP]", "YOLO"]
                .iter()
                .any(|start| line.starts_with(start))
    };
    stderr.lines().find(|line| !remark(line)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_code_is_a_status_only_where_one_was_cut_to_it() {
        for (code, expected) in [
            (145, Some(401)),
            (173, Some(429)),
            (244, Some(500)),
            (1, None),
            (17, None),
            (55, None),
        ] {
            assert_eq!(status(code), expected, "{code}");
        }
    }
}
