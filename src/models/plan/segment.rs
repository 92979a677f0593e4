//! One name of a pattern, between two slashes: which names it matches, and a name that two of them share.

use std::collections::VecDeque;

/// A part of a pattern between slashes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Segment {
    /// `**`: any number of names, also none.
    Folders,
    /// Exactly this name.
    Literal(String),
    /// The names that these tokens match.
    Glob(Vec<Token>),
}

/// A part of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Token {
    /// Exactly this character.
    Character(char),
    /// `?`: one character.
    One,
    /// `*`: any number of characters, also none.
    Many,
}

/// What stands where two patterns leave it open.
const ANY: char = 'x';

impl Segment {
    /// Reads what stands between two slashes.
    pub(super) fn of(text: &str) -> Self {
        if text == "**" {
            return Self::Folders;
        }
        if !text.contains(['*', '?']) {
            return Self::Literal(text.to_owned());
        }
        let token = |character| match character {
            '*' => Token::Many,
            '?' => Token::One,
            other => Token::Character(other),
        };
        Self::Glob(text.chars().map(token).collect())
    }

    /// Returns whether a single name is matched.
    pub(super) fn matches(&self, name: &str) -> bool {
        match self {
            Self::Folders => true,
            Self::Literal(literal) => literal == name,
            Self::Glob(tokens) => tokens_match(tokens, name),
        }
    }

    /// Finds a name that both match, of those that a plan's file can have.
    pub(super) fn shared(&self, other: &Self) -> Option<String> {
        match (self, other) {
            (Self::Folders, Self::Folders) => Some(ANY.to_string()),
            (Self::Literal(name), segment) | (segment, Self::Literal(name)) => {
                segment.matches(name).then(|| name.clone())
            }
            (Self::Folders, Self::Glob(tokens)) | (Self::Glob(tokens), Self::Folders) => {
                shared(tokens, &[Token::Many])
            }
            (Self::Glob(left), Self::Glob(right)) => shared(left, right),
        }
    }
}

/// Matches from left to right; where that fails, the last `*` takes one character more.
fn tokens_match(tokens: &[Token], name: &str) -> bool {
    let characters: Vec<char> = name.chars().collect();
    let (mut token, mut at) = (0, 0);
    let mut last_many: Option<(usize, usize)> = None;
    while at < characters.len() {
        match tokens.get(token) {
            Some(Token::Many) => {
                last_many = Some((token + 1, at));
                token += 1;
            }
            Some(Token::One) => (token, at) = (token + 1, at + 1),
            Some(Token::Character(c)) if *c == characters[at] => {
                (token, at) = (token + 1, at + 1);
            }
            Some(Token::Character(_)) | None => {
                let Some((after, taken)) = last_many.as_mut() else { return false };
                *taken += 1;
                (token, at) = (*after, *taken);
            }
        }
    }
    tokens[token..].iter().all(|token| *token == Token::Many)
}

/// How a name has begun: `.` and `..` are no names of files, and nobody owns `.git`, so it matters how far a name is one
/// of these.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begun {
    Empty,
    Dot,
    DotDot,
    DotG,
    DotGi,
    DotGit,
    Name,
}

impl Begun {
    const COUNT: usize = 7;

    const fn with(self, character: char) -> Self {
        match (self, character.to_ascii_lowercase()) {
            (Self::Empty, '.') => Self::Dot,
            (Self::Dot, '.') => Self::DotDot,
            (Self::Dot, 'g') => Self::DotG,
            (Self::DotG, 'i') => Self::DotGi,
            (Self::DotGi, 't') => Self::DotGit,
            _ => Self::Name,
        }
    }

    /// Returns whether a name that ends here can be a plan's.
    const fn is_name(self) -> bool {
        match self {
            Self::DotG | Self::DotGi | Self::Name => true,
            Self::Empty | Self::Dot | Self::DotDot | Self::DotGit => false,
        }
    }
}

/// Whether a hidden name will do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hidden {
    Avoided,
    Taken,
}

/// Finds a short name that both match; one that is not hidden, if there is one.
fn shared(left: &[Token], right: &[Token]) -> Option<String> {
    shortest(left, right, Hidden::Avoided).or_else(|| shortest(left, right, Hidden::Taken))
}

