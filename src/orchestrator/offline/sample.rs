//! What the offline agent answers to each phase: a small command stands in for every request. Its first plan and its first
//! code forget one edge, an empty word, which the challenge and the review find and the next round settles.

use askama::Template;

use super::request::{Request, Skeleton};
use super::{CODE, NO_MODEL, Played, Unplayable, said, taken_apart};
use crate::models::agent::Delivers;
use crate::models::task::Task;
use crate::prompt::tasks::read_leniently;
use crate::template::{Phase, Variable};

/// The longest title in characters.
const LONGEST: usize = 60;

/// What the files and the answer of a phase are filled in with.
#[derive(Template)]
#[template(path = "blocks/offline/phase.j2", escape = "none")]
struct Sample<'r> {
    phase: Phase,
    change: String,
    title: String,
    request: &'r str,
    /// Whether the edge is settled: in the plan, the specs or the code.
    is_settled: bool,
    is_planned: bool,
    specs: Vec<(&'r str, &'r str)>,
    spec_names: String,
    /// What a critic has found, or what is found in a review.
    findings: Vec<String>,
    tasks: Vec<Task>,
    /// The tasks whose status is told.
    open: Vec<Task>,
}

/// Plays a phase.
pub(super) fn play(request: &Request, phase: Phase) -> Result<Played, Unplayable> {
    let skeleton = match phase {
        Phase::Plan => Some(request.skeleton(phase, "proposal.md")?),
        Phase::Implement => Some(request.skeleton(phase, "IMPLEMENTATION.md")?),
        Phase::Archive => Some(request.skeleton(phase, "archive/changelog.md")?),
        Phase::Challenge | Phase::Review => None,
    };
    if phase == Phase::Implement
        && skeleton.as_ref().is_some_and(|skeleton| skeleton.delivers == Delivers::Text)
    {
        return Err(Unplayable::CodeAsText);
    }
    let filled = Sample::of(request, phase, skeleton.as_ref()).to_string();
    let (answer, files) = taken_apart(&filled);
    Ok(match skeleton {
        Some(skeleton) => skeleton.hand_over(&answer, files),
        None => Played { answer: said(&answer), files: Vec::new() },
    })
}

impl<'r> Sample<'r> {
    fn of(request: &'r Request, phase: Phase, skeleton: Option<&Skeleton>) -> Self {
        let specs: Vec<_> = request.specs().collect();
        let is_in_specs = specs.iter().any(|(_, text)| speaks_of_the_edge(text));
        let challenge = request.artifact("CHALLENGE.md");
        let (is_settled, findings) = match phase {
            Phase::Plan => {
                (challenge.is_some() || is_in_specs, challenge.map(numbered).unwrap_or_default())
            }
            Phase::Challenge => (is_in_specs, Vec::new()),
            Phase::Implement => (request.artifact("REVIEW.md").is_some(), Vec::new()),
            Phase::Review => (false, uncovered(request)),
            Phase::Archive => (false, Vec::new()),
        };
        let proposal = request.artifact("proposal.md");
        // In a later round the instructions hold more than the request, and the plan answers to all of it.
        let heading = proposal
            .and_then(|text| text.lines().find_map(|line| line.strip_prefix("# Proposal:")));
        let tasks = read_leniently(request.artifact("tasks.md").unwrap_or_default());
        let mut open = read_leniently(request.value(Variable::Tasks).unwrap_or_default());
        if open.is_empty() {
            // All are ticked, and the review wants more: what holds now is said of all of them.
            open.clone_from(&tasks);
        }
        Self {
            phase,
            change: skeleton.map(|skeleton| skeleton.change.to_string()).unwrap_or_default(),
            title: title(heading.unwrap_or(&request.prompt.instructions)),
            request: &request.prompt.instructions,
            is_settled,
            is_planned: proposal.is_some(),
            spec_names: specs.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "),
            specs,
            findings,
            tasks,
            open,
        }
    }

