//! What a plan owns: a path or a glob below the project's root.
//!
//! `*` stands for any characters of one name, `?` for one of them, and `**` between slashes for any number of names.
//! A path without any of these is a file; whatever ends in `/` is a folder and owns everything below it. Every other
//! character stands for itself, and so does its case.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::overlap;
use super::segment::Segment;

/// The longest pattern, in bytes.
const LONGEST: usize = 512;

/// A path or glob that says which files are owned.
///
/// ```
/// use agentd::models::plan::OwnedPattern;
///
/// let pattern: OwnedPattern = "src/auth/".parse().unwrap();
/// assert!(pattern.owns("src/auth/login.rs"));
/// assert!(!pattern.owns("src/author.rs"));
/// let file: OwnedPattern = "src/config.json".parse().unwrap();
/// assert!(!file.owns("src/config.json/x"));
/// let rust: OwnedPattern = "src/**/*.rs".parse().unwrap();
/// assert_eq!(pattern.shared_with(&rust).as_deref(), Some("src/auth/x.rs"));
/// assert!("../elsewhere".parse::<OwnedPattern>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OwnedPattern {
    text: String,
    segments: Vec<Segment>,
}

/// Why a text is no pattern.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum PatternFault {
    /// It is empty.
    #[error("is empty")]
    Empty,
    /// It is too long.
    #[error("is longer than {LONGEST} bytes")]
    TooLong,
    /// It does not begin at the project's root.
    #[error("is not relative to the project's root")]
    Absolute,
    /// It has a part `..`.
    #[error("contains `..`, which may lead outside the project")]
    Parent,
    /// It has a part `.`.
    #[error("contains a part `.`")]
    Here,
    /// Two slashes stand side by side.
    #[error("contains an empty part between two slashes")]
    EmptyPart,
    /// It holds a backslash.
    #[error("contains a backslash")]
    Backslash,
    /// It holds a character that cannot be seen.
    #[error("contains a control character")]
    Control,
    /// `**` stands beside something else.
    #[error("contains `**` beside other characters of a name")]
    Stars,
    /// It lists alternatives.
    #[error("contains alternatives in braces")]
    Braces,
    /// It leads into the folder of git.
    #[error("leads into `.git`")]
    Git,
}

impl PatternFault {
    /// Returns what to do about it.
    pub const fn help(self) -> &'static str {
        match self {
            Self::Empty | Self::TooLong => "write a path or glob below the project's root",
            Self::Absolute | Self::Parent | Self::Here => {
                "write the path relative to the project's root: `src/auth/login.rs`"
            }
            Self::EmptyPart => "write one slash",
            Self::Backslash => "separate names by `/`",
            Self::Control => "write the path without it",
            Self::Stars => "`**` stands alone between slashes: `src/**/*.rs`",
            Self::Braces => "write an item for each of them",
            Self::Git => "no plan may own git's files",
        }
    }
}

impl FromStr for OwnedPattern {
    type Err = PatternFault;

    fn from_str(text: &str) -> Result<Self, PatternFault> {
        if text.trim().is_empty() {
            return Err(PatternFault::Empty);
        }
        if text.len() > LONGEST {
            return Err(PatternFault::TooLong);
        }
        if text.chars().any(char::is_control) {
            return Err(PatternFault::Control);
        }
        if text.contains('\\') {
            return Err(PatternFault::Backslash);
        }
        if text.starts_with(['/', '~']) || has_drive(text) {
            return Err(PatternFault::Absolute);
        }
        if has_alternatives(text) {
            return Err(PatternFault::Braces);
        }
        let (path, is_folder) =
            text.strip_suffix('/').map_or((text, false), |without| (without, true));
        let mut segments = Vec::new();
        for part in path.split('/') {
            segments.push(segment(part)?);
        }
        if is_folder {
            segments.push(Segment::Folders);
        }
        // Several in a row say no more than one.
        segments.dedup_by(|next, before| *next == Segment::Folders && *before == Segment::Folders);
        Ok(Self { text: text.to_owned(), segments })
    }
}

fn segment(part: &str) -> Result<Segment, PatternFault> {
    match part {
        "" => Err(PatternFault::EmptyPart),
        "." => Err(PatternFault::Here),
        ".." => Err(PatternFault::Parent),
        part if part.eq_ignore_ascii_case(GIT) => Err(PatternFault::Git),
        part if part != "**" && part.contains("**") => Err(PatternFault::Stars),
        part => Ok(Segment::of(part)),
    }
}

const GIT: &str = ".git";

/// Returns whether a path begins with a drive, `C:`.
fn has_drive(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() > 1 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
}

/// Returns whether a text holds `{a,b}`, which other globs know; a name may hold braces.
fn has_alternatives(text: &str) -> bool {
    let inside = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    inside.into_iter().any(|(inside, _)| inside.contains(','))
}

