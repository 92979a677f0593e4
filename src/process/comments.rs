//! JSON as people write it in files of settings: with comments, which are taken out before it is read.

/// Takes the comments out of JSON; what is left has the same lines and columns. An open comment ends with the text.
pub(super) fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('"', _) => {
                kept.push('"');
                while let Some(inside) = characters.next() {
                    kept.push(inside);
                    match inside {
                        '"' => break,
                        '\\' => kept.extend(characters.next()),
                        _ => {}
                    }
                }
            }
            ('/', Some('/')) => {
                kept.push(' ');
                while let Some(inside) = characters.next_if(|inside| *inside != '\n') {
                    kept.push(blank(inside));
                }
            }
            ('/', Some('*')) => {
                kept.push_str("  ");
                characters.next();
                while let Some(inside) = characters.next() {
                    if inside == '*' && characters.next_if_eq(&'/').is_some() {
                        kept.push_str("  ");
                        break;
                    }
                    kept.push(blank(inside));
                }
            }
            _ => kept.push(character),
        }
    }
    kept
}

/// Returns what stands in the place of a character of a comment.
const fn blank(character: char) -> char {
    match character {
        '\n' | '\r' | '\t' => character,
        _ => ' ',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_taken_out_and_strings_stay_as_they_are() {
        for (text, expected) in [
            ("{}", "{}"),
            ("{} // the end", "{}           "),
            ("// one\n{\"a\": /* two\n */ 1}", "      \n{\"a\":       \n    1}"),
            (r#"{"a": "// \" /* no */"}"#, r#"{"a": "// \" /* no */"}"#),
            (r#"{"a\\": "x"} //"#, r#"{"a\\": "x"}   "#),
            ("/**/1/***/", "    1     "),
            ("/* open", "       "),
            ("\"open // \\", "\"open // \\"),
            ("1 / 2", "1 / 2"),
        ] {
            assert_eq!(without_comments(text), expected, "{text}");
        }
    }
}
