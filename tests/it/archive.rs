//! Putting a change away: what is written and moved, what is refused, and that a crash at any step costs nothing.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use agentd::engine::archive::{
    ArchiveError, ArchivePlan, Baseline, Change, Date, apply, apply_watched, baseline, look, plan,
};
use agentd::engine::expected::ChangeFiles;
use agentd::models::change::ChangeId;
use agentd::prompt::confined::ConfinedFolder;
use agentd::template::IncludeFault;
use tempfile::TempDir;

use crate::expected::{ENTRY, SPEC, good};

const OLD_CHANGELOG: &str = "# Changelog\n\n## 1.0\n\n- The beginning\n";
const OLD_SPEC: &str = "# Orders\n\nAs they were.\n";

/// A project with a change that is ready to be put away: one spec is new, one is there already.
struct Project {
    folder: TempDir,
    baseline: Baseline,
}

impl Project {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let project = Self { folder, baseline: Baseline::default() };
        for path in [
            "proposal.md",
            "specs/login.md",
            "tasks.md",
            "archive/changelog.md",
            "archive/specs/login.md",
        ] {
            project.write(&format!("changes/login/{path}"), good().get(path).expect("a file"));
        }
        for folder in ["specs", "archive/specs"] {
            project.write(
                &format!("changes/login/{folder}/orders.md"),
                &SPEC.replace("Login", "Orders"),
            );
        }
        project.write("changes/login/journal.jsonl", "{}\n");
        project.write("CHANGELOG.md", OLD_CHANGELOG);
        project.write("specs/orders.md", OLD_SPEC);
        project.write("specs/README.md", "not a spec that a change could write");
        let baseline = baseline(&project.confined("")).expect("a baseline");
        Self { baseline, ..project }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("agentd")
    }

    fn confined(&self, below: &str) -> ConfinedFolder {
        ConfinedFolder::open(&self.root().join(below)).expect("opened")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, text).expect("written");
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.root().join(path)).expect("removed");
    }

    fn plan_on(&self, date: &str) -> Result<ArchivePlan, ArchiveError> {
        let files = ChangeFiles::read(&self.confined("changes/login")).expect("files");
        let (id, date): (ChangeId, Date) =
            ("login".parse().expect("an id"), date.parse().expect("a day"));
        let change = Change {
            id: &id,
            title: "Sign in",
            date: &date,
            files: &files,
            baseline: &self.baseline,
        };
        plan(change, &look(&self.root())?)
    }

    fn plan(&self) -> ArchivePlan {
        self.plan_on("2026-01-31").expect("a plan")
    }

    /// Gives every file and folder with its text.
    fn tree(&self) -> BTreeMap<String, String> {
        let mut tree = BTreeMap::new();
        let mut folders = vec![self.root()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                let name = path.strip_prefix(self.root()).expect("below").display().to_string();
                if path.is_dir() {
                    tree.insert(name, String::new());
                    folders.push(path);
                } else {
                    tree.insert(name, fs::read_to_string(path).expect("text"));
                }
            }
        }
        tree
    }
}

