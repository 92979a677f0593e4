//! How the code of a change is looked at as a whole: the commit that it began with, and the command that shows the rest.

use askama::Template;

#[derive(Template)]
#[template(path = "blocks/change-diff.md.j2", escape = "none")]
struct ChangeDiff<'a> {
    base: Option<&'a str>,
    project_dir: &'a str,
}

/// Names the command that shows in a workspace all that the change has changed.
pub(super) fn change_diff(base: Option<&str>, project_dir: &str) -> String {
    ChangeDiff { base, project_dir }.to_string().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_names_the_commit_where_it_is_known() {
        let text = change_diff(Some("c0ffee"), "/srv/shop");
        assert!(text.contains("in `/srv/shop`") && text.ends_with("\n`git diff c0ffee...HEAD`"));
        let text = change_diff(None, "/srv/shop");
        assert!(!text.contains("git diff") && text.contains("`git log`"), "{text}");
    }
}
