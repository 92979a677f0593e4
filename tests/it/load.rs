//! Much of everything: floods, crowds and long lists. Twice as much takes about twice as long, and no more memory than what
//! each of them is allowed. Every day in a small way; `just load` in full, with a table.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use agentd::Phase;
use agentd::engine::lanes::pool::{self, End};
use agentd::models::run::End as RunEnd;
use agentd::process::Cancel;

use crate::measure::{Took, Usage, took, took_with_guards};
use crate::process::scene::{Scene as GuardedRun, runtime};
use crate::project::{Project, ended};
use crate::workflow::scene::{ID, Scene};

/// What agentd and its guards may take of memory beside what each thing is allowed, in KiB.
const MOST_MEMORY: u64 = 64 << 10;
/// By how much the memory of two runs differs that do the same, in KiB.
const SWAY: u64 = 4 << 10;
/// Twice as much may take so many times as long; what grows with the square takes four times.
const MOST_GROWTH: f64 = 2.5;
/// Times are told in hundredths of a second, of which two may be missing.
const UNSEEN: Duration = Duration::from_millis(20);
/// How often a time is taken at most where it seems to have grown too much.
const TRIES: usize = 5;
/// How many lanes are under way.
const AT_ONCE: usize = 32;

/// Says whether all is to be tried.
fn in_full() -> bool {
    std::env::var_os("AGENTD_LOAD").is_some()
}

/// Gives a number for every day, or the one of `just load`.
fn number(every_day: usize, full: usize) -> usize {
    if in_full() { full } else { every_day }
}

/// A number of things, and what they may come to.
struct Load<'a> {
    what: &'a str,
    number: usize,
    /// The memory that agentd may take for each of them, in bytes. A guard has none to spare.
    each: usize,
    /// How agentd ends.
    code: i32,
}

/// What a process took for a number of things, and for twice as many.
#[derive(Clone, Copy)]
struct Pair {
    once: Usage,
    twice: Usage,
}

impl Pair {
    /// Says by how much the time has grown.
    fn growth(self) -> f64 {
        let seconds = |usage: Usage| (usage.computed + UNSEEN).as_secs_f64();
        seconds(self.twice) / seconds(self.once)
    }

    /// Gives the shorter times of two pairs: what disturbs a time makes it longer.
    fn or_shorter(self, other: Self) -> Self {
        let shorter = |one: Usage, other: Usage| {
            let computed = one.computed.min(other.computed);
            Usage { computed, memory: one.memory.max(other.memory) }
        };
        let (once, twice) = (shorter(self.once, other.once), shorter(self.twice, other.twice));
        Self { once, twice }
    }
}

impl Load<'_> {
    /// Has something done with the number and with twice as many, and holds both to what they may take.
    fn grows(&self, with: impl Fn(usize) -> Took) {
        let [mut own, mut guards] = self.pairs(&with);
        for _ in 1..TRIES {
            if own.growth().max(guards.growth()) <= MOST_GROWTH {
                break;
            }
            let again = self.pairs(&with);
            (own, guards) = (own.or_shorter(again[0]), guards.or_shorter(again[1]));
        }
        for (of, pair) in [("", own), (", the guard", guards)] {
            self.show(of, pair);
            let growth = pair.growth();
            let what = self.what;
            assert!(
                growth <= MOST_GROWTH,
                "{what}{of}: twice as much takes {growth:.2} times as long"
            );
        }
    }

    /// Gives what agentd took, and what its guards took.
    fn pairs(&self, with: &impl Fn(usize) -> Took) -> [Pair; 2] {
        let (once, twice) = (with(self.number), with(2 * self.number));
        drop((once.ran.exits(self.code), twice.ran.exits(self.code)));
        let own = Pair { once: once.own, twice: twice.own };
        let guards = Pair { once: once.guards, twice: twice.guards };
        self.is_within_its_memory(own, self.each);
        self.is_within_its_memory(guards, 0);
        [own, guards]
    }

    fn is_within_its_memory(&self, pair: Pair, each: usize) {
        let (once, twice) = (pair.once.memory, pair.twice.memory);
        let allowed = |number: usize| u64::try_from(each * number).expect("a size") >> 10;
        let most = MOST_MEMORY + allowed(2 * self.number);
        assert!(twice <= most, "{}: {twice} of {most} KiB", self.what);
        let more = twice.saturating_sub(once);
        let most = SWAY + allowed(self.number);
        assert!(more <= most, "{}: twice as much takes {more} KiB more, of {most}", self.what);
    }

    /// Prints a row of the table, unless nobody was looked at.
    #[expect(clippy::print_stdout, reason = "a row of the table, for whoever asks for it")]
    fn show(&self, of: &str, pair: Pair) {
        let Pair { once, twice } = pair;
        if twice.memory > 0 {
            println!(
                "| {}{of} | {}, {} | {:?}, {:?} | {:.2} | {}, {} KiB |",
                self.what,
                self.number,
                2 * self.number,
                once.computed,
                twice.computed,
                pair.growth(),
                once.memory,
                twice.memory
            );
        }
    }
}

