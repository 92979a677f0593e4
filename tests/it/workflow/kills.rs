//! agentd is killed, again and again, wherever it happens to be: what was acknowledged stays, what an agent has answered
//! is not asked again, the user's checkout is as it was, and the end is the one that nobody disturbed.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use super::scene::{ID, Scene, kill};
use crate::process::scene::await_that;
use crate::project::{ended, ran};

/// How many kills there are unless `AGENTD_CRASH_KILLS` says otherwise; `just crash` does.
const KILLS: u64 = 10;
/// No run takes so long, on the slowest of machines.
const AT_MOST: Duration = Duration::from_mins(2);

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Numbers that look random and are the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// When agentd is killed.
#[derive(Debug)]
enum Moment {
    /// So long after its start.
    After(Duration),
    /// As soon as so many more files or folders are there.
    Files(usize),
    /// As soon as its journal has so many lines.
    Lines(usize),
}

impl Moment {
    /// Comes soon after the start or late, so that now little is done in between and now much.
    fn thrown(dice: &mut Dice) -> Self {
        match dice.below(2) {
            0 => Self::After(Duration::from_micros(dice.below(600_000))),
            _ => Self::Files(usize::try_from(1 + dice.below(24)).expect("it is small")),
        }
    }

    /// Waits until it has come, or agentd has ended.
    fn wait(&self, scene: &Scene, agentd: &mut Child) {
        let start = Instant::now();
        let written = || ["agentd", ".git/agentd"].map(|it| count(&scene.path("repo").join(it)));
        let before: usize = written().iter().sum();
        loop {
            let has_come = match self {
                Self::After(time) => start.elapsed() >= *time,
                Self::Files(more) => written().iter().sum::<usize>() >= before + more,
                Self::Lines(lines) => scene.entries() >= *lines,
            };
            if has_come || agentd.try_wait().expect("it can be asked").is_some() {
                return;
            }
            assert!(start.elapsed() < AT_MOST, "{self:?} never comes");
        }
    }
}

/// Counts what is below a folder; what vanishes meanwhile is not counted.
fn count(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries.map(|entry| 1 + if entry.path().is_dir() { count(&entry.path()) } else { 0 }).sum()
}

/// Who brings the change on.
struct Course {
    words: &'static [&'static str],
    /// How often agents are called.
    calls: usize,
    /// What a person does at the end.
    last_word: Option<&'static str>,
}

const PHASES: Course = Course { words: &[], calls: 9, last_word: None };

const TEAM: Course = Course { words: &["--flow", "team"], calls: 10, last_word: Some("approve") };

const QUICK: Course = Course { words: &["--flow", "quick"], calls: 2, last_word: None };

impl Course {
    /// Has a person say the last word, if there is one to be said.
    fn end(&self, scene: &Scene) {
        if let Some(word) = self.last_word {
            ran(&mut scene.agentd(&[word, ID])).exits(0);
        }
    }

    /// Gives what is left at the end. Where several work at once, what each knew of the others is nobody's choice.
    fn outcome(&self, scene: &Scene) -> BTreeMap<String, String> {
        let mut left = scene.outcome();
        if self.last_word.is_some() {
            left.retain(|name, _| !name.contains("_prompt") && !name.contains("/submissions/"));
            left.remove("history");
            let range = format!("main..agentd/{ID}");
            let log = scene.git(&["log", "--first-parent", "--format=%an %cn %B", &range]);
            left.insert("log".to_owned(), log);
        }
        left
    }
}

/// What a run that nobody disturbs comes to.
struct Undisturbed {
    course: &'static Course,
    outcome: BTreeMap<String, String>,
    answers: BTreeMap<String, usize>,
    entries: usize,
}

fn undisturbed(course: &'static Course) -> Undisturbed {
    let scene = Scene::new();
    scene.runs(course.words).exits(0);
    let entries = scene.entries();
    course.end(&scene);
    let answers = scene.answers();
    assert_eq!(answers.values().sum::<usize>(), course.calls, "{answers:?}");
    Undisturbed { course, outcome: course.outcome(&scene), answers, entries }
}

/// A change whose agentd is killed now and then.
struct Disturbed<'u> {
    scene: Scene,
    undisturbed: &'u Undisturbed,
    checkout: BTreeMap<std::path::PathBuf, Vec<u8>>,
    /// The lines that were in the journal when agentd was last killed.
    acknowledged: Vec<u8>,
}

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
enum Ended {
    Killed,
    ByItself,
}