impl OwnedPattern {
    /// Returns the pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether a file is owned, by its path from the project's root. What is git's is owned by nobody.
    pub fn owns(&self, path: &str) -> bool {
        let names: Vec<&str> = path.split('/').collect();
        let strange =
            |name: &&str| ["", ".", ".."].contains(name) || name.eq_ignore_ascii_case(GIT);
        !names.iter().any(strange) && overlap::matches(&self.segments, &names)
    }

    /// Finds a path that both own, if there can be one; which files exist does not matter.
    pub fn shared_with(&self, other: &Self) -> Option<String> {
        overlap::shared(&self.segments, &other.segments)
    }

    /// Returns whether this is a file, by its path alone, and another path lies below it as if it were a folder.
    pub fn is_file_above(&self, path: &str) -> bool {
        let is_file = self.segments.iter().all(|segment| matches!(segment, Segment::Literal(_)));
        is_file && path.strip_prefix(&self.text).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Returns whether this names a folder outright: it lies within it, or owns all of it by a path that leads there.
    pub fn names(&self, folder: &str) -> bool {
        let folder: Vec<&str> = folder.split('/').collect();
        let own: Vec<&str> = self.literal_names().collect();
        let is_whole = self.segments.get(own.len()..) == Some(&[Segment::Folders]);
        own.starts_with(&folder) || (is_whole && !own.is_empty() && folder.starts_with(&own))
    }

    /// Lists the names before the first glob: two patterns whose lists part ways share nothing.
    pub fn literal_names(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().map_while(|segment| match segment {
            Segment::Literal(name) => Some(name.as_str()),
            Segment::Folders | Segment::Glob(_) => None,
        })
    }
}

impl fmt::Display for OwnedPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> OwnedPattern {
        text.parse().unwrap_or_else(|fault| panic!("{text}: {fault}"))
    }

    #[test]
    fn what_leads_elsewhere_or_is_another_dialect_is_refused() {
        let long = "a".repeat(513);
        for (text, fault) in [
            ("", PatternFault::Empty),
            (" ", PatternFault::Empty),
            (&long, PatternFault::TooLong),
            ("/etc/passwd", PatternFault::Absolute),
            ("~/x", PatternFault::Absolute),
            ("C:/x", PatternFault::Absolute),
            ("..", PatternFault::Parent),
            ("src/../../x", PatternFault::Parent),
            ("./src", PatternFault::Here),
            ("src//x", PatternFault::EmptyPart),
            ("src\\x", PatternFault::Backslash),
            ("src/\u{1b}x", PatternFault::Control),
            ("src/a**", PatternFault::Stars),
            ("src/{a,b}.rs", PatternFault::Braces),
            (".git/config", PatternFault::Git),
            ("vendor/.GIT/config", PatternFault::Git),
        ] {
            assert_eq!(text.parse::<OwnedPattern>(), Err(fault), "{text:?}");
            assert_ne!(fault.help(), "");
        }
    }

    #[test]
    fn a_path_owns_itself_a_folder_what_is_below_it_and_a_glob_what_it_matches() {
        for (text, owned, not_owned) in [
            ("src/auth/", ["src/auth/x", "src/auth/a/b.rs"], ["src/author", "src"]),
            ("src/auth/**", ["src/auth/x", "src/auth/a/b.rs"], ["src/author", "src"]),
            ("src/*/", ["src/a/b.rs", "src/a/b/c"], ["src", "lib/a/b.rs"]),
            ("src/*", ["src/a", "src/.hidden"], ["src/a/b", "src"]),
            ("**/*.rs", ["a.rs", "a/b/c.rs"], ["a.rs/b", "a.md"]),
            (
                "app/[id]/p?ge.tsx",
                ["app/[id]/page.tsx", "app/[id]/p-ge.tsx"],
                ["app/i/page.tsx", "app/[id]/pge.tsx"],
            ),
            ("**", ["a", "a/b"], [".git/config", "../a"]),
            ("src/auth", ["src/auth"; 2], ["src/auth/a/b.rs", "src/auth/x"]),
        ] {
            for path in owned {
                assert!(pattern(text).owns(path), "{text} {path}");
            }
            for path in not_owned {
                assert!(!pattern(text).owns(path), "{text} {path}");
            }
        }
    }

    #[test]
    fn a_file_lies_above_what_only_a_folder_could_hold() {
        assert!(pattern("src/auth").is_file_above("src/auth/login.rs"));
        for text in ["src/auth/", "src/*", "src/aut", "src/auth/login.rs"] {
            assert!(!pattern(text).is_file_above("src/auth/login.rs"), "{text}");
        }
    }

    #[test]
    fn a_folder_is_named_by_what_lies_in_it_and_by_the_way_to_it() {
        let folder = "agentd/changes/add-login";
        for text in [
            "agentd/",
            "agentd/changes/",
            "agentd/**",
            "agentd/changes/add-login",
            "agentd/changes/add-login/x*",
        ] {
            assert!(pattern(text).names(folder), "{text}");
        }
        for text in
            ["**", "**/*.md", "agentd", "agentd/project.md", "agentd/changes/other", "agentd/*/x"]
        {
            assert!(!pattern(text).names(folder), "{text}");
        }
    }
}
