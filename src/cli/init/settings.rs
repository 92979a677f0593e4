//! The configuration that a project starts with: the decisions, and a pointer to the documentation.

use crate::models::command::CommandLine;

const HEAD: &str = "\
# What `agentd init` decided for this project. docs/configuration.md explains every key, and
# `agentd config show --origin` prints the configuration in force.
";

/// The decisions about a project.
#[derive(Debug, Default)]
pub(super) struct Decided {
    /// The commands that set up a workspace.
    pub(super) setup: Vec<CommandLine>,
    /// The commands that verify a change.
    pub(super) verify: Vec<CommandLine>,
}

impl Decided {
    /// Returns whether there are no commands.
    pub(super) const fn is_empty(&self) -> bool {
        self.setup.is_empty() && self.verify.is_empty()
    }

    /// Writes the file.
    pub(super) fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for (section, about, key, commands) in [
            (
                "workspace",
                "Run once in each copy of the code. Git must ignore the files they create.",
                "setup",
                &self.setup,
            ),
            ("verify", "Must pass before a change is archived.", "commands", &self.verify),
        ] {
            if !commands.is_empty() {
                text.push_str(&format!("\n[{section}]\n# {about}\n{key} = {}\n", list(commands)));
            }
        }
        text
    }
}

/// Writes a list of commands: a single one on the line of its key, several on their own lines.
fn list(commands: &[CommandLine]) -> String {
    let values: Vec<_> =
        commands.iter().map(|it| toml::Value::from(it.to_string()).to_string()).collect();
    match values.as_slice() {
        [only] => format!("[{only}]"),
        all => format!("[\n  {},\n]", all.join(",\n  ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_decided_stands_there() {
        let shell = |line: &str| CommandLine::Shell(line.to_owned());
        assert_eq!(Decided::default().text(), HEAD);
        let verify = vec![shell("cargo test"), shell("cd 'a b' && echo \"x\"")];
        let text = Decided { setup: vec![shell("npm ci")], verify }.text();
        let expected = "\n[workspace]\n\
                        # Run once in each copy of the code. Git must ignore the files they create.\n\
                        setup = [\"npm ci\"]\n\n\
                        [verify]\n\
                        # Must pass before a change is archived.\n\
                        commands = [\n  \"cargo test\",\n  ";
        assert!(text[HEAD.len()..].starts_with(expected), "{text}");
        let read: toml::Value = toml::from_str(&text).unwrap();
        assert_eq!(read["verify"]["commands"][1].as_str(), Some("cd 'a b' && echo \"x\""));
    }
}
