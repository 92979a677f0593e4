//! How far making a prompt reaches: no file is opened outside of the change's folder and the folders of extensions.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::scene::{BUILDERS, CHANGE, Scene};

/// Traces the files that agentd itself opens; `None` where this machine has no strace, or does not let it trace.
fn opened(scene: &Scene, words: &[&str]) -> Option<Vec<PathBuf>> {
    let log = scene.home.path("strace.log");
    let status = Command::new("strace")
        .args(["-qq", "-y", "-s", "4096", "-e", "trace=open,openat,openat2", "-o"])
        .arg(&log)
        .arg(env!("CARGO_BIN_EXE_agentd"))
        .args(["prompt", "--change", "add-login"])
        .args(words)
        .current_dir(scene.root())
        // Where the loader looks for libraries is none of our doing.
        .env_clear()
        .env("HOME", scene.home.path("home"))
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .ok()?;
    let log = std::fs::read_to_string(log).ok().filter(|log| !log.is_empty())?;
    assert!(status.success(), "{words:?}\n{log}");
    Some(log.lines().filter_map(path_of).collect())
}

/// Reads the path of a line such as `openat2(3</folder>, "file", …) = 4`, joined to its folder.
fn path_of(line: &str) -> Option<PathBuf> {
    let (_, call) = line.split_once('(')?;
    let path = call.split('"').nth(1)?;
    let folder = call.split('"').next()?.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    Some(folder.map_or_else(PathBuf::new, |(folder, _)| folder.into()).join(path))
}

#[test]
fn seed_002_no_file_is_opened_outside_of_the_change_and_the_extensions() {
    let scene = Scene::new();
    let secret = scene.secret();
    let orders = format!("[[include:{secret}]] [[include:/etc/passwd]]\n");
    scene.file("04_planning/plan_2.md", &orders);
    scene.file("requirements.md", &orders);
    scene.home.write("agentd/prompts/agents/coder.md", &orders);
    let root = scene.root();
    // What a program needs to start and to run git, and the folders themselves.
    let system = ["/etc/ld.so", "/lib", "/usr/lib", "/proc/", "/sys/", "/dev/null"];
    let allowed = [CHANGE, "agentd/prompts", ".agentmux/prompts", ".git/agentd"];
    let allowed = allowed.map(|folder| root.join(folder));
    let is_allowed = |path: &Path| {
        path == root
            || allowed.iter().any(|folder| path.starts_with(folder) || folder.starts_with(path))
            || system.iter().any(|start| path.to_string_lossy().starts_with(start))
    };
    for (words, ..) in BUILDERS {
        let Some(paths) = opened(&scene, words) else { return };
        let strays: Vec<_> = paths.iter().filter(|path| !is_allowed(path)).collect();
        assert!(strays.is_empty(), "{words:?} opened {strays:?}");
        let state = root.join(CHANGE).join("state.json");
        assert!(paths.contains(&state), "{words:?}: the trace shows nothing\n{paths:?}");
    }
}
