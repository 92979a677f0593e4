//! What a run of agentd gave, and what a test demands of it.

use std::process::Output;

use serde_json::Value;

/// What a run of agentd gave.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Self {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Ran {
    /// Demands an exit code.
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.stdout, self.stderr);
        self
    }

    /// Demands words on standard output.
    pub(crate) fn prints(self, expected: &str) -> Self {
        assert!(self.stdout.contains(expected), "{expected}\nis not in\n{}", self.stdout);
        self
    }

    /// Demands words on standard error.
    pub(crate) fn says(self, expected: &str) -> Self {
        assert!(self.stderr.contains(expected), "{expected}\nis not in\n{}", self.stderr);
        self
    }

    /// Demands that neither stream holds these words.
    pub(crate) fn hides(self, words: &str) -> Self {
        assert!(!self.stdout.contains(words), "{words}\nis in\n{}", self.stdout);
        assert!(!self.stderr.contains(words), "{words}\nis in\n{}", self.stderr);
        self
    }

    /// Reads standard output as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}\n{}", self.stdout))
    }
}