#[test]
fn floods_on_either_stream_take_time_by_their_size_and_no_memory() {
    for stream in ["stdout", "stderr"] {
        let flood = |mebibytes: usize| {
            let project = Project::new();
            let script = format!("read\nflood {stream} {}\nexit 3", mebibytes << 20);
            let agent = project.agent("claude", Some(&script));
            let took = took_with_guards(&mut project.call(Phase::Plan, &agent, "retries = 0"));
            project.mark.assert_nobody_is_left();
            assert!(took.guards.memory > 0, "a guard reads what the agent prints");
            took
        };
        let what = format!("MiB on {stream}");
        Load { what: &what, number: number(8, 100), each: 0, code: 5 }.grows(flood);
        if in_full() {
            let most = flood(1024);
            for (who, Usage { computed, memory }) in [("", most.own), (", the guard", most.guards)]
            {
                println!("| {what}, ended{who} | 1024 | {computed:?} | | {memory} KiB |");
                assert!(memory < MOST_MEMORY, "{what}{who}: {memory} KiB");
            }
            most.ran.exits(11);
        }
    }
}

/// The process that the test below measures: it carries out as many lanes as its environment says. Without that nobody has
/// started it, and there is nothing to do.
#[test]
fn lanes_that_are_looked_at() {
    let Ok(lanes) = std::env::var("AGENTD_LANES") else { return };
    let lanes = lanes.parse().expect("a number");
    let mut reported = vec![0; lanes];
    let jobs = (0..lanes).map(said_by);
    let most = NonZeroUsize::new(AT_ONCE).expect("a number");
    runtime().block_on(pool::run(jobs, most, &Cancel::never(), |lane, end| {
        assert_eq!(end, End::Done(vec![format!("lane {lane}")]));
        reported[lane] += 1;
    }));
    assert!(reported.iter().all(|count| *count == 1), "each is reported once");
}

/// Has an agent of a lane say which it is, under a guard, and gives its lines.
async fn said_by(lane: usize) -> Vec<String> {
    let outcome = GuardedRun::of(&format!("echo lane {lane}")).running(|_| {}).await;
    assert_eq!(outcome.record().end, RunEnd::Exited { code: 0 }, "lane {lane}");
    outcome.lines
}

