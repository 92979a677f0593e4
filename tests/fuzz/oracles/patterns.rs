//! What patterns own, worked out by trying every way: slow, and without anything of the code that it judges.

/// Says whether a pattern owns a path.
pub(crate) fn owns(pattern: &str, path: &str) -> bool {
    let below = pattern.ends_with('/');
    let parts = parts(pattern);
    let names: Vec<&str> = path.split('/').collect();
    let whole = |count: usize| path_matches(&parts, &names[..count]);
    whole(names.len()) || (below && (1..names.len()).any(whole))
}

/// Says whether a pattern could match something below a path: some of its first parts match all of it.
pub(crate) fn could_go_on(pattern: &str, path: &str) -> bool {
    let parts = parts(pattern);
    let names: Vec<&str> = path.split('/').collect();
    (1..=parts.len()).any(|count| path_matches(&parts[..count], &names)) || owns(pattern, path)
}

fn parts(pattern: &str) -> Vec<&str> {
    pattern.strip_suffix('/').unwrap_or(pattern).split('/').collect()
}

fn path_matches(parts: &[&str], names: &[&str]) -> bool {
    match parts.split_first() {
        None => names.is_empty(),
        Some((&"**", rest)) => (0..=names.len()).any(|taken| path_matches(rest, &names[taken..])),
        Some((part, rest)) => names.split_first().is_some_and(|(name, others)| {
            let [part, name] = [part, name].map(|text| text.chars().collect::<Vec<_>>());
            name_matches(&part, &name) && path_matches(rest, others)
        }),
    }
}

fn name_matches(part: &[char], name: &[char]) -> bool {
    match part.split_first() {
        None => name.is_empty(),
        Some(('*', rest)) => (0..=name.len()).any(|taken| name_matches(rest, &name[taken..])),
        Some(('?', rest)) => !name.is_empty() && name_matches(rest, &name[1..]),
        Some((letter, rest)) => name.first() == Some(letter) && name_matches(rest, &name[1..]),
    }
}

/// Says whether the slow way is not too slow.
pub(crate) fn is_short(pattern: &str) -> bool {
    pattern.len() <= 64 && pattern.matches('*').count() <= 4
}

/// Lists some paths that a pattern may own: its globs stand for nothing, for one thing, and for several.
pub(crate) fn examples(pattern: &str) -> Vec<String> {
    let mut examples = Vec::new();
    for folders in ["", "x", "x/y"] {
        for many in ["", "x", ".xy"] {
            let parts = parts(pattern).into_iter().map(|part| match part {
                "**" => folders.to_owned(),
                part => part.replace('*', many).replace('?', "x"),
            });
            let path = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
            examples.push(format!("{path}/x"));
            examples.push(path);
        }
    }
    examples
}
