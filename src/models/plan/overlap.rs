//! Decides on whole paths: whether a pattern matches one, and which one two patterns share. Names are left to `segment`.

use std::collections::VecDeque;

use super::segment::Segment;

/// Matches from left to right; where that fails, the last `**` takes one name more.
pub(super) fn matches(segments: &[Segment], names: &[&str]) -> bool {
    let (mut segment, mut at) = (0, 0);
    let mut last_folders: Option<(usize, usize)> = None;
    while at < names.len() {
        match segments.get(segment) {
            Some(Segment::Folders) => {
                last_folders = Some((segment + 1, at));
                segment += 1;
            }
            Some(name) if name.matches(names[at]) => (segment, at) = (segment + 1, at + 1),
            Some(_) | None => {
                let Some((after, taken)) = last_folders.as_mut() else { return false };
                *taken += 1;
                (segment, at) = (*after, *taken);
            }
        }
    }
    segments[segment..].iter().all(|segment| *segment == Segment::Folders)
}

/// Whether a path has a name yet: one without any is none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begun {
    Empty,
    Named,
}

/// Finds a short path that both match. Each pair of places in both is looked at once, so that the time is bounded by the
/// product of their lengths, whatever the patterns.
pub(super) fn shared(left: &[Segment], right: &[Segment]) -> Option<String> {
    type State = (usize, usize, Begun);
    let number = |(i, j, begun): State| (i * (right.len() + 1) + j) * 2 + begun as usize;
    // From which state, and by which name, each was reached.
    let mut reached: Vec<Option<(usize, Option<String>)>> =
        vec![None; (left.len() + 1) * (right.len() + 1) * 2];
    let start = (0, 0, Begun::Empty);
    let mut open = VecDeque::from([start]);
    reached[number(start)] = Some((number(start), None));
    while let Some(state @ (i, j, begun)) = open.pop_front() {
        if (i, j) == (left.len(), right.len()) && begun == Begun::Named {
            return Some(spelled(&reached, number(state)));
        }
        let (l, r) = (left.get(i), right.get(j));
        for next in [
            (l == Some(&Segment::Folders)).then_some((i + 1, j, begun)),
            (r == Some(&Segment::Folders)).then_some((i, j + 1, begun)),
        ]
        .into_iter()
        .flatten()
        {
            let slot = &mut reached[number(next)];
            if slot.is_none() {
                *slot = Some((number(state), None));
                open.push_front(next);
            }
        }
        let (Some(l), Some(r)) = (l, r) else { continue };
        let after =
            |segment: &Segment, at: usize| if *segment == Segment::Folders { at } else { at + 1 };
        let next = (after(l, i), after(r, j), Begun::Named);
        if reached[number(next)].is_none()
            && let Some(name) = l.shared(r)
        {
            reached[number(next)] = Some((number(state), Some(name)));
            open.push_back(next);
        }
    }
    None
}

/// Follows the way back to the start.
fn spelled(reached: &[Option<(usize, Option<String>)>], end: usize) -> String {
    let mut names = Vec::new();
    let mut at = end;
    while let Some((before, by)) = reached[at].as_ref().filter(|(before, _)| *before != at) {
        names.extend(by.as_deref());
        at = *before;
    }
    names.reverse();
    names.join("/")
}

#[cfg(test)]
mod tests {
    use crate::models::plan::OwnedPattern;

    fn shared(left: &str, right: &str) -> Option<String> {
        let [left, right]: [OwnedPattern; 2] = [left, right].map(|text| text.parse().unwrap());
        let found = left.shared_with(&right);
        assert_eq!(found.is_some(), right.shared_with(&left).is_some(), "{left} {right}");
        if let Some(path) = &found {
            assert!(left.owns(path) && right.owns(path), "{left} {right} {path}");
        }
        found
    }

    #[test]
    fn two_patterns_share_a_path_exactly_where_one_can_be_found() {
        for (left, right, path) in [
            ("src/auth/", "src/auth/login.rs", "src/auth/login.rs"),
            ("src/**/*.rs", "src/auth/*", "src/auth/x.rs"),
            ("**", "**", "x"),
            ("a/**/b", "a/*/c/b", "a/x/c/b"),
            ("**/test_*", "src/*_b", "src/test_b"),
            ("src", "src", "src"),
            ("src/", "src", "src"),
            ("**/a/**", "**/b/**", "b/a"),
            ("*/config", ".git*/config", ".gitx/config"),
        ] {
            assert_eq!(shared(left, right).as_deref(), Some(path), "{left} {right}");
        }
        for (left, right) in [
            ("src/auth", "src/author"),
            ("src/**/*.ts", "src/config.json"),
            ("**/*.md", "src/a.rs"),
            ("src/auth", "src/auth/login.rs"),
            ("src/*.rs", "src/*.md"),
            ("src/*", "src/*/*"),
            ("a/?", "a/??"),
            ("**/*.rs", "docs/*.md"),
            ("a/**/b", "a/**/c"),
            ("**/.gi?", "**/.g?t"),
        ] {
            assert_eq!(shared(left, right), None, "{left} {right}");
        }
    }
}
