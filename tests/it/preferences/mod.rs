//! Preference memory: what may be kept and where, what is the same, who decides, and that nothing else is touched.

mod commands;
mod pending;
mod places;
mod properties;
mod refused;
mod together;

use std::fs;
use std::path::Path;

use agentd::prompt::preferences::{Applied, PreferenceEntry, apply_preference_entries};
use tempfile::TempDir;

/// Our file of the coder's prompt.
const OURS: &str = "agentd/prompts/agents/coder.md";

/// The other file of the coder's prompt.
const OTHER: &str = ".agentmux/prompts/agents/coder.md";

fn entry(role: &str, bullet: &str) -> PreferenceEntry {
    PreferenceEntry { target_role: role.to_owned(), bullet: bullet.to_owned() }
}

/// A project with these files.
fn project(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        write(folder.path(), path, text);
    }
    folder
}

fn write(root: &Path, path: &str, text: impl AsRef<[u8]>) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, text).expect("written");
}

fn read(project: &TempDir, path: &str) -> String {
    fs::read_to_string(project.path().join(path)).expect("a file")
}

/// Applies preferences of the coder.
fn apply(project: &TempDir, bullets: &[&str]) -> Applied {
    let entries: Vec<_> = bullets.iter().map(|bullet| entry("coder", bullet)).collect();
    apply_preference_entries(project.path(), &entries).expect("applied")
}

/// Gives what was written, as text.
fn written(applied: &Applied) -> Vec<&str> {
    applied.written.iter().map(|written| written.preference.bullet.as_str()).collect()
}

#[test]
fn seed_002_preferences_are_taken_as_the_submit_tools_hand_them_in() {
    let project = project(&[]);
    let json = r#"[{"target_role": "coder", "bullet": "- Keep regression tests"}]"#;
    let entries: Vec<PreferenceEntry> = serde_json::from_str(json).expect("entries");
    let applied = apply_preference_entries(project.path(), &entries).expect("applied");
    assert_eq!(written(&applied), ["Keep regression tests"]);
    assert_eq!(applied.written[0].file, OURS);
    assert_eq!(read(&project, OURS), "## Approved Preferences\n\n- Keep regression tests\n");
    let more = r#"{"target_role": "coder", "bullet": "a", "force": true}"#;
    assert!(serde_json::from_str::<PreferenceEntry>(more).is_err());
}

#[test]
fn seed_002_preferences_are_written_below_their_heading_in_the_file_of_their_role() {
    let before = "# Coder\n\nWe use `{braces}`.\n\n## Approved Preferences\n\n- Short functions\n\n## Style\n\n- Tabs\n";
    let project = project(&[(OURS, before)]);
    let entries = [entry("coder", "Early returns"), entry("reviewer", "* Name the line")];
    apply_preference_entries(project.path(), &entries).expect("applied");
    let expected = before.replace("- Short functions\n", "- Short functions\n- Early returns\n");
    assert_eq!(read(&project, OURS), expected);
    let reviewer = read(&project, "agentd/prompts/agents/reviewer.md");
    assert_eq!(reviewer, "## Approved Preferences\n\n- Name the line\n");
    assert_eq!(fs::read_dir(project.path()).expect("a folder").count(), 1, "nothing is left over");
}

#[test]
fn seed_002_preferences_are_the_same_whatever_their_marker_spacing_and_case() {
    let project = project(&[]);
    let applied = apply(&project, &["- A", "*  a", "Straße", "STRASSE", "+ keep  IT", "Keep it "]);
    assert_eq!(written(&applied), ["A", "Straße", "keep IT"]);
    assert_eq!(applied.known.len(), 3);
    assert_eq!(read(&project, OURS), "## Approved Preferences\n\n- A\n- Straße\n- keep IT\n");
}

#[test]
fn seed_002_preferences_of_one_batch_are_compared_within_their_role() {
    let project = project(&[]);
    let entries =
        [entry("coder", "Be brief"), entry("planner", "be brief"), entry("coder", "BE BRIEF")];
    let applied = apply_preference_entries(project.path(), &entries).expect("applied");
    let roles: Vec<_> = applied.written.iter().map(|it| it.preference.role.word()).collect();
    assert_eq!(roles, ["planner", "coder"]);
    assert_eq!(applied.known.len(), 1);
}

#[test]
fn seed_002_preferences_that_any_bullet_of_the_role_s_files_says_are_skipped() {
    let ours = "- Use tabs\n\n## Approved Preferences\n\n* Be   BRIEF\n\n```\n- In code\n```\n";
    let project = project(&[(OURS, ours), (OTHER, "  + Write tests\n")]);
    let applied = apply(&project, &["use TABS", "be brief", "write tests", "in code", "fresh"]);
    assert_eq!(written(&applied), ["in code", "fresh"]);
    assert_eq!(applied.known.len(), 3);
    assert_eq!(read(&project, OTHER), "  + Write tests\n");
    let again = read(&project, OURS);
    assert_eq!(apply(&project, &["IN CODE", "Fresh"]).written, []);
    assert_eq!(read(&project, OURS), again);
}

#[test]
fn seed_002_preferences_go_to_the_file_that_exists_and_ours_comes_first() {
    let other = project(&[(OTHER, "# Coder\n")]);
    assert_eq!(apply(&other, &["A"]).written[0].file, OTHER);
    assert_eq!(read(&other, OTHER), "# Coder\n\n## Approved Preferences\n\n- A\n");
    assert!(!other.path().join("agentd").exists());
    let both = project(&[(OURS, ""), (OTHER, "# Coder\n")]);
    assert_eq!(apply(&both, &["A"]).written[0].file, OURS);
    assert_eq!(read(&both, OTHER), "# Coder\n");
}

#[test]
fn nothing_handed_in_writes_nothing_and_needs_no_project() {
    let applied = apply_preference_entries(Path::new("/none"), &[]).expect("nothing to do");
    assert_eq!(applied, Applied::default());
}