/// Does the first steps of a plan and stops, as a crash would.
fn interrupted(plan: &ArchivePlan, root: &Path, steps: usize) -> Result<(), ArchiveError> {
    let mut left = steps;
    apply_watched(plan, root, |_| {
        left -= 1;
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
}

fn changed(result: Result<(), ArchiveError>) -> String {
    match result {
        Err(ArchiveError::Changed { path }) => path,
        other => panic!("{other:?}"),
    }
}

fn outside<T: std::fmt::Debug>(result: Result<T, ArchiveError>) -> String {
    match result {
        Err(ArchiveError::Unusable { path, fault: IncludeFault::Outside }) => path,
        other => panic!("{other:?}"),
    }
}

#[test]
fn specs_and_changelog_are_written_and_the_change_is_moved() {
    let project = Project::new();
    let before = project.tree();
    let plan = project.plan();
    assert_eq!(project.tree(), before, "a plan writes nothing");
    assert_eq!(plan.target(), "archive/2026-01-31-login");
    apply(&plan, &project.root()).expect("applied");

    assert_eq!(project.read("specs/login.md"), SPEC);
    assert_eq!(project.read("specs/orders.md"), SPEC.replace("Login", "Orders"));
    let entry = ENTRY.replace("###", "####");
    assert_eq!(
        project.read("CHANGELOG.md"),
        format!(
            "# Changelog\n\n## Unreleased\n\n### Sign in (`login`)\n\n{entry}\n## 1.0\n\n- The beginning\n"
        )
    );
    let mut expected = before;
    for (path, text) in project.tree() {
        let was = path.replacen("archive/2026-01-31-login", "changes/login", 1);
        if was != path {
            assert_eq!(expected.remove(&was), Some(text), "{path}");
        }
    }
    assert!(
        !expected.keys().any(|path| path.starts_with("changes/login")),
        "all is moved: {expected:?}"
    );
    assert_eq!(project.read("specs/README.md"), expected["specs/README.md"]);
}

#[test]
fn an_archive_that_crashes_after_any_step_is_done_again_to_the_same_end() {
    let whole = Project::new();
    let plan = whole.plan();
    apply(&plan, &whole.root()).expect("applied");
    let expected = whole.tree();
    let steps = plan.steps().count();
    assert_eq!(steps, 4);
    // What a crash within a write leaves beside the file.
    let halves = ["specs/.login.md.new", "specs/.orders.md.new", ".CHANGELOG.md.new"];
    for step in 0..=steps {
        let project = Project::new();
        let kept = serde_json::to_string(&project.plan()).expect("written ahead");
        if step > 0 {
            let stopped = interrupted(&project.plan(), &project.root(), step);
            assert!(matches!(stopped, Err(ArchiveError::Stopped)), "{stopped:?}");
        }
        assert_eq!(project.root().join("changes/login").exists(), step < steps);
        for half in halves.iter().skip(step) {
            project.write(half, "half a fi");
        }
        let plan: ArchivePlan = serde_json::from_str(&kept).expect("read back");
        for _ in 0..2 {
            apply(&plan, &project.root()).expect("applied again");
        }
        assert_eq!(project.tree(), expected, "after step {step}");
    }
}

#[test]
fn a_spec_that_others_changed_since_planning_is_refused_by_name() {
    let refused = |project: &Project| match project.plan_on("2026-01-31") {
        Err(ArchiveError::Conflicts(conflicts)) => {
            conflicts.iter().map(ToString::to_string).collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    let project = Project::new();
    project.write("specs/orders.md", "# Orders\n\nOtherwise.\n");
    assert_eq!(refused(&project), ["`specs/orders.md` was changed"]);
    project.write("specs/login.md", "# Login\n");
    assert_eq!(refused(&project), ["`specs/login.md` is new", "`specs/orders.md` was changed"]);
    project.remove("specs/orders.md");
    assert_eq!(refused(&project), ["`specs/login.md` is new", "`specs/orders.md` was removed"]);

    let project = Project::new();
    project.write("specs/other.md", "of no concern to this change");
    project.write("specs/login.md", SPEC);
    project.plan_on("2026-01-31").expect("what is already as the change makes it is no conflict");
}

#[test]
fn files_that_are_not_in_order_are_not_archived() {
    let project = Project::new();
    project.write("changes/login/archive/changelog.md", "Nothing.\n");
    project.remove("changes/login/archive/specs/orders.md");
    match project.plan_on("2026-01-31") {
        Err(ArchiveError::Files(faults)) => {
            let said: Vec<_> = faults.iter().map(ToString::to_string).collect();
            assert_eq!(
                said,
                [
                    "archive/changelog.md: there is no group",
                    "archive/specs/orders.md: the file is missing"
                ]
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_changed_under_a_plan_is_never_overwritten() {
    for path in ["CHANGELOG.md", "specs/orders.md", "specs/login.md"] {
        let project = Project::new();
        let plan = project.plan();
        project.write(path, "somebody's work\n");
        let before = project.tree();
        assert_eq!(changed(apply(&plan, &project.root())), path);
        assert_eq!(project.tree(), before, "nothing is done by halves: {path}");
    }
    let project = Project::new();
    let plan = project.plan();
    project.write("changes/login/archive/specs/orders.md", "another text");
    assert_eq!(changed(apply(&plan, &project.root())), "changes/login/archive/specs/orders.md");
    let project = Project::new();
    let plan = project.plan();
    project.write("archive/2026-01-31-login/x", "somebody's work");
    assert_eq!(changed(apply(&plan, &project.root())), "archive/2026-01-31-login");
    assert_eq!(project.read("specs/orders.md"), OLD_SPEC);
}

#[test]
fn a_changelog_edited_between_a_crash_and_its_repair_needs_only_a_new_plan() {
    let project = Project::new();
    let plan = project.plan();
    interrupted(&plan, &project.root(), 2).expect_err("stopped after the specs");
    project.write("CHANGELOG.md", "# Changelog\n\n## 1.1\n\n- By hand\n");
    assert_eq!(changed(apply(&plan, &project.root())), "CHANGELOG.md");
    apply(&project.plan(), &project.root()).expect("applied");
    let changelog = project.read("CHANGELOG.md");
    assert!(
        changelog.contains("(`login`)") && changelog.ends_with("## 1.1\n\n- By hand\n"),
        "{changelog}"
    );
}

#[test]
fn a_second_change_of_the_same_name_and_day_has_a_folder_of_its_own() {
    let project = Project::new();
    project.write("archive/2026-01-31-login/journal.jsonl", "the first");
    assert_eq!(project.plan().target(), "archive/2026-01-31-login-2");
    project.write("archive/2026-01-31-login-2/journal.jsonl", "the second");
    let plan = project.plan();
    assert_eq!(plan.target(), "archive/2026-01-31-login-3");
    apply(&plan, &project.root()).expect("applied");
    assert_eq!(project.read("archive/2026-01-31-login/journal.jsonl"), "the first");
    assert_eq!(project.read("archive/2026-01-31-login-3/journal.jsonl"), "{}\n");
}

#[test]
fn links_that_lead_out_of_the_folder_are_refused() {
    let out = |project: &Project| {
        let out = project.folder.path().join("out");
        fs::create_dir_all(&out).expect("a folder");
        out
    };
    for name in ["specs", "archive"] {
        let project = Project::new();
        let (plan, out) = (project.plan(), out(&project));
        let _ = fs::remove_dir_all(project.root().join(name));
        symlink(&out, project.root().join(name)).expect("a link");
        assert_eq!(outside(project.plan_on("2026-01-31")).trim_end_matches('/'), name);
        let refused = outside(apply(&plan, &project.root()));
        assert!(refused.starts_with(name), "{refused}");
        assert_eq!(fs::read_dir(&out).expect("a folder").count(), 0);
        assert!(project.root().join("changes/login").is_dir());
    }
    for path in ["specs/orders.md", "CHANGELOG.md"] {
        let project = Project::new();
        let (plan, target) = (project.plan(), out(&project).join("secret"));
        fs::write(&target, "secret").expect("written");
        project.remove(path);
        symlink(&target, project.root().join(path)).expect("a link");
        assert_eq!(outside(project.plan_on("2026-01-31")), path);
        assert_eq!(outside(apply(&plan, &project.root())), path);
        assert_eq!(fs::read_to_string(&target).expect("text"), "secret");
    }
    let project = Project::new();
    project.remove("specs/orders.md");
    symlink("../../nowhere", project.root().join("specs/orders.md")).expect("a link");
    assert!(project.plan_on("2026-01-31").is_err());
}

#[test]
fn a_link_within_the_folder_is_refused_too() {
    let project = Project::new();
    fs::rename(project.root().join("specs/orders.md"), project.root().join("orders-elsewhere.md"))
        .expect("moved");
    symlink("../orders-elsewhere.md", project.root().join("specs/orders.md")).expect("a link");
    let before = project.read("orders-elsewhere.md");
    assert_eq!(outside(project.plan_on("2026-01-31")), "specs/orders.md");
    assert!(project.root().join("specs/orders.md").is_symlink());
    assert_eq!(project.read("orders-elsewhere.md"), before);
}

#[test]
fn an_empty_project_gets_its_folders_and_its_changelog() {
    let project = Project::new();
    fs::remove_dir_all(project.root().join("specs")).expect("removed");
    project.remove("CHANGELOG.md");
    let project = Project { baseline: Baseline::default(), ..project };
    apply(&project.plan(), &project.root()).expect("applied");
    assert!(
        project
            .read("CHANGELOG.md")
            .starts_with("# Changelog\n\n## Unreleased\n\n### Sign in (`login`)\n")
    );
    assert_eq!(project.read("specs/login.md"), SPEC);
    assert_eq!(project.read("archive/2026-01-31-login/journal.jsonl"), "{}\n");
}

#[test]
fn one_archive_at_a_time() {
    let project = Project::new();
    let plan = project.plan();
    let lock = fs::File::open(project.root()).expect("opened");
    lock.lock().expect("locked");
    assert!(matches!(apply(&plan, &project.root()), Err(ArchiveError::Busy)));
    drop(lock);
    apply(&plan, &project.root()).expect("applied");
}

#[test]
fn a_plan_of_version_1_is_read_and_another_is_refused() {
    let text = r#"{"version":1,"change":"login","title":"Sign in","date":"2026-01-31","specs":[{"name":"login","old":null,"new":"aa"}],"changelog":{"old":"bb","new":"cc"},"number":2}"#;
    let plan: ArchivePlan = serde_json::from_str(text).expect("read");
    assert_eq!(plan.target(), "archive/2026-01-31-login-2");
    assert_eq!(serde_json::to_string(&plan).expect("written"), text);
    for (from, to) in [
        ("\"version\":1", "\"version\":2"),
        ("\"name\":\"login\"", "\"name\":\"../login\""),
        ("\"change\":\"login\"", "\"change\":\"../login\""),
        ("2026-01-31", "../../x-01"),
    ] {
        let refused = serde_json::from_str::<ArchivePlan>(&text.replace(from, to));
        assert!(refused.is_err(), "{to}");
    }
    let error =
        serde_json::from_str::<ArchivePlan>(&text.replace(":1,", ":2,")).expect_err("refused");
    assert!(
        error.to_string().contains("has version 2, and this agentd reads version 1"),
        "{error}"
    );
}
