//! The completion markers: the files with which an agent says that its work is done, and when it creates which.

use std::num::NonZeroU32;

use askama::Template;

/// What a completion marker is created for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Completion {
    /// One plan.
    Plan(NonZeroU32),
    /// Every plan of the change, one after the other.
    Plans(Vec<NonZeroU32>),
    /// The mending of what a review found.
    Fix,
    /// The design.
    Design,
}

#[derive(Template)]
#[template(path = "blocks/completion-markers.md.j2", escape = "none")]
struct Markers<'a> {
    completion: &'a Completion,
    feature_dir: &'a str,
}

impl Completion {
    /// Returns which markers to create, and when.
    pub(super) fn instructions(&self, feature_dir: &str) -> String {
        Markers { completion: self, feature_dir }.to_string().trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(numbers: &[u32]) -> Vec<NonZeroU32> {
        numbers.iter().copied().filter_map(NonZeroU32::new).collect()
    }

    #[test]
    fn each_kind_of_work_has_its_own_markers() {
        let one = Completion::Plan(numbers(&[3])[0]).instructions("/c");
        assert!(one.contains("`/c/06_implementation/done_3`") && one.contains("very last"));
        let all = Completion::Plans(numbers(&[1, 2])).instructions("/c");
        assert!(
            all.contains("`/c/06_implementation/done_1`")
                && all.contains("`/c/06_implementation/done_2`")
        );
        assert!(all.contains("as soon as"), "{all}");
        assert!(Completion::Fix.instructions("/c").contains("`/c/06_implementation/done_fix`"));
        assert!(Completion::Design.instructions("/c").contains("`/c/05_design/done`"));
        for completion in [Completion::Fix, Completion::Design] {
            assert!(!completion.instructions("/c").contains("done_1"));
        }
    }
}
