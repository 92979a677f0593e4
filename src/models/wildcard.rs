//! Patterns of names, in which `*` stands for any characters.

/// Returns whether a name is one that a pattern stands for; `*` is any number of any characters.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(start) else { return false };
    let mut pieces = rest.split('*').peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return left.ends_with(piece);
        }
        let Some(at) = left.find(piece) else { return false };
        left = &left[at + piece.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, name, expected) in [
            ("PATH", "PATH", true),
            ("PATH", "PATHS", false),
            ("LC_*", "LC_ALL", true),
            ("LC_*", "LC", false),
            ("*", "", true),
            ("*_TOKEN", "GH_TOKEN", true),
            ("*_TOKEN", "GH_TOKEN_2", false),
            ("A*B*C", "AxxBxxC", true),
            ("A*B*C", "AxxCxxB", false),
            ("*A*A", "A", false),
            ("A*A", "A", false),
            ("*SESSION*", "CLAUDE_SESSION_ID", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
