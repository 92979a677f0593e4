//! The one way in which parts of a prompt are joined.

/// What stands between two parts.
pub const SEPARATOR: &str = "\n\n---\n\n";

/// Joins the parts that are not empty, in order, into a string of exactly the size they need.
pub(super) fn join<'p>(parts: impl Iterator<Item = &'p str> + Clone, separator: &str) -> String {
    let parts = parts.filter(|part| !is_empty(part));
    let size: usize = parts.clone().map(|part| part.len() + separator.len()).sum();
    let mut out = String::with_capacity(size.saturating_sub(separator.len()));
    for part in parts {
        if !out.is_empty() {
            out.push_str(separator);
        }
        out.push_str(part);
    }
    out
}

/// Returns whether a part leaves no trace: it holds nothing but white space.
pub(super) fn is_empty(part: &str) -> bool {
    part.trim_start().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_parts_leave_no_trace_and_the_size_is_exact() {
        let joined = join(["", "a", " \n", "b", ""].into_iter(), SEPARATOR);
        assert_eq!(joined, "a\n\n---\n\nb");
        assert_eq!(joined.capacity(), joined.len());
        assert_eq!(join([].into_iter(), SEPARATOR), "");
    }
}
