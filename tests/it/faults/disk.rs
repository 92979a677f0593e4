//! Real disks that are full, and folders that may not be written to: exit code 10, what was there is as it was, and the
//! same command goes on once there is room.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, lchown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::scene::{Flow, Story, Undisturbed};
use crate::project::{AGENTD, ran};
use crate::support::skipped;
use crate::workflow::scene::{ID, Scene};

/// Somebody without rights of their own.
const NOBODY: u32 = 65534;

/// The sizes of disks that are tried, in KiB: from one that holds hardly anything to one that a change nearly fills.
const SIZES: [u32; 16] = [8, 16, 24, 32, 40, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224];

/// Gives the words before a command that let it mount, if that is possible here.
fn mounting() -> Option<Vec<&'static str>> {
    let works = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).args(["mount", "-t", "tmpfs", "tmpfs", "/mnt"]);
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    [vec!["unshare", "-m"], vec!["unshare", "-rm"]].into_iter().find(|words| works(words))
}

/// Runs a change on a disk of a size, then once more when there is room; the disk is copied after each.
const SCRIPT: &str = r#"
mkdir -p .git/agentd ../disk && mount -t tmpfs -o "size=$1k" tmpfs ../disk || exit 99
mkdir ../disk/documents ../disk/state && mount --bind ../disk/documents agentd || exit 99
mount --bind ../disk/state .git/agentd || exit 99
cp ../project.md agentd/project.md 2>../copied
"$2" run "$3" 'Add a login page' --agent offline 2>../said; echo $? >../code
cp -a .git/agentd ../full
mount -o remount,size=64m ../disk
[ -e agentd/project.md ] && cp ../project.md agentd/project.md
"$2" run "$3" 'Add a login page' --agent offline >../said-again 2>&1; echo $? >../code-again
cp -a agentd ../after
cp -a .git/agentd ../after-state
"#;

#[test]
fn on_a_disk_of_any_size_a_change_stops_with_what_it_has_and_goes_on_when_there_is_room() {
    let Some(words) = mounting() else {
        skipped(&format!("{} sizes of disks, for nothing can be mounted here", SIZES.len()));
        return;
    };
    let undisturbed = Undisturbed::of(Flow::Phases);
    let is_all = std::env::var("AGENTD_FAULTS").is_ok_and(|chosen| chosen == "all");
    let chosen = |index: usize| is_all || index % 8 == std::process::id() as usize % 8;
    let mut codes = Vec::new();
    for (_, size) in SIZES.iter().enumerate().filter(|(index, _)| chosen(*index)) {
        let story = Story::of(Flow::Phases);
        let (scene, checkout) = (&story.scene, story.scene.checkout());
        fs::copy(scene.path("repo/agentd/project.md"), scene.path("project.md")).expect("copied");
        let size = size.to_string();
        let more = ["sh", "-c", SCRIPT, "sh", &size, AGENTD, ID];
        ran(&mut scene.command(words[0], &[&words[1..], &more].concat())).exits(0);
        let (code, said) = (scene.read("code").trim().to_owned(), scene.read("said"));
        // An agent that finds the disk full fails as agents do.
        assert!(["10", "5"].contains(&code.as_str()), "{size} KiB: {code}\n{said}");
        assert!(said.contains("No space left on device"), "{size} KiB: {said}");
        assert_eq!(
            scene.read("code-again").trim(),
            "0",
            "{size} KiB: {}",
            scene.read("said-again")
        );
        assert_eq!(scene.checkout(), checkout, "{size} KiB");
        // What the namespace showed is where the scene looks for it.
        let journal = fs::read(scene.path("full/changes").join(ID).join("journal.jsonl"));
        let journal = journal.unwrap_or_default();
        fs::remove_dir_all(scene.path("repo/agentd")).expect("removed");
        fs::rename(scene.path("after"), scene.path("repo/agentd")).expect("renamed");
        fs::remove_dir_all(scene.path("repo/.git/agentd")).expect("removed");
        let state = scene.path("repo/.git/agentd");
        fs::rename(scene.path("after-state"), state).expect("renamed");
        let whole = journal.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        assert!(scene.journal().starts_with(&journal[..whole]), "{size} KiB: something is lost");
        if code == "10" {
            story.ended_like(&undisturbed);
        } else {
            assert!(story.is_archived(), "{size} KiB");
        }
        codes.push(format!("{size} KiB: {code}"));
    }
    println!("{} sizes of disks: {}", codes.len(), codes.join(", "));
}

/// Runs a change with git's objects on a disk of their own, which the agent of the code leaves full, then once more when there is
/// room.
const GIT_SCRIPT: &str = r#"
cp -a .git/objects ../objects && mount -t tmpfs -o size=4m tmpfs .git/objects && cp -a ../objects/. .git/objects/ || exit 99
set -- "$1" run "$2" 'Add a login page' --agent offline --agent implement=filling --until implement
"$@" 2>../said; echo $? >../code
rm .git/objects/filling
"$@" >../said-again 2>&1; echo $? >../code-again
"#;

