//! Cuts a source into tokens. Lexing is lossless (the tokens' spans cover the source without gap or
//! overlap), never fails and takes linear time: what is wrong becomes a token that the parser reports.

use super::dialect::{Braces, Brackets, Dialect, Directive};
use super::nearest::edits;
use super::span::Span;

/// A token and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What the token is.
    pub kind: TokenKind,
    /// All bytes of the token, delimiters included.
    pub span: Span,
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Text that is copied as it stands.
    Text,
    /// A doubled opener, which stands for its second half: `{{{{` is the text `{{`.
    Escape,
    /// `{{…}}`.
    Brace {
        /// What stands between the braces.
        inner: Span,
    },
    /// `[[word:…]]`, or `[[word…]]` where the word is a directive's name or near it.
    Bracket {
        /// The word after `[[`.
        word: Span,
        /// What follows the colon, if there is one.
        argument: Option<Span>,
    },
    /// An opener whose closer comes neither before the end of the line nor before the next opener.
    Unclosed,
    /// YAML between two lines of `---` at the start of the file.
    Frontmatter {
        /// The YAML, without the lines of dashes.
        yaml: Span,
    },
}

/// Lexes `source` in the given dialect.
///
/// ```
/// use agentd::template::{Dialect, lexer::{lex, TokenKind}};
///
/// let source = "Hello {{TASKS}}, [[bin]]";
/// let tokens = lex(source, &Dialect::SYSTEM);
/// assert_eq!(tokens.iter().map(|t| t.span.of(source)).collect::<String>(), source);
/// assert!(matches!(tokens[1].kind, TokenKind::Brace { .. }));
/// assert_eq!(tokens[2].span.of(source), ", [[bin]]");
/// ```
pub fn lex(source: &str, dialect: &Dialect<'_>) -> Vec<Token> {
    let mut lexer = Lexer { source, dialect, tokens: Vec::new(), text_start: 0 };
    let body = if dialect.frontmatter { lexer.frontmatter() } else { 0 };
    lexer.body(body);
    lexer.tokens
}

struct Lexer<'s> {
    source: &'s str,
    dialect: &'s Dialect<'s>,
    tokens: Vec<Token>,
    text_start: usize,
}