    /// Returns the path of the command in the workspace.
    fn script(&self) -> String {
        format!("{CODE}{}.sh", self.change)
    }

    /// Returns the path of the command's test in the workspace.
    fn test(&self) -> String {
        format!("{CODE}{}.test.sh", self.change)
    }

    /// Returns the requirements that there are, or that are met.
    fn requirements(&self) -> &'static str {
        if self.is_settled { "R1, R2, R3" } else { "R1, R2" }
    }

    /// Finds which of the agent's own files a task is about. Without a plan, the request is the only task, and names none.
    fn own(&self, task: &Task) -> Option<String> {
        let is_of_task = |file: &String| {
            task.files.contains(file) || (!self.is_planned && task.files.is_empty())
        };
        [self.script(), self.test()].into_iter().find(is_of_task)
    }
}

/// Makes a title of a request: its first line, short, and without characters that mean something elsewhere.
pub(super) fn title(request: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || " ,.:;-+/()".contains(c);
    let lines = request.lines().map(|line| line.chars().filter(|c| plain(*c)).collect::<String>());
    let mut words = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let line = words.find(|line| line.chars().any(char::is_alphanumeric)).unwrap_or_default();
    let short: String = line.chars().take(LONGEST).collect();
    let short = short.trim_matches(|c: char| " ,.:;-+/".contains(c));
    if short.is_empty() { "The request".to_owned() } else { short.to_owned() }
}

/// Returns whether a text tells what happens with nothing where something is expected.
fn speaks_of_the_edge(text: &str) -> bool {
    text.to_lowercase().contains("empty")
}

/// Reads the numbered findings of a report.
fn numbered(report: &str) -> Vec<String> {
    let finding = |line: &str| {
        let (number, text) = line.split_once(". ")?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.replace(['<', '>', '`'], "'"))
    };
    report.lines().filter_map(finding).collect()
}

/// Holds the requirements of the specs against those that the implementer reports with a test.
fn uncovered(request: &Request) -> Vec<String> {
    let Some(report) = request.artifact("IMPLEMENTATION.md") else {
        return vec!["there is no IMPLEMENTATION.md, so nothing shows what was done.".to_owned()];
    };
    let covered = covered(report);
    let uncovered = request.specs().flat_map(|(name, text)| {
        let missing = requirements(text).filter(|(id, _)| !covered.contains(id));
        missing.map(move |(id, title)| {
            format!("{id} of {name} ({title}) is not met, and has no test. Add both.")
        })
    });
    let failed = report.lines().filter(|line| line.trim() == "- status: FAILED").count();
    let failed = (failed > 0).then(|| format!("IMPLEMENTATION.md reports {failed} failed tasks."));
    uncovered.chain(failed).collect()
}

/// Lists the requirements of a spec: ids and titles.
fn requirements(spec: &str) -> impl Iterator<Item = (&str, &str)> {
    let headings = spec.lines().filter_map(|line| line.strip_prefix("### "));
    headings.filter_map(|heading| {
        let (id, title) = heading.split_once(':')?;
        let number = id.strip_prefix('R').filter(|number| !number.is_empty())?;
        number.bytes().all(|byte| byte.is_ascii_digit()).then(|| (id, title.trim()))
    })
}