/// Searches the pairs of places in both, breadth first: each is seen once, so the time is that of their product.
fn shortest(left: &[Token], right: &[Token], hidden: Hidden) -> Option<String> {
    type State = (usize, usize, Begun);
    let number = |(i, j, begun): State| (i * (right.len() + 1) + j) * Begun::COUNT + begun as usize;
    let states = (left.len() + 1) * (right.len() + 1) * Begun::COUNT;
    // From which state, and by which character, each was reached.
    let mut reached: Vec<Option<(usize, Option<char>)>> = vec![None; states];
    let start = (0, 0, Begun::Empty);
    let mut open = VecDeque::from([start]);
    reached[number(start)] = Some((number(start), None));
    while let Some(state @ (i, j, begun)) = open.pop_front() {
        if (i, j) == (left.len(), right.len()) && begun.is_name() {
            return Some(spelled(&reached, number(state)));
        }
        let (l, r) = (left.get(i), right.get(j));
        let mut reach = |next: State, by: Option<char>| {
            let slot = &mut reached[number(next)];
            if slot.is_none() {
                *slot = Some((number(state), by));
                match by {
                    Some(_) => open.push_back(next),
                    None => open.push_front(next),
                }
            }
        };
        if l == Some(&Token::Many) {
            reach((i + 1, j, begun), None);
        }
        if r == Some(&Token::Many) {
            reach((i, j + 1, begun), None);
        }
        let (Some(l), Some(r)) = (l, r) else { continue };
        let character = match (l, r) {
            (Token::Character(a), Token::Character(b)) if a != b => continue,
            (Token::Character(c), _) | (_, Token::Character(c)) => *c,
            (Token::One | Token::Many, Token::One | Token::Many) => ANY,
        };
        if begun == Begun::Empty && character == '.' && hidden == Hidden::Avoided {
            continue;
        }
        let after = |token: &Token, at: usize| if *token == Token::Many { at } else { at + 1 };
        reach((after(l, i), after(r, j), begun.with(character)), Some(character));
    }
    None
}

/// Follows the way back to the start.
fn spelled(reached: &[Option<(usize, Option<char>)>], end: usize) -> String {
    let mut characters = Vec::new();
    let mut at = end;
    while let Some((before, by)) = reached[at].filter(|(before, _)| *before != at) {
        characters.extend(by);
        at = before;
    }
    characters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared_name(left: &str, right: &str) -> Option<String> {
        Segment::of(left).shared(&Segment::of(right))
    }

    #[test]
    fn a_shared_name_is_found_exactly_where_there_is_one() {
        assert_eq!(shared_name("*.rs", "a*"), Some("a.rs".to_owned()));
        assert_eq!(shared_name("*.rs", "*"), Some("x.rs".to_owned()));
        assert_eq!(shared_name("?b", "a?"), Some("ab".to_owned()));
        assert_eq!(shared_name("*.rs", "*.md"), None);
        assert_eq!(shared_name("a?", "a"), None);
        assert_eq!(shared_name(".*", "?*"), Some(".x".to_owned()));
        assert_eq!(shared_name("**", "?"), Some("x".to_owned()));
    }

    #[test]
    fn names_that_no_file_can_have_are_not_shared() {
        assert_eq!(shared_name(".?", "?."), None, "only `..` is left");
        assert_eq!(shared_name(".*", "*."), Some(".x.".to_owned()));
        assert_eq!(shared_name("*", "?"), Some("x".to_owned()));
    }

    #[test]
    fn the_folder_of_git_is_shared_by_nobody() {
        assert_eq!(shared_name(".gi?", ".g?t"), None, "only `.git` is left");
        assert_eq!(shared_name(".GI?", ".?IT"), None, "however it is written");
        assert_eq!(shared_name("*", ".git*"), Some(".gitx".to_owned()));
        assert_eq!(shared_name(".g*", ".?i"), Some(".gi".to_owned()));
        assert_eq!(shared_name(".git?", ".gi*"), Some(".gitx".to_owned()));
    }

    #[test]
    fn many_stars_are_matched_without_trying_every_way() {
        let many = Segment::of(&"*a".repeat(100));
        assert!(!many.matches(&format!("{}b", "a".repeat(200))));
        assert!(many.matches(&"a".repeat(200)));
        let other = Segment::of(&format!("{}b", "a*".repeat(100)));
        assert_eq!(many.shared(&other), None);
    }
}
