//! Patterns of paths: `*` stands for any part of a name, `**` for any path.

/// Returns whether a pattern stands for a path.
pub fn covers(pattern: &str, path: &str) -> bool {
    let Some(star) = pattern.find('*') else { return pattern == path };
    let Some(rest) = path.strip_prefix(&pattern[..star]) else { return false };
    let after = &pattern[star..];
    let (tail, crosses) = match after.strip_prefix("**") {
        Some(tail) => (tail, true),
        None => (&after[1..], false),
    };
    let ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
    let mut ends = ends.take_while(|at| crosses || !rest[..*at].contains('/'));
    ends.any(|at| covers(tail, &rest[at..]))
}

/// Returns whether two patterns stand for a path in common.
pub fn overlap(one: &str, other: &str) -> bool {
    let (one, other) = (parts(one), parts(other));
    let width = other.len() + 1;
    let (mut is_seen, mut open) = (vec![false; (one.len() + 1) * width], vec![(0, 0)]);
    while let Some((a, b)) = open.pop() {
        if std::mem::replace(&mut is_seen[a * width + b], true) {
            continue;
        }
        let (left, right) = (one.get(a), other.get(b));
        if left.is_none() && right.is_none() {
            return true;
        }
        let may_end = |part: Option<&Part>| part.is_some_and(|part| part.next(0) == 0);
        open.extend(may_end(left).then_some((a + 1, b)));
        open.extend(may_end(right).then_some((a, b + 1)));
        if let (Some(left), Some(right)) = (left, right)
            && left.meets(*right)
        {
            open.push((left.next(a), right.next(b)));
        }
    }
    false
}

/// A part of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Character(char),
    /// Any characters of a name.
    Name,
    /// Any characters.
    Path,
}

impl Part {
    /// Returns whether a character can belong to both parts.
    const fn meets(self, other: Self) -> bool {
        match (self, other) {
            (Self::Character(one), Self::Character(other)) => one == other,
            (Self::Character(one), Self::Name) | (Self::Name, Self::Character(one)) => one != '/',
            (Self::Path, _) | (_, Self::Path) | (Self::Name, Self::Name) => true,
        }
    }

    /// Returns which part is next after a character of this one.
    const fn next(self, at: usize) -> usize {
        match self {
            Self::Character(_) => at + 1,
            Self::Name | Self::Path => at,
        }
    }
}

fn parts(pattern: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for character in pattern.chars() {
        match (character, parts.last_mut()) {
            ('*', Some(last @ Part::Name)) => *last = Part::Path,
            ('*', _) => parts.push(Part::Name),
            (character, _) => parts.push(Part::Character(character)),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_stands_for_names_and_for_paths() {
        assert!(covers("tasks.md", "tasks.md") && !covers("tasks.md", "tasks.mdx"));
        assert!(covers("specs/*.md", "specs/login.md") && covers("specs/*.md", "specs/*.md"));
        assert!(!covers("specs/*.md", "specs/a/b.md") && !covers("*.md", "specs/a.md"));
        assert!(covers("archive/**", "archive/specs/a.md") && !covers("archive/**", "tasks.md"));
        assert!(covers("a*b*c", "a-b-b-c") && !covers("a*b*c", "a-c"));
    }

    #[test]
    fn patterns_overlap_where_a_path_is_of_both() {
        for (one, other, expected) in [
            ("tasks.md", "tasks.md", true),
            ("tasks.md", "tasks.mdx", false),
            ("*.md", "tasks.md", true),
            ("*.md", "specs/*.md", false),
            ("**", "specs/*.md", true),
            ("spec*/a*.md", "specs/*.md", true),
            ("spec*/a*.txt", "specs/*.md", false),
            ("specs/login.md", "specs/*.md", true),
            ("specs/a/b.md", "specs/*.md", false),
            ("specs/**", "specs/*.md", true),
            ("a*", "*b", true),
            ("a*", "b*", false),
            ("", "*", true),
            ("", "a", false),
        ] {
            assert_eq!(overlap(one, other), expected, "{one} {other}");
            assert_eq!(overlap(other, one), expected, "{other} {one}");
        }
        let many = "a*".repeat(200);
        assert!(
            overlap(&many, &format!("{many}b*"))
                && !overlap(&format!("{many}b"), &many.replace('a', "c"))
        );
    }
}
