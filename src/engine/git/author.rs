//! Whose commits are made: the user's, where git knows the user, else agentd's own. The committer is always agentd.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

/// Who commits: a name and an address.
pub(super) const AGENTD: (&str, &str) = ("agentd", "agentd@localhost");

/// Whose a commit is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Author {
    pub(super) name: OsString,
    pub(super) address: OsString,
}

impl Default for Author {
    fn default() -> Self {
        Self { name: AGENTD.0.into(), address: AGENTD.1.into() }
    }
}

impl Author {
    /// Reads `Name <address> seconds zone`, as git prints it. It lets no angle bracket into either.
    pub(super) fn read(ident: &[u8]) -> Option<Self> {
        let open = ident.iter().position(|byte| *byte == b'<')?;
        let close = ident.iter().position(|byte| *byte == b'>')?;
        let text = |bytes: &[u8]| OsString::from_vec(bytes.trim_ascii().to_vec());
        Some(Self { name: text(ident.get(..open)?), address: text(ident.get(open + 1..close)?) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_author_is_what_stands_before_and_within_the_angle_brackets() {
        let ada = Author::read("Ada Ł. <ada@example.com> 1794885404 +0100\n".as_bytes());
        let expected = Author { name: "Ada Ł.".into(), address: "ada@example.com".into() };
        assert_eq!(ada, Some(expected));
        assert_eq!(Author::read(b"Ada"), None);
        assert_eq!(Author::read(b"> <"), None);
    }
}
