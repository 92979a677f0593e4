//! Whole changes with the offline agent: what agentd and git add to the calls of agents, in a small repository and in one of
//! many files.
//!
//! It is done in memory where there is a place for that: what a checkout of many files takes on a disk is up to the disk.
//!
//! `cargo bench --bench engine` prints where we are beside the goals, and never fails by the clock; `docs/PERFORMANCE.md`
//! shows a run. `AGENTD_BENCH_FILES` sets how many files the large repository has.

#![allow(clippy::disallowed_methods, reason = "benchmarks write their scenes as they like")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![expect(clippy::expect_used, reason = "a benchmark that cannot go on says why")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const AGENTD: &str = env!("CARGO_BIN_EXE_agentd");
const REQUEST: &str = "Add a login page";
/// Where files are kept in memory.
const MEMORY: &str = "/dev/shm";
/// How often each thing is timed, in turn with the others.
const ROUNDS: usize = 5;
/// In the large repository, unless `AGENTD_BENCH_FILES` says otherwise.
const FILES: usize = 20_000;
const FILES_IN_A_FOLDER: usize = 100;

/// How many processes of git a change of `sdd` may start.
const GIT_GOAL: usize = 60;
/// How many the first version started.
const GIT_FIRST: usize = 120;
/// How much longer than git alone a quick change may take among many files.
const WHOLE_GOAL: f64 = 1.5;
/// How much longer than one listing a dry run may take.
const DRY_RUN_GOAL: f64 = 1.5;

fn main() {
    // Cargo passes `--bench`; `cargo test --benches` does not, and has no time for this.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    small();
    let files = std::env::var("AGENTD_BENCH_FILES").ok();
    let files = files.map_or(FILES, |text| text.parse().expect("AGENTD_BENCH_FILES: a number"));
    large(files);
}

/// A repository with folders beside it for all that agentd and git look for elsewhere.
struct Scene {
    folder: tempfile::TempDir,
}

impl Scene {
    fn with(files: usize) -> Self {
        let folder = tempfile::tempdir_in(MEMORY).or_else(|_| tempfile::tempdir());
        let scene = Self { folder: folder.expect("a folder") };
        for folder in ["home", "bin", "tmp", "repo"] {
            fs::create_dir_all(scene.path(folder)).expect("a folder");
        }
        fs::write(scene.path("user.toml"), "[verify]\ncommands = [\"true\"]\n").expect("written");
        for number in 0..files {
            let folder = scene.path(&format!("repo/src/{:03}", number / FILES_IN_A_FOLDER));
            if number.is_multiple_of(FILES_IN_A_FOLDER) {
                fs::create_dir_all(&folder).expect("a folder");
            }
            let text = format!("// File {number}.\n").repeat(20);
            fs::write(folder.join(format!("file_{number}.rs")), text).expect("a file");
        }
        scene.git(&["init", "--quiet", "--initial-branch=main", "."]);
        scene.git(&["add", "--all"]);
        let who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
        scene.git(&[&who[..], &["commit", "--quiet", "-m", "Begin"]].concat());
        scene
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().canonicalize().expect("the folder").join(path)
    }

