//! A command that a configuration asks for: a line for the shell, or a program with its arguments.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A command, as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CommandLine {
    /// A line that `sh -c` runs.
    Shell(String),
    /// A program and its arguments, which no shell looks at.
    Words(Vec<String>),
}

impl CommandLine {
    /// Returns the program and its arguments.
    ///
    /// ```
    /// use agentd::models::command::CommandLine;
    ///
    /// let line = CommandLine::Shell("cargo test && cargo doc".to_owned());
    /// assert_eq!(line.argv(), ["sh", "-c", "cargo test && cargo doc"]);
    /// let words = CommandLine::Words(vec!["cargo".to_owned(), "test".to_owned()]);
    /// assert_eq!(words.argv(), ["cargo", "test"]);
    /// ```
    pub fn argv(&self) -> Vec<&str> {
        match self {
            Self::Shell(line) => vec!["sh", "-c", line],
            Self::Words(words) => words.iter().map(String::as_str).collect(),
        }
    }
}

/// Shows the line, or the words with quotes where the shell would need them.
impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shell(line) => f.write_str(line),
            Self::Words(words) => {
                let words: Vec<_> = words.iter().map(|word| quoted(word)).collect();
                f.write_str(&words.join(" "))
            }
        }
    }
}

/// Writes a word as the shell reads it: in quotes where it would be taken for something else.
///
/// ```
/// use agentd::models::command::quoted;
///
/// assert_eq!(format!("cd {}", quoted("/srv/it's")), r"cd '/srv/it'\''s'");
/// ```
pub fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:,@%+".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_shown_as_a_shell_would_read_them() {
        let words = ["run", "", "a b", "it's", "--x=1", "$HOME"].map(str::to_owned).to_vec();
        let shown = CommandLine::Words(words).to_string();
        assert_eq!(shown, "run '' 'a b' 'it'\\''s' --x=1 '$HOME'");
        assert_eq!(CommandLine::Shell("a  && b".to_owned()).to_string(), "a  && b");
    }

    #[test]
    fn a_shell_reads_the_same_words_back() {
        let words =
            ["claude", "-p", "", "a b", "it's", "$HOME", "*", "x=1", "~", "a\nb", "é", "--a=b,c"];
        let shown = CommandLine::Words(words.map(str::to_owned).to_vec());
        let output = std::process::Command::new("sh")
            .args(["-c", &format!("printf '%s\\0' {shown}")])
            .output()
            .expect("a shell");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(text.strip_suffix('\0').unwrap().split('\0').collect::<Vec<_>>(), words);
    }
}
