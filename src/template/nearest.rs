//! Did-you-mean: the known word that a mistyped one most likely stands for.

/// Words longer than this are not compared: no name of the language is near that long.
const LONGEST: usize = 48;

/// Finds the candidate that is within a third of its length in edits of `word`, case apart.
///
/// ```
/// use agentd::template::nearest::nearest;
///
/// assert_eq!(nearest("TASK", ["TASKS", "ARTIFACTS"]), Some("TASKS"));
/// assert_eq!(nearest("bin", ["include", "shared"]), None);
/// ```
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    if word.is_empty() {
        return None;
    }
    candidates
        .into_iter()
        .map(|candidate| (edits(word, candidate), candidate))
        .filter(|(edits, candidate)| *edits <= (candidate.len() / 3).max(1))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// Asks whether the nearest candidate was meant, if there is one.
pub fn meant<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    nearest(word, candidates).map(|near| format!("did you mean `{near}`?"))
}

/// Counts insertions, deletions, substitutions and swaps of neighbours, case apart; words that are too long to
/// be compared are as far apart as can be.
pub fn edits(left: &str, right: &str) -> usize {
    if left.len() > LONGEST || right.len() > LONGEST {
        return usize::MAX;
    }
    let left: Vec<char> = left.chars().map(|c| c.to_ascii_lowercase()).collect();
    let right: Vec<char> = right.chars().map(|c| c.to_ascii_lowercase()).collect();
    let mut before = vec![0; right.len() + 1];
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for i in 1..=left.len() {
        let mut row = vec![i; right.len() + 1];
        for j in 1..=right.len() {
            let substituted = above[j - 1] + usize::from(left[i - 1] != right[j - 1]);
            row[j] = substituted.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted_with_swaps() {
        assert_eq!(edits("include", "include"), 0);
        assert_eq!(edits("inclde", "include"), 1);
        assert_eq!(edits("incldue", "include"), 1);
        assert_eq!(edits("", "abc"), 3);
    }

    #[test]
    fn a_near_word_is_found_whatever_its_case() {
        assert_eq!(
            nearest("project_context", ["PROJECT_CONTEXT", "TASKS"]),
            Some("PROJECT_CONTEXT")
        );
        assert_eq!(nearest("", ["a"]), None);
        assert_eq!(nearest(&"x".repeat(100), ["TASKS"]), None);
    }
}