    /// Sets up a command that sees this scene alone.
    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.path("repo"));
        command.env_clear().env("PATH", std::env::var_os("PATH").expect("a PATH"));
        command.env("HOME", self.path("home")).env("GIT_CONFIG_NOSYSTEM", "1");
        command.env("AGENTD_CONFIG", self.path("user.toml"));
        command.env("AGENTD_STATE", self.path("state")).env("TMPDIR", self.path("tmp"));
        command.stdin(Stdio::null());
        command
    }

    fn git(&self, arguments: &[&str]) {
        finish(self.command("git", arguments), "git");
    }

    /// Sets up a run of a change with the offline agent.
    fn run(&self, id: &str, more: &[&str]) -> Command {
        self.command(AGENTD, &[&["run", id, REQUEST, "--agent", "offline"], more].concat())
    }

    /// Puts a `git` before the real one that takes down each call.
    fn count_git(&self, command: &mut Command) {
        let real = ["sh", "-c", "command -v git"];
        let real = self.command(real[0], &real[1..]).output().expect("a shell").stdout;
        let real = String::from_utf8(real).expect("a path");
        let (real, calls) = (real.trim(), self.path("git-calls"));
        let script =
            format!("#!/bin/sh\necho \"$*\" >>'{}'\nexec '{real}' \"$@\"\n", calls.display());
        fs::write(self.path("bin/git"), script).expect("a script");
        let mode = Permissions::from_mode(0o755);
        fs::set_permissions(self.path("bin/git"), mode).expect("its mode");
        let mut path: OsString = self.path("bin").into();
        path.push(":");
        path.push(std::env::var_os("PATH").expect("a PATH"));
        command.env("PATH", path);
    }

    /// Counts the calls of git by what they did.
    fn git_calls(&self) -> BTreeMap<String, usize> {
        let mut calls = BTreeMap::new();
        for line in fs::read_to_string(self.path("git-calls")).unwrap_or_default().lines() {
            *calls.entry(subcommand(line)).or_insert(0) += 1;
        }
        calls
    }

    /// Lists the calls of agents of an archived change: the prompt and the answer of each.
    fn calls(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let archive = fs::read_dir(self.path("repo/agentd/archive")).expect("an archive");
        let change = archive.last().expect("a change").expect("an entry").path();
        let runs = fs::read_dir(change.join("runs")).expect("runs");
        let mut runs: Vec<_> = runs.map(|run| run.expect("an entry").path()).collect();
        runs.sort();
        // A run of the checks has an empty one.
        let is_call =
            |run: &PathBuf| run.join("prompt.xml").metadata().is_ok_and(|data| data.len() > 0);
        let runs = runs.into_iter().filter(is_call);
        let answered = |run: PathBuf| {
            let answer = fs::read(run.join("stdout")).expect("an answer");
            (run.join("prompt.xml"), answer)
        };
        runs.map(answered).collect()
    }
}

/// Returns the subcommand of a call of git, without the options before it.
fn subcommand(call: &str) -> String {
    let mut words = call.split(' ');
    while let Some(word) = words.next() {
        match word {
            "-c" | "-C" => drop(words.next()),
            _ if word.starts_with('-') => {}
            _ => return word.to_owned(),
        }
    }
    "none".to_owned()
}

/// Runs a command, which must succeed, and returns the seconds that it took.
fn finish(mut command: Command, what: &str) -> f64 {
    let start = Instant::now();
    let output = command.stdout(Stdio::piped()).output().expect("it starts");
    let took = start.elapsed().as_secs_f64();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{what}: {said}");
    took
}

/// Times a change of `sdd` in a small repository, and counts its processes of git.
fn small() {
    let counted = |flow: &str| {
        let scene = Scene::with(20);
        let mut command = scene.run("add-login", &["--flow", flow]);
        scene.count_git(&mut command);
        finish(command, "agentd run");
        (scene.calls().len(), scene.git_calls())
    };
    let (mut whole, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let scene = Scene::with(20);
        whole.push(finish(scene.run("add-login", &["--flow", "sdd"]), "agentd run"));
        bare.push(bare_calls(&scene));
    }
    let (calls, git) = counted("sdd");
    let (whole, bare) = (median(whole), median(bare));
    println!("\na change of sdd in a small repository, {calls} calls of the offline agent");
    println!("  (median of {ROUNDS}; ratio to the calls by themselves)");
    line(&format!("{calls} bare calls of the offline agent"), bare, 1.0, "");
    line("the whole change", whole, whole / bare, "");
    let (first, goal) = (GIT_FIRST, GIT_GOAL);
    println!("  processes of git: {} (goal at most {goal}; the first version: {first})", all(&git));
    println!("    {}", listed(&git));
    let (calls, git) = counted("quick");
    println!("  of a quick change with {calls} calls: {}", all(&git));
    println!("    {}", listed(&git));
}

