//! Ids, paths and patterns: an id that is accepted is one safe name, what a pattern owns is what it says, and no path
//! leads out of a folder that is confined.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Component, Path};
use std::sync::LazyLock;

use agentd::models::change::ChangeId;
use agentd::models::plan::{OwnedPattern, PlanIndex};
use agentd::models::spec::SpecName;
use agentd::prompt::confined::ConfinedFolder;
use agentd::prompt::preferences::ProposalId;
use agentd::prompt::session::Session;
use agentd::prompt::team::Topic;
use agentd::template::{IncludeFault, Includes as _};
use tempfile::TempDir;

use super::patterns::{is_short, owns};
use super::texts;

const INSIDE: &str = "inside";
const SECRET: &str = "a secret";

/// The input is a text that is taken for an id, a pattern and a path, and another to try the pattern with.
pub(crate) fn check(input: &[u8]) {
    let texts = texts(input);
    let (text, other) = (&texts[0], texts.get(1).map_or("src/x", String::as_str));
    ids_are_names(text);
    patterns_stay_below_the_root(text, other);
    reading_stays_inside(text);
    writing_stays_inside(text);
}

fn ids_are_names(text: &str) {
    if let Ok(id) = text.parse::<ChangeId>() {
        is_safe_name(id.as_str());
        assert_eq!((id.as_str(), id.to_string().as_str()), (text, text));
        assert_eq!(serde_json::to_value(&id).expect("JSON"), text);
    }
    assert_eq!(
        serde_json::from_value::<ChangeId>(text.into()).is_ok(),
        text.parse::<ChangeId>().is_ok()
    );
    if let Ok(topic) = text.parse::<Topic>() {
        is_safe_name(topic.as_str());
        assert_eq!(topic.as_str(), text);
    }
    if let Ok(name) = text.parse::<SpecName>() {
        is_safe_name(&name.file());
        assert_eq!(SpecName::of_file(&name.file()), Ok(name));
    }
    if let Ok(id) = text.parse::<ProposalId>() {
        is_safe_name(id.as_str());
    }
    for index in
        [PlanIndex::of_plan_file(text), PlanIndex::of_tasks_file(text)].into_iter().flatten()
    {
        is_safe_name(text);
        assert!([index.plan_file(), index.tasks_file()].contains(&text.to_owned()), "{text:?}");
    }
}

/// One part of a path, that is no option, not hidden, the same on every file system, and a part of a branch's name.
fn is_safe_name(name: &str) {
    let components: Vec<_> = Path::new(name).components().collect();
    assert_eq!(components, [Component::Normal(name.as_ref())], "{name:?}");
    assert!(name.len() <= 70 && !name.starts_with(['-', '.']), "{name:?}");
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
    assert!(name.chars().all(is_plain), "{name:?}");
}

fn patterns_stay_below_the_root(text: &str, other: &str) {
    let Ok(pattern) = text.parse::<OwnedPattern>() else { return };
    assert_eq!(pattern.as_str(), text);
    assert!(!text.contains(['\\', '\0', '\n']) && Path::new(text).is_relative(), "{text:?}");
    let is_normal = |component| matches!(component, Component::Normal(_));
    assert!(Path::new(text).components().all(is_normal), "{text:?}");
    for path in [other, "../x", "/etc/passwd", "a/../../x", ".git/config", "a/.GIT/x", ""] {
        let strange =
            |name: &str| ["", ".", ".."].contains(&name) || name.eq_ignore_ascii_case(".git");
        if path.split('/').any(strange) {
            assert!(!pattern.owns(path), "{text:?} owns {path:?}");
        } else if is_short(text) && path.len() <= 64 {
            assert_eq!(pattern.owns(path), owns(text, path), "{text:?} {path:?}");
        }
    }
    let Ok(second) = other.parse::<OwnedPattern>() else { return };
    let shared = pattern.shared_with(&second);
    assert_eq!(shared.is_some(), second.shared_with(&pattern).is_some(), "{text:?} {other:?}");
    if let Some(path) = shared.filter(|_| is_short(text) && is_short(other)) {
        assert!(owns(text, &path) && owns(other, &path), "{text:?} {other:?} {path:?}");
    }
}

/// A folder with files, links and a secret beside it.
fn scene() -> TempDir {
    let outer = tempfile::tempdir().expect("a folder");
    let root = outer.path().join("root");
    fs::create_dir_all(root.join("a/b")).expect("made");
    for file in ["a/b/plan.md", "a/plan.md", "plan.md"] {
        fs::write(root.join(file), INSIDE).expect("written");
    }
    fs::write(outer.path().join("secret"), SECRET).expect("written");
    for (to, link) in
        [("../secret", "out"), ("/", "everything"), ("..", "up"), ("a", "in"), ("loop", "loop")]
    {
        symlink(to, root.join(link)).expect("linked");
    }
    outer
}

/// What is read is what lies inside, and a path that leaves on its way is refused even if it comes back.
fn reading_stays_inside(path: &str) {
    static SCENE: LazyLock<TempDir> = LazyLock::new(scene);
    let session = Session::open(&SCENE.path().join("root")).expect("it opens");
    match session.read(path) {
        Ok(Some(text)) => {
            assert_eq!(text, INSIDE, "{path:?}");
            assert!(!leaves(path), "{path:?}");
        }
        Ok(None) => assert!(session.lacks(path)),
        Err(IncludeFault::TooLarge(_) | IncludeFault::TooLargeTogether { .. }) => {
            panic!("{path:?} is small")
        }
        Err(IncludeFault::Shared) => panic!("{path:?} has one name"),
        Err(IncludeFault::Outside | IncludeFault::NotAFile | IncludeFault::Unreadable(_)) => {}
    }
}

/// Says whether a path goes above its start, by its letters alone.
fn leaves(path: &str) -> bool {
    let mut depth = 0;
    Path::new(path).components().any(|component| {
        match component {
            Component::Normal(_) => depth += 1,
            Component::ParentDir => depth -= 1,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => depth = -1,
        }
        depth < 0
    })
}

/// Whatever is written, the folder is all that changes.
fn writing_stays_inside(path: &str) {
    let outer = scene();
    let folder = ConfinedFolder::open(&outer.path().join("root")).expect("it opens");
    let written = folder.replace(path, b"new");
    if written.is_ok() {
        assert!(!leaves(path), "{path:?}");
        assert_eq!(folder.read(path), Ok(Some("new".to_owned())), "{path:?}");
    }
    let _ = folder.remove(path);
    let secret = fs::read_to_string(outer.path().join("secret")).expect("still there");
    assert_eq!(secret, SECRET, "{path:?}");
    assert_eq!(fs::read_dir(outer.path()).expect("listed").count(), 2, "{path:?}");
}
