//! The files of preferences: only the project's own, only text, and as they were but for our lines.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

use agentd::prompt::preferences::{
    PreferenceError, Which, apply_preference_entries, approved, remove,
};
use agentd::template::Role;
use tempfile::TempDir;

use super::{OTHER, OURS, apply, entry, project, read, write};

/// Tries to keep a preference of the coder, and one of the planner before it.
fn refused(project: &TempDir) -> PreferenceError {
    let entries = [entry("planner", "fine"), entry("coder", "New")];
    let error = apply_preference_entries(project.path(), &entries).expect_err("refused");
    assert!(!project.path().join("agentd/prompts/agents/planner.md").exists(), "{error}");
    error
}

#[test]
fn a_link_that_leads_out_of_the_project_is_refused() {
    for link in ["agentd", "agentd/prompts", "agentd/prompts/agents", OURS, OTHER] {
        for place in ["elsewhere", "elsewhere/none"] {
            let outer = project(&[("elsewhere/prompts/agents/coder.md", "theirs")]);
            let root = outer.path().join("project");
            let link = root.join(link);
            fs::create_dir_all(link.parent().expect("a folder")).expect("made");
            symlink(outer.path().join(place), &link).expect("linked");
            let entries = [entry("coder", "New")];
            let error = apply_preference_entries(&root, &entries).expect_err("refused");
            assert!(matches!(error, PreferenceError::Outside(_)), "{link:?}: {error}");
            assert_eq!(read(&outer, "elsewhere/prompts/agents/coder.md"), "theirs");
            assert!(!outer.path().join("elsewhere/none").exists());
        }
    }
}

#[test]
fn a_link_is_refused_wherever_it_leads() {
    let project =
        project(&[(".git/hooks/pre-commit", "#!/bin/sh\n"), ("docs/coder.md", "# Coder\n")]);
    let file = project.path().join(OURS);
    fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    symlink("../../../.git/hooks/pre-commit", &file).expect("linked");
    assert!(matches!(refused(&project), PreferenceError::Outside(_)));
    assert_eq!(read(&project, ".git/hooks/pre-commit"), "#!/bin/sh\n");
    fs::remove_file(&file).expect("removed");
    symlink("../../../docs/coder.md", &file).expect("linked");
    assert!(matches!(refused(&project), PreferenceError::Outside(_)));
    assert_eq!(read(&project, "docs/coder.md"), "# Coder\n");
    fs::remove_file(&file).expect("removed");
    fs::hard_link(project.path().join("docs/coder.md"), &file).expect("linked");
    assert!(matches!(refused(&project), PreferenceError::Shared(_)));
    assert_eq!(read(&project, "docs/coder.md"), "# Coder\n");
}

#[test]
fn a_folder_that_is_a_link_to_ours_is_refused() {
    let project = project(&[(OURS, "## Approved Preferences\n- A\n")]);
    symlink("agentd", project.path().join(".agentmux")).expect("linked");
    let error = approved(project.path(), &[Role::Coder]).expect_err("refused");
    assert!(matches!(error, PreferenceError::Outside(_)), "{error}");
}

#[test]
fn a_pipe_a_folder_bytes_that_are_no_text_and_too_much_are_refused_and_kept() {
    let pipe = project(&[("agentd/prompts/agents/x", "")]);
    let status = Command::new("mkfifo").arg(pipe.path().join(OURS)).status().expect("mkfifo");
    assert!(status.success());
    assert!(matches!(refused(&pipe), PreferenceError::NotAFile(_)));
    let folder = project(&[("agentd/prompts/agents/coder.md/x", "")]);
    assert!(matches!(refused(&folder), PreferenceError::NotAFile(_)));
    let latin = project(&[]);
    write(latin.path(), OURS, b"caf\xe9\n");
    assert!(matches!(refused(&latin), PreferenceError::NotText(_)));
    assert_eq!(fs::read(latin.path().join(OURS)).expect("there"), b"caf\xe9\n");
    for size in [(1 << 20) + 1, 1 << 20] {
        let large = project(&[(OURS, &"x".repeat(size))]);
        assert!(matches!(refused(&large), PreferenceError::TooLarge { .. }), "{size}");
    }
}

#[test]
fn a_file_with_a_block_that_never_ends_is_refused_and_kept() {
    let text = "# Coder\n\n```sh\nmake\n";
    let project = project(&[(OURS, text)]);
    let error = refused(&project);
    assert!(matches!(error, PreferenceError::Unclosed(_)), "{error}");
    assert!(error.help().is_some_and(|help| help.starts_with("close it")));
    assert_eq!(read(&project, OURS), text);
}

#[test]
fn permissions_stay_and_what_a_crash_left_is_swept() {
    let project = project(&[(OURS, "# Coder\r\n"), ("agentd/prompts/agents/.coder.md.new", "ha")]);
    let file = project.path().join(OURS);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("set");
    apply(&project, &["A"]);
    assert_eq!(read(&project, OURS), "# Coder\r\n\r\n## Approved Preferences\r\n\r\n- A\r\n");
    assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o640);
    let folder = file.parent().expect("a folder");
    assert_eq!(fs::read_dir(folder).expect("a folder").count(), 1, "nothing is left over");
}

#[test]
fn a_preference_is_removed_by_number_or_words_from_the_file_it_stands_in() {
    let ours = "\u{feff}- A\r\n## Approved Preferences\r\n- A\r\n- B\r\n  more\r\n";
    let other = "## approved preferences\n* C";
    let project = project(&[(OURS, ours), (OTHER, other)]);
    let take = |which| remove(project.path(), Role::Coder, &which);
    for missing in [Which::Number(0), Which::Number(4), Which::Words("D".to_owned())] {
        let error = take(missing).expect_err("refused");
        assert!(matches!(error, PreferenceError::NoSuchPreference { .. }), "{error}");
    }
    let error = take(Which::Number(2)).expect_err("refused");
    assert!(matches!(error, PreferenceError::GoesOn { number: 2, .. }), "{error}");
    assert_eq!(take(Which::Words("-  c".to_owned())).expect("removed").file, OTHER);
    assert_eq!(read(&project, OTHER), "## approved preferences\n");
    assert_eq!(take(Which::Number(1)).expect("removed").words, "A");
    let left = "\u{feff}- A\r\n## Approved Preferences\r\n- B\r\n  more\r\n";
    assert_eq!(read(&project, OURS), left);
}