/// Repeats the calls of a change by themselves: the same prompts and the same answers, without agentd around them.
fn bare_calls(scene: &Scene) -> f64 {
    let place = scene.path("repo/agentd/changes/add-login");
    fs::create_dir_all(&place).expect("a folder");
    fs::create_dir_all(scene.path("worktree")).expect("a folder");
    let bare = |(prompt, answer): (PathBuf, Vec<u8>)| {
        let mut command = scene.command(AGENTD, &["offline-agent"]);
        command.current_dir(scene.path("worktree"));
        command.stdin(File::open(prompt).expect("a prompt"));
        let start = Instant::now();
        let output = command.output().expect("it starts");
        let took = start.elapsed().as_secs_f64();
        assert!(output.status.success() && output.stdout == answer, "another answer");
        took
    };
    scene.calls().into_iter().map(bare).sum()
}

/// Times a quick change among many files beside what git needs for it.
fn large(files: usize) {
    let scene = Scene::with(files);
    let worktree = scene.path("plain");
    let name = worktree.to_str().expect("a path");
    let mut times: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut calls = 0;
    for round in 0..ROUNDS {
        let mut timed = |what, command| {
            times.entry(what).or_default().push(finish(command, what));
        };
        timed("listing", listing(&scene, &scene.path("repo")));
        let id = format!("change-{round}");
        timed("dry run", scene.run(&id, &["--flow", "quick", "--dry-run"]));
        let add = ["worktree", "add", "--quiet", "--detach", name];
        timed("checkout", scene.command("git", &add));
        timed("listing of the checkout", listing(&scene, &worktree));
        timed("removal", scene.command("git", &["worktree", "remove", name]));
        timed("change", scene.run(&id, &["--flow", "quick"]));
        calls = scene.calls().len();
    }
    let mut took = |what: &str| median(times.remove(what).unwrap_or_default());
    let (listing, dry_run) = (took("listing"), took("dry run"));
    let (checkout, listing_there) = (took("checkout"), took("listing of the checkout"));
    let (removal, change) = (took("removal"), took("change"));
    let unit = checkout + listing_there * f64::from(u32::try_from(calls).expect("a few"));
    let place =
        if scene.folder.path().starts_with(MEMORY) { "memory" } else { "the temporary folder" };
    println!("\na quick change among {files} files in {place}, {calls} calls of the offline agent");
    println!("  (median of {ROUNDS}; ratio to one checkout and a listing for each call)");
    line("git worktree add", checkout, checkout / unit, "");
    line("git ls-files -m -o there", listing_there, listing_there / unit, "");
    line("git worktree remove, which is not in the unit", removal, removal / unit, "");
    let goal = format!("(goal at most {WHOLE_GOAL} x)");
    line("the whole change", change, change / unit, &goal);
    println!("\na dry run of it\n  (median of {ROUNDS}; ratio to one listing)");
    line("git ls-files -m -o in the user's checkout", listing, 1.0, "");
    let goal = format!("(goal at most {DRY_RUN_GOAL} x)");
    line("--dry-run", dry_run, dry_run / listing, &goal);
}

/// Sets up a listing of all files of a checkout that were changed or added.
fn listing(scene: &Scene, folder: &Path) -> Command {
    let mut command = scene.command("git", &["ls-files", "-m", "-o", "--exclude-standard"]);
    command.current_dir(folder);
    command
}

fn line(name: &str, seconds: f64, ratio: f64, note: &str) {
    let text = format!("  {name:<46} {:>9.1} ms{ratio:>9.2} x  {note}", seconds * 1e3);
    println!("{}", text.trim_end());
}

fn all(calls: &BTreeMap<String, usize>) -> usize {
    calls.values().sum()
}

/// Lists calls by what they did, the most frequent first.
fn listed(calls: &BTreeMap<String, usize>) -> String {
    let mut calls: Vec<_> = calls.iter().collect();
    calls.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let calls: Vec<_> = calls.iter().map(|(name, count)| format!("{name} {count}")).collect();
    calls.join(", ")
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
