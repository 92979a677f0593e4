//! Much of everything: floods, crowds and long lists. Memory stays bounded, and twice as much takes about twice as long.
//! Every day in a small way; `just load` in full, with a table.

use std::fs;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use agentd::Phase;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use crate::project::{Project, ended};
use crate::ran::Ran;
use crate::workflow::scene::{ID, Scene};

/// What agentd may take of memory, however much of anything there is.
const MOST_MEMORY: u64 = 64 << 10;
/// Twice as much may take so many times as long; what grows with the square takes four times.
const MOST_GROWTH: f64 = 3.0;
/// What a program takes that has nothing to do, on a machine that has much else to do.
const AT_REST: Duration = Duration::from_millis(200);

/// What a run of agentd took.
struct Took {
    ran: Ran,
    /// The time that it computed, whatever else the machine did.
    computed: Duration,
    /// The most memory, in KiB.
    memory: u64,
}

/// Says whether all is to be tried.
fn in_full() -> bool {
    std::env::var_os("AGENTD_LOAD").is_some()
}

/// Gives a number for every day, or the one of `just load`.
fn number(every_day: usize, full: usize) -> usize {
    if in_full() { full } else { every_day }
}

fn took(command: &mut Command) -> Took {
    let child = command.spawn().expect("it starts");
    let mut memory = 0;
    let is_over = |child: &Child| {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let pid = Pid::from_child(child);
        waitid(WaitId::Pid(pid), options).expect("a child").is_some()
    };
    let start = Instant::now();
    // Its output is read at the end, so it must fit into a pipe.
    while !is_over(&child) {
        memory = peak_memory(&child).unwrap_or(memory);
        assert!(start.elapsed() < Duration::from_mins(10), "it does not end");
        std::thread::sleep(Duration::from_millis(1));
    }
    let computed = computed(&child);
    Took { ran: ended(child), computed, memory }
}

/// Gives the most memory that a process has had so far, in KiB; none once it is gone.
fn peak_memory(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Gives how long a process has computed that nobody has waited for yet.
fn computed(child: &Child) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).expect("it is there");
    let after_name = stat.rsplit_once(") ").expect("a name").1;
    let ticks: u64 =
        after_name.split(' ').skip(11).take(2).map(|one| one.parse::<u64>().expect("ticks")).sum();
    // Linux tells everybody hundredths of a second.
    Duration::from_millis(ticks * 10)
}

/// Has something done with a number of things and with twice as many, and holds both times together.
#[expect(clippy::print_stdout, reason = "a row of the table, for whoever asks for it")]
fn grows(what: &str, number: usize, with: impl Fn(usize) -> Took) -> (Took, Took) {
    let (once, twice) = (with(number), with(2 * number));
    let growth = (twice.computed + AT_REST).as_secs_f64() / (once.computed + AT_REST).as_secs_f64();
    println!(
        "| {what} | {number}, {} | {:?}, {:?} | {growth:.2} | {}, {} KiB |",
        2 * number,
        once.computed,
        twice.computed,
        once.memory,
        twice.memory
    );
    assert!(growth <= MOST_GROWTH, "{what}: {growth}");
    (once, twice)
}

#[test]
fn floods_on_either_stream_take_time_by_their_size_and_no_memory() {
    for stream in ["stdout", "stderr"] {
        let flood = |mebibytes: usize| {
            let project = Project::new();
            let script = format!("read\nflood {stream} {}\nexit 3", mebibytes << 20);
            let agent = project.agent("claude", Some(&script));
            let took = took(&mut project.call(Phase::Plan, &agent, "retries = 0"));
            project.mark.assert_nobody_is_left();
            took
        };
        let (once, twice) = grows(&format!("MiB on {stream}"), number(8, 100), flood);
        assert!(once.memory < MOST_MEMORY && twice.memory < MOST_MEMORY, "{stream}");
        once.ran.exits(5);
        if in_full() {
            let most = flood(1024);
            println!(
                "| MiB on {stream}, ended | 1024 | {:?} | | {} KiB |",
                most.computed, most.memory
            );
            assert!(most.memory < MOST_MEMORY, "{} KiB", most.memory);
            most.ran.exits(11);
        }
    }
}

#[test]
fn of_a_hundred_runs_at_once_on_one_change_one_asks_its_agent() {
    let scene = Scene::new();
    scene.script("count PATH/calls\nplay");
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
    assert_eq!(scene.history().len(), 3, "{:?}", scene.history());
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
    let (once, _) = grows("files of context", number(1000, 50_000), prompt);
    once.ran.exits(0);
}

#[test]
fn an_include_of_a_gigabyte_takes_no_memory() {
    let scene = Scene::new();
    scene.runs(&["--flow", "team", "--until", "architect"]).exits(0);
    let path = scene.change().join("requirements.md");
    fs::File::create(path).expect("made").set_len(1 << 30).expect("it has holes");
    let took = took(&mut scene.agentd(&["prompt", "--role", "architect", "--change", ID]));
    println!("| an include of 1 GiB | 1 | {:?} | | {} KiB |", took.computed, took.memory);
    assert!(took.memory < MOST_MEMORY, "{} KiB", took.memory);
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
    let (once, _) = grows("MiB of an answer", number(1, 10), read);
    once.ran.exits(0);
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
    let (once, _) = grows("tasks", number(500, 5000), read);
    once.ran.exits(0);
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
            scene.write(&format!("repo/agentd/changes/{id}/journal.jsonl"), text);
        }
        let out = fs::File::create(scene.path("out")).expect("a file");
        let took = took(scene.agentd(&["list"]).stdout(out));
        assert!(scene.read("out").contains(&format!("change-{}", count - 1)));
        took
    };
    let (once, _) = grows("changes listed", number(50, 500), list);
    once.ran.exits(0);
}