#[test]
fn a_thousand_lanes_are_each_reported_once_in_linear_time() {
    // A process of their own: what it takes is theirs alone.
    let carried_out = |lanes: usize| {
        let mut command = Command::new(std::env::current_exe().expect("the tests"));
        command.args(["--exact", "load::lanes_that_are_looked_at"]);
        command.env("AGENTD_LANES", lanes.to_string());
        // Each run makes files, and how long that takes is up to the disk, also by what was removed from it before.
        if Path::new("/dev/shm").is_dir() {
            command.env("TMPDIR", "/dev/shm");
        }
        took(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
    };
    Load { what: "lanes", number: number(32, 500), each: 1 << 10, code: 0 }.grows(carried_out);
}

#[test]
fn of_a_hundred_runs_at_once_on_one_change_one_asks_its_agent() {
    let scene = Scene::new();
    scene.script("count PATH/notes/calls\nplay");
    let racers = number(20, 100);
    let words = ["--agent", "plan=scripted", "--until", "plan"];
    let start = Instant::now();
    let children: Vec<_> =
        (0..racers).map(|_| scene.run(&words).spawn().expect("it starts")).collect();
    let codes: Vec<_> = children.into_iter().map(|child| ended(child).code).collect();
    println!("| runs at once | {racers} | {:?} in all | | |", start.elapsed());
    // One that comes when all is done finds nothing to do.
    assert!(codes.iter().all(|code| matches!(code, Some(0 | 9))), "{codes:?}");
    assert!(codes.contains(&Some(0)), "{codes:?}");
    assert_eq!(scene.calls(), 1, "one asked");
    assert_eq!(scene.history().len(), 6, "{:?}", scene.history());
}

#[test]
fn a_hundred_thousand_files_of_context_are_put_into_a_prompt_in_linear_time() {
    let prompt = |count: usize| {
        let scene = Scene::new();
        for number in 0..count {
            scene.write(&format!("repo/agentd/specs/spec-{number}.md"), "# A spec\n");
        }
        let command = scene.run(&["--until", "plan", "--dry-run"]);
        let out = fs::File::create(scene.path("out")).expect("a file");
        let mut command = command;
        took(command.stdout(out))
    };
    let number = number(4000, 50_000);
    Load { what: "files of context", number, each: 3 << 9, code: 0 }.grows(prompt);
}

#[test]
fn an_include_of_a_gigabyte_takes_no_memory() {
    let scene = Scene::new();
    scene.runs(&["--flow", "team", "--until", "architect"]).exits(0);
    let path = scene.change().join("requirements.md");
    fs::File::create(path).expect("made").set_len(1 << 30).expect("it has holes");
    let took = took(&mut scene.agentd(&["prompt", "--role", "architect", "--change", ID]));
    let Usage { computed, memory } = took.own;
    println!("| an include of 1 GiB | 1 | {computed:?} | | {memory} KiB |");
    assert!(memory < MOST_MEMORY, "{memory} KiB");
    took.ran.exits(11);
}

#[test]
fn long_answers_are_read_in_linear_time() {
    let read = |mebibytes: usize| {
        let scene = Scene::new();
        let text =
            "A line of an answer, with `code` and <b>tags</b>.\n".repeat((mebibytes << 20) / 50);
        scene.write("answer", text + "<review>PASS</review>\n");
        let answer = fs::File::open(scene.path("answer")).expect("there");
        let out = fs::File::create(scene.path("out")).expect("a file");
        took(scene.agentd(&["markers", "--phase", "review"]).stdin(answer).stdout(out))
    };
    Load { what: "MiB of an answer", number: number(2, 7), each: 14 << 20, code: 0 }.grows(read);
}

#[test]
fn many_tasks_are_read_in_linear_time() {
    let read = |count: usize| {
        let scene = Scene::new();
        scene.runs(&["--until", "challenge"]).exits(0);
        let tasks: String = (1..=count).map(|task| format!("- [ ] 1.{task} Do it\n")).collect();
        fs::write(scene.change().join("tasks.md"), format!("# Tasks\n\n{tasks}")).expect("written");
        let out = fs::File::create(scene.path("out")).expect("a file");
        took(scene.run(&["--until", "implement", "--dry-run"]).stdout(out))
    };
    Load { what: "tasks", number: 5000, each: 1 << 10, code: 0 }.grows(read);
}

#[test]
fn many_changes_are_listed_in_linear_time() {
    let list = |count: usize| {
        let scene = Scene::new();
        scene.runs(&["--until", "plan"]).exits(0);
        let journal = String::from_utf8(scene.journal()).expect("text");
        for number in 0..count {
            let id = format!("change-{number}");
            let text = journal.replace(ID, &id);
            scene.write(&format!("repo/.git/agentd/changes/{id}/journal.jsonl"), text);
        }
        let out = fs::File::create(scene.path("out")).expect("a file");
        let took = took(scene.agentd(&["list"]).stdout(out));
        assert!(scene.read("out").contains(&format!("change-{}", count - 1)));
        took
    };
    Load { what: "changes listed", number: number(100, 500), each: 1 << 10, code: 0 }.grows(list);
}
