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
use std::time::{Duration, Instant};

const AGENTD: &str = env!("CARGO_BIN_EXE_agentd");
const REQUEST: &str = "Add a login page";
/// Where files are kept in memory.
const MEMORY: &str = "/dev/shm";
/// How often each thing is timed, in turn with the others; among more files than [`FILES`] once.
const ROUNDS: usize = 5;
/// In the large repository, unless `AGENTD_BENCH_FILES` says otherwise.
const FILES: usize = 20_000;
const FILES_IN_A_FOLDER: usize = 100;
/// The flows whose changes are timed among many files: that of nine calls, and the shortest.
const FLOWS: [&str; 2] = ["sdd", "quick"];

/// How many processes of git a change of `sdd` may start.
const GIT_GOAL: usize = 60;
/// How many the first version started.
const GIT_FIRST: usize = 120;
/// How much longer than git alone a change may take among many files.
const WHOLE_GOAL: f64 = 1.3;
/// How much longer than one listing a dry run may take.
const DRY_RUN_GOAL: f64 = 2.0;
/// How many megabytes of memory a process of a change may take.
const MEMORY_GOAL: f64 = 100.0;

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
        let script = format!(
            "#!/bin/sh\necho \"$(pwd -P) $*\" >>'{}'\nexec '{real}' \"$@\"\n",
            calls.display()
        );
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

    /// Counts the folders that git fills with all files of a commit. The same call sets a folder back later, which is no checkout.
    fn checkouts(&self) -> usize {
        let calls = fs::read_to_string(self.path("git-calls")).unwrap_or_default();
        let filled = calls.lines().filter(|call| subcommand(call) == "read-tree");
        let folder = |call: &str| call.split(' ').next().map(str::to_owned);
        filled.filter_map(folder).collect::<std::collections::BTreeSet<_>>().len()
    }

    /// Lists the calls of agents of an archived change: the prompt and the answer of each.
    fn calls(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let archive = fs::read_dir(self.path("repo/.git/agentd/changes")).expect("changes");
        let changes =
            archive.map(|change| change.expect("an entry").path()).filter(|path| path.is_dir());
        let last = |change: &PathBuf| change.metadata().and_then(|data| data.modified()).ok();
        let change = changes.max_by_key(last).expect("a change");
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
    // The folder comes first.
    let mut words = call.split(' ').skip(1);
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

/// The most memory that processes had at a time, in megabytes.
struct Peak {
    agentd: f64,
    /// The greatest of agentd and all that it started, if `time` is there to say it.
    any: Option<f64>,
}

impl Peak {
    /// Runs agentd, which must succeed, and looks at its memory.
    fn of(scene: &Scene, command: &Command) -> Self {
        let said = scene.path("peak");
        let mut timed = Command::new("/usr/bin/time");
        timed.args(["-f", "%M", "-o"]).arg(&said).arg(command.get_program());
        let has_time = Path::new("/usr/bin/time").exists();
        let mut run = if has_time { timed } else { Command::new(command.get_program()) };
        run.args(command.get_args()).env_clear().stdin(Stdio::null()).stdout(Stdio::null());
        run.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let mut run =
            run.current_dir(scene.path("repo")).stderr(Stdio::null()).spawn().expect("it starts");
        let (id, mut agentd) = (run.id(), 0.0);
        let status = loop {
            let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
            let child = children.unwrap_or_default().trim().to_owned();
            let of = if has_time { child } else { id.to_string() };
            let status = fs::read_to_string(format!("/proc/{of}/status")).unwrap_or_default();
            // The process is that of `time` until it begins to be agentd.
            if status.starts_with("Name:\tagentd") {
                let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
                agentd = peak.map_or(agentd, |peak| megabytes(peak.trim_end_matches("kB")));
            }
            if let Some(status) = run.try_wait().expect("it can be waited for") {
                break status;
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        assert!(status.success(), "agentd run");
        Self { agentd, any: fs::read_to_string(said).ok().map(|said| megabytes(&said)) }
    }

    fn print(&self) {
        let any = self.any.map_or("unknown".to_owned(), |any| format!("{any:.1} MB"));
        println!(
            "  peak memory: agentd {:.1} MB, the greatest process of all {any} (goal below {MEMORY_GOAL} MB)",
            self.agentd
        );
    }
}

fn megabytes(kibibytes: &str) -> f64 {
    kibibytes.trim().parse::<f64>().expect("a number") * 1024.0 / 1e6
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

/// Times changes among many files beside what git needs for them.
fn large(files: usize) {
    let scene = Scene::with(files);
    let place =
        if scene.folder.path().starts_with(MEMORY) { "memory" } else { "the temporary folder" };
    let rounds = if files > FILES { 1 } else { ROUNDS };
    println!("\n{files} files in {place}\n  (median of {rounds})");
    let worktree = scene.path("plain");
    let name = worktree.to_str().expect("a path");
    let add = ["worktree", "add", "--quiet", "--detach", name];
    // Memory that nobody has used yet takes longer, and whoever came first would pay for it.
    finish(scene.run("first", &["--flow", "quick"]), "agentd run");
    let mut times: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for round in 0..rounds {
        let mut timed = |what, command| {
            times.entry(what).or_default().push(finish(command, what));
        };
        timed("listing", listing(&scene, &scene.path("repo")));
        timed("dry run", scene.run(&format!("dry-{round}"), &["--dry-run"]));
        timed("checkout", scene.command("git", &add));
        timed("listing there", listing(&scene, &worktree));
        timed("removal", scene.command("git", &["worktree", "remove", name]));
        for flow in FLOWS {
            timed(flow, scene.run(&format!("{flow}-{round}"), &["--flow", flow]));
        }
    }
    let mut took = |what: &str| median(times.remove(what).unwrap_or_default());
    let (checkout, listing_there) = (took("checkout"), took("listing there"));
    line("git worktree add", checkout, 1.0, "");
    line("git ls-files -m -o there", listing_there, listing_there / checkout, "");
    let removal = took("removal");
    line("git worktree remove, which is in no unit", removal, removal / checkout, "");
    for flow in FLOWS {
        let mut command = scene.run(&format!("{flow}-counted"), &["--flow", flow]);
        scene.count_git(&mut command);
        let peak = Peak::of(&scene, &command);
        let (calls, checkouts) = (scene.calls().len(), scene.checkouts());
        fs::remove_file(scene.path("git-calls")).expect("calls of git");
        let times = |count: usize, one: f64| f64::from(u32::try_from(count).expect("a few")) * one;
        let unit = times(checkouts, checkout) + times(calls, listing_there);
        let whole = took(flow);
        println!("\na change of {flow} there, {calls} calls of the offline agent");
        line(&format!("{checkouts} plain checkouts, {calls} listings"), unit, 1.0, "");
        let goal = format!("(goal at most {WHOLE_GOAL} x)");
        line("the whole change", whole, whole / unit, &goal);
        peak.print();
    }
    let (listing, dry_run) = (took("listing"), took("dry run"));
    println!("\na dry run there");
    line("git ls-files -m -o in the user's checkout", listing, 1.0, "");
    let goal = format!("(goal at most {DRY_RUN_GOAL} x)");
    line("--dry-run", dry_run, dry_run / listing, &goal);
    Peak::of(&scene, &scene.run("dry", &["--dry-run"])).print();
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