/// An agent that does its work and leaves no room for git.
const FILLING: &str = r#"
echo called >>PATH/notes/calls
said=$(AGENTD offline-agent --speak claude)
cat /dev/zero >PATH/repo/.git/objects/filling 2>/dev/null
printf '%s\n' "$said"
"#;

#[test]
fn a_full_disk_that_git_meets_is_no_failure_of_the_phase_and_its_answer_is_used_when_there_is_room()
{
    let Some(words) = mounting() else {
        skipped("git on a full disk, for nothing can be mounted here");
        return;
    };
    let scene = Scene::new();
    let folder = scene.path("").display().to_string();
    let script = FILLING.replace("PATH/", &folder).replace("AGENTD", AGENTD);
    scene.write("filling.sh", script);
    let command = ["sh".to_owned(), scene.path("filling.sh").display().to_string()];
    let agent = format!("\n[agents.filling]\ncli = \"claude\"\ncommand = {command:?}\n");
    // In the sandbox an agent could not fill that disk.
    let config = scene.read("user.toml").replace("[sandbox]\n", "[sandbox]\nmode = \"off\"\n");
    scene.write("user.toml", config + &agent);
    let more = ["sh", "-c", GIT_SCRIPT, "sh", AGENTD, ID];
    ran(&mut scene.command(words[0], &[&words[1..], &more].concat())).exits(0);
    let said = scene.read("said");
    assert_eq!(scene.read("code").trim(), "10", "{said}");
    assert!(said.contains("No space left on device"), "{said}");
    assert_eq!(scene.read("code-again").trim(), "0", "{}", scene.read("said-again"));
    assert_eq!(scene.read("notes/calls").lines().count(), 1, "nobody is asked twice");
    let journal = String::from_utf8(scene.journal()).expect("UTF-8");
    assert!(!journal.contains("\"event\":\"failed\""), "{journal}");
}

fn give_away(path: &Path) {
    lchown(path, Some(NOBODY), Some(NOBODY)).expect("it is given away");
    if path.symlink_metadata().expect("it is there").is_dir() {
        for entry in fs::read_dir(path).expect("a folder").flatten() {
            give_away(&entry.path());
        }
    }
}

/// Sets up a command for somebody whom permissions hold, which is not root.
fn unprivileged(scene: &Scene, mut command: Command) -> Command {
    if rustix::process::geteuid().is_root() {
        give_away(&scene.path(""));
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// Reads all files below a folder but for locks, whose holders write their names.
fn bytes(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            bytes(&path, files);
        } else if path.extension().is_none_or(|ending| ending != "lock") {
            files.insert(path.clone(), fs::read(&path).expect("its bytes"));
        }
    }
}

fn all_bytes(scene: &Scene) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    bytes(&scene.path("repo/agentd"), &mut files);
    bytes(&scene.path("repo/.git/agentd"), &mut files);
    files
}

#[test]
fn a_folder_that_may_not_be_written_to_is_named_and_nothing_in_it_changes() {
    for (place, mode) in [
        ("repo/agentd/changes", 0o555),
        ("repo/agentd/changes/add-login", 0o555),
        ("repo/.git/agentd/changes/add-login/runs", 0o555),
        ("repo/.git/agentd/changes/add-login/journal.jsonl", 0o444),
    ] {
        let scene = Scene::new();
        let is_new = place == "repo/agentd/changes";
        if is_new {
            fs::create_dir_all(scene.path(place)).expect("made");
        } else {
            scene.runs(&["--until", "plan"]).exits(0);
        }
        let (before, checkout) = (all_bytes(&scene), scene.checkout());
        let path = scene.path(place);
        let mut command = unprivileged(&scene, scene.run(&[]));
        fs::set_permissions(&path, Permissions::from_mode(mode)).expect("the mode");
        let ran_once = ran(&mut command).exits(10).says("Permission denied").says("help: ");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(ran_once.stderr.contains(&name), "{place}: {}", ran_once.stderr);
        let after = all_bytes(&scene);
        for (path, bytes) in &before {
            let now = after.get(path).unwrap_or_else(|| panic!("{place}: {}", path.display()));
            // What was acknowledged before the folder was needed stays too.
            let is_grown = path.ends_with("journal.jsonl") && now.starts_with(bytes);
            let is_derived = path.ends_with("state.json");
            assert!(now == bytes || is_grown || is_derived, "{place}: {}", path.display());
        }
        assert_eq!(scene.checkout(), checkout, "{place}");
        let writable = if mode == 0o444 { 0o644 } else { 0o755 };
        fs::set_permissions(&path, Permissions::from_mode(writable)).expect("the mode");
        ran(&mut unprivileged(&scene, scene.run(&[]))).exits(0);
        assert_eq!(scene.answers()["plan"], 2, "{place}: the plan that was there is used");
    }
}
