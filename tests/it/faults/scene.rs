//! A change in any of the flows, one step of which fails, and the end that it must reach all the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::process::scene::await_that;
use crate::project::ran;
use crate::ran::Ran;
use crate::workflow::scene::{ID, Scene};

/// Who brings a change on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Phases,
    Team,
    Quick,
}

/// How a step of writing fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Once, as on a bad disk.
    Error,
    /// From then on, as on a full disk.
    Full,
    /// With the process that takes it.
    Kill,
}

/// A step of writing, by its number in a run that nobody disturbs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) flow: Flow,
    pub(super) fault: Fault,
    pub(super) number: usize,
}

/// What a change comes to that nobody disturbs.
pub(super) struct Undisturbed {
    end: BTreeMap<String, String>,
    answers: BTreeMap<String, usize>,
    /// How many steps of writing it took.
    pub(super) steps: usize,
}

/// A change that is brought to its end.
pub(super) struct Story {
    pub(super) scene: Scene,
    flow: Flow,
}

impl Story {
    pub(super) fn of(flow: Flow) -> Self {
        Self { scene: Scene::new(), flow }
    }

    /// The commands that bring the change to its end.
    fn commands(&self) -> Vec<Command> {
        match self.flow {
            Flow::Phases => vec![self.scene.run(&[])],
            Flow::Quick => vec![self.scene.run(&["--flow", "quick"])],
            Flow::Team => {
                vec![self.scene.run(&["--flow", "team"]), self.scene.agentd(&["approve", ID])]
            }
        }
    }

    fn ledger(&self) -> PathBuf {
        self.scene.path("ledger")
    }

    /// Lists the steps of writing that were taken: what was done, and to which file.
    pub(super) fn steps(&self) -> Vec<String> {
        let text = fs::read_to_string(self.ledger()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Runs the change until a step fails, or to its end; gives what the last command said.
    pub(super) fn disturbed_by(&self, fault: Fault, number: usize) -> Ran {
        let fault = format!("{fault:?}").to_lowercase();
        let order = format!("{fault}:{number}:{}", self.ledger().display());
        let mut last = None;
        for mut command in self.commands() {
            let one = ran(command.env("AGENTD_FAULT", &order));
            let is_over = one.code != Some(0);
            last = Some(one);
            if is_over {
                break;
            }
        }
        last.expect("a command")
    }

    /// Runs the change to its end, with nothing in its way.
    pub(super) fn ends(&self) {
        for (number, mut command) in self.commands().into_iter().enumerate() {
            // The second command may be what was cut off.
            if number == 0 || !self.is_archived() {
                ran(&mut command).exits(0);
            }
        }
    }

    pub(super) fn is_archived(&self) -> bool {
        let last = match self.flow {
            Flow::Phases | Flow::Team => "finished apply DONE",
            Flow::Quick => "finished archive DONE",
        };
        self.scene.history().last().is_some_and(|entry| entry == last)
    }

    /// Gives the lines of the journal that were finished; each must be a record.
    pub(super) fn acknowledged(&self) -> Vec<u8> {
        let journal = self.scene.journal();
        let whole = journal.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        for line in journal[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            serde_json::from_slice::<Value>(line).expect("a whole line");
        }
        journal[..whole].to_vec()
    }

    /// Counts the calls of agents that came to their end by themselves, by what they were for.
    fn answers(&self) -> BTreeMap<String, usize> {
        let mut answers = BTreeMap::new();
        for entry in fs::read_dir(self.scene.state().join("runs")).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            let Some((_, work)) = name.split_once('-') else { continue };
            let end = fs::read(path.join("end.json")).unwrap_or_default();
            let end: Value = serde_json::from_slice(&end).unwrap_or_default();
            if work != "verify" && end["end"]["end"] == "exited" {
                *answers.entry(work.to_owned()).or_default() += 1;
            }
        }
        answers
    }

    /// All that the change leaves, without what differs from one run to another.
    fn end(&self) -> BTreeMap<String, String> {
        let root = self.scene.path("").display().to_string();
        let steady = |(path, text): (String, String)| {
            // These tell of times, and a prompt of a team shows the state of its change.
            let is_dated = path.contains("/submissions") || path.contains("_prompt");
            let text = match path.as_str() {
                _ if is_dated => String::new(),
                // Plans at once have no order among each other, and one that was cut off is begun once more.
                "log" if self.flow == Flow::Team => sorted(&text),
                "history" => text.lines().filter(|line| !line.starts_with("lane")).collect(),
                _ => text.replace(&root, "ROOT/"),
            };
            (path, text)
        };
        let outcome = self.scene.outcome().into_iter();
        // What is left of a line that was never finished is kept for good; what keeps those out who are late is needed
        // only while somebody could be.
        let is_left = |path: &str| !path.ends_with("journal.torn") && !path.ends_with("/closed");
        outcome.filter(|(path, _)| is_left(path)).map(steady).collect()
    }

    /// Demands that all is as at the end of a change that nobody disturbed.
    pub(super) fn ended_like(&self, other: &Undisturbed) {
        let mut answers = self.answers();
        for (work, count) in &other.answers {
            // A topic whose files say that it is settled needs no answer.
            if work.starts_with("research-") {
                answers.entry(work.clone()).or_insert(*count);
            }
        }
        assert_eq!(answers, other.answers, "no answer is asked for twice");
        let end = self.end();
        let names = |end: &BTreeMap<String, String>| end.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&end), names(&other.end), "nothing is missing and nothing else is left");
        for (name, text) in &other.end {
            assert_eq!(end.get(name), Some(text), "{name}");
        }
        self.nobody_is_left();
    }

    pub(super) fn nobody_is_left(&self) {
        await_that("the end of all that was started", || self.scene.processes().is_empty());
    }
}

fn sorted(text: &str) -> String {
    let mut lines: Vec<_> = text.lines().collect();
    lines.sort_unstable();
    lines.join("\n")
}

impl Undisturbed {
    pub(super) fn of(flow: Flow) -> Self {
        let story = Story::of(flow);
        story.disturbed_by(Fault::Error, 0).exits(0);
        assert!(story.is_archived());
        Self { end: story.end(), answers: story.answers(), steps: story.steps().len() }
    }
}