impl<'u> Disturbed<'u> {
    fn new(undisturbed: &'u Undisturbed) -> Self {
        let scene = Scene::new();
        let checkout = scene.checkout();
        Self { scene, undisturbed, checkout, acknowledged: Vec::new() }
    }

    /// Runs agentd, kills it, and looks at what is there.
    fn strike(&mut self, moment: &Moment) -> Ended {
        let words = self.undisturbed.course.words;
        let mut agentd = self.scene.run(words).spawn().expect("it starts");
        moment.wait(&self.scene, &mut agentd);
        let ran = kill(agentd);
        self.look();
        if ran.code.is_none() {
            return Ended::Killed;
        }
        ran.exits(0);
        Ended::ByItself
    }

    /// Holds what is there to what must be there after a kill.
    fn look(&mut self) {
        assert_eq!(self.scene.checkout(), self.checkout, "the user's checkout");
        let journal = self.scene.journal();
        assert!(journal.starts_with(&self.acknowledged), "something acknowledged is lost");
        let whole = journal.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        for line in journal[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            serde_json::from_slice::<serde_json::Value>(line).expect("a whole line");
        }
        self.acknowledged = journal[..whole].to_vec();
    }

    /// Lets the change come to its end and compares that with an end that nobody disturbed.
    fn conclude(mut self) {
        let course = self.undisturbed.course;
        ended(self.scene.run(course.words).spawn().expect("it starts")).exits(0);
        self.look();
        course.end(&self.scene);
        let mut answers = self.scene.answers();
        for name in self.undisturbed.answers.keys().filter(|name| name.starts_with("research-")) {
            // Whoever was ended after its marker was there has said all, and is not asked again.
            answers.entry(name.clone()).or_insert(1);
        }
        assert_eq!(answers, self.undisturbed.answers, "no answer is asked for twice");
        let outcome = course.outcome(&self.scene);
        for (name, text) in &self.undisturbed.outcome {
            assert_eq!(outcome.get(name), Some(text), "{name}");
        }
        let names =
            |outcome: &BTreeMap<String, String>| outcome.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&outcome), names(&self.undisturbed.outcome), "nothing else is left");
        await_that("the end of all that was started", || self.scene.processes().is_empty());
    }
}

#[test]
fn a_run_that_is_killed_at_random_points_comes_to_the_same_end() {
    strike_at_random(&PHASES);
}

#[test]
fn a_team_that_is_killed_at_random_points_comes_to_the_same_end() {
    strike_at_random(&TEAM);
}

#[test]
fn a_quick_change_that_is_killed_at_random_points_reaches_the_same_end() {
    strike_at_random(&QUICK);
}

#[expect(clippy::print_stdout, reason = "it says how it is repeated, and how far it is")]
fn strike_at_random(course: &'static Course) {
    let kills = setting("AGENTD_CRASH_KILLS", KILLS);
    let seed = setting("AGENTD_CRASH_SEED", u64::from(std::process::id()));
    println!("seed {seed}: AGENTD_CRASH_SEED={seed} repeats it");
    // A seed of nought would give nothing else.
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let undisturbed = undisturbed(course);
    let (mut done, mut changes) = (0, 0);
    while done < kills {
        let mut disturbed = Disturbed::new(&undisturbed);
        changes += 1;
        while done < kills {
            let moment = Moment::thrown(&mut dice);
            if disturbed.strike(&moment) == Ended::ByItself {
                break;
            }
            done += 1;
            let lines = disturbed.scene.entries();
            println!("kill {done} of {kills}: {moment:?}, {lines} entries acknowledged");
        }
        disturbed.conclude();
    }
    println!("{done} kills in {changes} changes: the same end each time");
}

#[test]
fn a_run_that_is_killed_after_every_entry_of_its_journal_comes_to_the_same_end() {
    strike_after_every_entry(&PHASES);
}

#[test]
fn a_team_that_is_killed_after_every_entry_of_its_journal_reaches_the_same_end() {
    strike_after_every_entry(&TEAM);
}

#[test]
fn a_quick_change_that_is_killed_after_every_entry_of_its_journal_reaches_the_same_end() {
    strike_after_every_entry(&QUICK);
}

fn strike_after_every_entry(course: &'static Course) {
    let undisturbed = undisturbed(course);
    let entries = undisturbed.entries;
    let mut disturbed = Disturbed::new(&undisturbed);
    let kills =
        (1..entries).filter(|lines| disturbed.strike(&Moment::Lines(*lines)) == Ended::Killed);
    assert!(kills.count() > entries / 2, "of {entries} entries");
    disturbed.conclude();
}