impl Lexer<'_> {
    fn body(&mut self, mut at: usize) {
        self.text_start = at;
        let bytes = self.source.as_bytes();
        while let Some(offset) = bytes[at..].iter().position(|byte| matches!(byte, b'{' | b'[')) {
            at += offset;
            let token = if bytes[at..].starts_with(b"{{") {
                self.brace(at)
            } else if bytes[at..].starts_with(b"[[") {
                self.bracket(at)
            } else {
                None
            };
            match token {
                Some(token) => {
                    self.flush_text(at);
                    self.text_start = token.span.end;
                    at = token.span.end;
                    self.tokens.push(token);
                }
                None => at += 1,
            }
        }
        self.flush_text(self.source.len());
    }

    fn flush_text(&mut self, end: usize) {
        if self.text_start < end {
            self.tokens
                .push(Token { kind: TokenKind::Text, span: Span::new(self.text_start, end) });
        }
    }

    /// Takes the frontmatter off the front and returns where the body starts.
    fn frontmatter(&mut self) -> usize {
        let Some(first) = self.source.lines().next().filter(|line| line.trim_end() == "---") else {
            return 0;
        };
        let open = self.line_after(first.len());
        let mut at = open;
        while at < self.source.len() {
            let next = self.line_after(at);
            if self.source[at..next].trim_end() == "---" {
                let kind = TokenKind::Frontmatter { yaml: Span::new(open, at) };
                self.tokens.push(Token { kind, span: Span::new(0, next) });
                return next;
            }
            at = next;
        }
        self.tokens.push(Token { kind: TokenKind::Unclosed, span: Span::new(0, open) });
        open
    }

    /// Finds the start of the line after the one that holds `at`.
    fn line_after(&self, at: usize) -> usize {
        self.source[at..].find('\n').map_or(self.source.len(), |offset| at + offset + 1)
    }

    /// Makes the token for an opener at `at` that nothing closes before the line's end.
    fn unclosed(&self, at: usize, line_end: usize) -> Token {
        let length = self.source[at..line_end].trim_end_matches('\r').len();
        Token { kind: TokenKind::Unclosed, span: Span::new(at, at + length) }
    }

    fn brace(&self, at: usize) -> Option<Token> {
        if self.dialect.braces == Braces::Text {
            return None;
        }
        if self.source[at..].starts_with("{{{{") {
            return Some(Token { kind: TokenKind::Escape, span: Span::new(at, at + 4) });
        }
        let bytes = self.source.as_bytes();
        let mut i = at + 2;
        while i < bytes.len() && bytes[i] != b'\n' && !bytes[i..].starts_with(b"{{") {
            if bytes[i..].starts_with(b"}}") {
                let kind = TokenKind::Brace { inner: Span::new(at + 2, i) };
                return Some(Token { kind, span: Span::new(at, i + 2) });
            }
            i += 1;
        }
        Some(self.unclosed(at, i))
    }

    fn bracket(&self, at: usize) -> Option<Token> {
        if let Brackets::Only(names) = self.dialect.brackets {
            return self.allowed_placeholder(at, names);
        }
        if self.source[at..].starts_with("[[[[") {
            // Only an opener that would be live needs doubling: `[[[[1]]]]` is plain text.
            return self
                .directive_word(at + 2)
                .map(|_| Token { kind: TokenKind::Escape, span: Span::new(at, at + 4) });
        }
        let word = self.directive_word(at)?;
        Some(self.directive(at, word))
    }

    /// Finds the word of a directive that opens at `at`, if one does.
    fn directive_word(&self, at: usize) -> Option<Span> {
        let rest = &self.source[at + 2..];
        let start = at + 2 + (rest.len() - rest.trim_start_matches(' ').len());
        let in_word = |byte: &u8| is_name_byte(byte.to_ascii_lowercase());
        let length = self.source[start..].bytes().take_while(in_word).count();
        let word = Span::new(start, start + length);
        let text = word.of(self.source);
        let argument = self.source[word.end..].starts_with(':');
        let known = || Directive::ALL.iter().any(|directive| edits(text, directive.word()) <= 1);
        let opens = match (start == at + 2, argument) {
            (true, true) => starts_with_letter(text) || known(),
            (true, false) | (false, true) => known(),
            (false, false) => false,
        };
        opens.then_some(word)
    }

    /// Lexes a directive to its closer on the same line, with the markers nested in its argument.
    fn directive(&self, at: usize, word: Span) -> Token {
        let bytes = self.source.as_bytes();
        let mut depth = 1;
        let mut i = word.end;
        while i < bytes.len() && bytes[i] != b'\n' {
            if bytes[i..].starts_with(b"[[") {
                depth += 1;
                i += 2;
            } else if bytes[i..].starts_with(b"]]") {
                depth -= 1;
                i += 2;
                if depth == 0 {
                    let argument =
                        (bytes[word.end] == b':').then(|| Span::new(word.end + 1, i - 2));
                    let kind = TokenKind::Bracket { word, argument };
                    return Token { kind, span: Span::new(at, i) };
                }
            } else {
                i += 1;
            }
        }
        self.unclosed(at, i)
    }

    /// In a project's text a placeholder of an allowed name is live, and nothing else is.
    fn allowed_placeholder(&self, at: usize, names: &[&str]) -> Option<Token> {
        const OPEN: &str = "[[placeholder:";
        let rest = self.source[at..].strip_prefix(OPEN)?;
        let length = rest.bytes().take_while(|byte| is_name_byte(*byte)).count();
        let name = &rest[..length];
        if !rest[length..].starts_with("]]") || !names.contains(&name) {
            return None;
        }
        let argument = Span::new(at + OPEN.len(), at + OPEN.len() + length);
        let word = Span::new(at + 2, argument.start - 1);
        Some(Token {
            kind: TokenKind::Bracket { word, argument: Some(argument) },
            span: Span::new(at, argument.end + 2),
        })
    }
}

/// Returns whether a word before a colon can be meant as a directive: `[[1:2]]` and `[[NOTE: x]]` are not.
fn starts_with_letter(word: &str) -> bool {
    is_name(word) && word.starts_with(|first: char| first.is_ascii_lowercase())
}

const fn is_name_byte(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-')
}

/// Returns whether `text` is a name as `[[…]]` knows them: `[a-z0-9][a-z0-9_-]*`.
pub fn is_name(text: &str) -> bool {
    text.bytes().all(is_name_byte)
        && text.bytes().next().is_some_and(|first| first.is_ascii_alphanumeric())
}