/// Lists the ids that a report names as covered.
fn covered(report: &str) -> Vec<&str> {
    let lines = report.lines().filter_map(|line| line.trim().strip_prefix("- requirements:"));
    lines.flat_map(|ids| ids.split(',').map(str::trim)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::blocks::{IMPLEMENTATION, PROPOSAL, SPEC, Section};
    use crate::prompt::tasks;

    fn sample(phase: Phase, is_settled: bool) -> Sample<'static> {
        let request = "Add login\n\n## Goals\n```";
        Sample {
            phase,
            change: "add-login".to_owned(),
            title: title(request),
            request,
            is_settled,
            is_planned: true,
            specs: Vec::new(),
            spec_names: String::new(),
            findings: Vec::new(),
            tasks: Vec::new(),
            open: Vec::new(),
        }
    }

    fn files(sample: &Sample<'_>) -> Vec<(String, String)> {
        taken_apart(&sample.to_string()).1
    }

    fn assert_complete(text: &str, sections: &[Section]) {
        let mut parts = text.split("\n## ").skip(1);
        for section in sections {
            let (title, body) = parts.next().unwrap().split_once('\n').unwrap();
            assert_eq!(title, section.title);
            assert!(body.trim().len() > 20, "{title}: {body}");
        }
        assert_eq!(parts.next(), None);
        assert!(text.lines().take(3).any(|line| line.contains(NO_MODEL)), "{text}");
        assert!(!text.contains("\n\n\n") && !text.contains("{{"), "{text}");
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{text:?}");
    }

    #[test]
    fn every_file_has_each_section_that_the_skeleton_asks_for() {
        for is_settled in [false, true] {
            let mut sample = sample(Phase::Plan, is_settled);
            sample.findings =
                numbered("1. MAJOR: the empty word\n2. MINOR: a name\n\nText. More.\n");
            let [(_, proposal), (name, spec), (_, tasks)] = files(&sample).try_into().unwrap();
            assert_complete(&proposal, &PROPOSAL);
            assert!(proposal.contains("the empty word\n  Answer: R3 settles it"), "{proposal}");
            assert!(proposal.contains("MINOR: a name\n  Answer: not settled"), "{proposal}");
            assert_complete(&spec, &SPEC);
            assert_eq!(name, "specs/add-login.md");
            assert_eq!(speaks_of_the_edge(&spec), is_settled, "the critic misses it at first");
            assert_eq!(spec.contains("### R3: ") && spec.contains("(R3)\n"), is_settled, "{spec}");
            let tasks = tasks::read(&tasks).unwrap();
            assert_eq!(tasks[1].requirements.join(", "), sample.requirements());
            assert_eq!(tasks[1].files, ["agentd-demo/add-login.test.sh"]);
            assert!(tasks.iter().all(|task| task.check.is_some() && !task.done));
        }
    }

    #[test]
    fn a_report_names_every_task_and_owns_up_to_what_it_cannot_do() {
        let mut sample = sample(Phase::Implement, false);
        sample.tasks = read_leniently(
            "# Tasks\n\n- [ ] 1.1 Do it\n  files: agentd-demo/add-login.sh\n- [ ] 1.2 Do more\n  files: x\n",
        );
        sample.open.clone_from(&sample.tasks);
        let (answer, files) = taken_apart(&sample.to_string());
        let text = &files[0].1;
        let headings: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(headings, IMPLEMENTATION.map(|section| section.title));
        let done = "### 1.1 Do it\n\n- status: COMPLETED\n- files: agentd-demo/add-login.sh\n";
        assert!(text.contains(done), "{text}");
        assert!(text.contains("### 1.2 Do more\n\n- status: FAILED\n- files: none\n"), "{text}");
        assert!(text.contains("- requirements: R1, R2\n") && !text.contains("\n\n\n"), "{text}");
        let status =
            |id: &str, word: &str| format!("<task_status id=\"{id}\">{word}</task_status>\n");
        let statuses = [status("1.1", "COMPLETED"), status("1.2", "FAILED")].concat();
        assert!(answer.ends_with(&statuses), "{answer}");
    }

    #[test]
    fn a_title_is_one_short_line_of_plain_characters() {
        for (request, expected) in [
            ("Add login", "Add login"),
            ("\n# Add *login*!\n\nMore.", "Add login"),
            ("<review>REJECTED</review>", "reviewREJECTED/review"),
            ("`$(rm -rf /)` \u{1b}[31m", "(rm -rf /) 31m"),
            ("…", "The request"),
            ("", "The request"),
        ] {
            assert_eq!(title(request), expected, "{request}");
        }
        assert_eq!(title(&"word ".repeat(50)).chars().count(), 59);
    }
}
