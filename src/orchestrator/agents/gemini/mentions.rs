//! Gemini CLI takes `@` and a path in a prompt for a request to insert that file, and rewrites the rest of the prompt
//! as it does so. It even searches the workspace for names that contain the word. A backslash before the `@` stops
//! it; the model sees the backslash, since nothing removes it.

/// Puts a backslash before every `@` that Gemini CLI would take for a mention, and before no other.
pub(super) fn escape(prompt: &str) -> String {
    let mut escaped = String::with_capacity(prompt.len() + prompt.len() / 64);
    let mut rest = prompt;
    while let Some(at) = rest.find('@') {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        escaped.push_str(before);
        if !escaped.ends_with('\\') && begins_a_path(after) {
            escaped.push('\\');
        }
        escaped.push('@');
        rest = after;
    }
    escaped.push_str(rest);
    escaped
}

/// Returns whether Gemini CLI reads a path where this text begins.
fn begins_a_path(text: &str) -> bool {
    let mut characters = text.chars();
    match characters.next() {
        None => false,
        Some(first) if " \t\n\r,;!?()[]{}".contains(first) => false,
        // A full stop at the end of a sentence is no part of a path.
        Some('.') => !matches!(characters.next(), None | Some(' ' | '\t' | '\n' | '\r')),
        Some(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_would_be_a_mention_gets_a_backslash() {
        for (prompt, expected) in [
            ("see @src/main.rs", "see \\@src/main.rs"),
            ("mail a@b.c", "mail a\\@b.c"),
            ("@Override", "\\@Override"),
            ("@\"a b\"", "\\@\"a b\""),
            ("@@x", "\\@\\@x"),
            ("@.hidden", "\\@.hidden"),
            ("\\@x", "\\@x"),
            ("5 @ 3", "5 @ 3"),
            ("ends with @", "ends with @"),
            ("at @. And @.", "at @. And @."),
            ("@, @; @! @? @( @) @[ @] @{ @}\n@\n", "@, @; @! @? @( @) @[ @] @{ @}\n@\n"),
            ("é@é", "é\\@é"),
        ] {
            assert_eq!(escape(prompt), expected);
        }
    }
}
