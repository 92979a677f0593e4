//! The offline agent as every member of a team: it knows its part by the words that a prompt begins with, and plays it
//! by rote. Three small scripts stand in for every request, the first review finds one gap, and each change that is asked
//! for becomes one more script.

use std::path::PathBuf;

use serde_json::json;

use super::part::said;
use super::{NO_MODEL, Played};
use crate::catalog::{TEAM, TeamTemplate};
use crate::template::{Command, Node, Role, TeamPrompt};

/// What stands before the change's folder in every prompt.
const FOLDER: &str = "The change's folder is\n`";
/// What stands before the folder of a topic in a researcher's prompt.
const RESULTS: &str = "Write these files in `";
/// What the architect asks about.
const TOPIC: &str = "scripts";
/// What a message says that names the file of a prompt.
const MESSAGE: &str = "Read and follow the instructions in ";

/// Gives the file that a message names, if it names one.
pub(crate) fn named_file(message: &str) -> Option<PathBuf> {
    message.lines().find_map(|line| line.strip_prefix(MESSAGE)).map(|path| path.trim().into())
}

/// Plays a prompt of a team; any other is none of these.
pub(super) fn play(prompt: &str) -> Option<Played> {
    let begins = |template: &&'static TeamTemplate| matches!(template.nodes.first(), Some(Node::Text(text)) if prompt.starts_with(text));
    let part = TEAM.iter().filter(|it| it.prompt != TeamPrompt::Context).find(begins)?.prompt;
    let (_, after) = prompt.rsplit_once(FOLDER)?;
    let (folder, _) = after.split_once('`')?;
    let stage = Stage { folder, prompt };
    Some(match part {
        TeamPrompt::Role(Role::ProductManager) => stage.analyse(),
        TeamPrompt::Role(Role::Architect) => stage.design_code(),
        TeamPrompt::Role(Role::Planner) => stage.plan(3),
        TeamPrompt::Role(Role::Designer) => stage.design_looks(),
        TeamPrompt::Role(Role::Coder) => stage.code(),
        TeamPrompt::Role(Role::Reviewer) | TeamPrompt::Command(Command::Review) => stage.review(),
        TeamPrompt::Role(Role::CodeResearcher | Role::WebResearcher) => stage.look_into()?,
        TeamPrompt::Context => return None,
        TeamPrompt::Command(Command::Fix) => stage.fix(),
        TeamPrompt::Command(Command::Summary) => stage.sum_up(),
        TeamPrompt::Command(Command::Change) => stage.plan(stage.plans() + 1),
    })
}

/// Where a part is played.
struct Stage<'s> {
    /// The change's folder.
    folder: &'s str,
    prompt: &'s str,
}

/// Whether the gap that the first review finds is closed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    Open,
    Closed,
}

impl Stage<'_> {
    fn id(&self) -> &str {
        self.folder.rsplit('/').next().unwrap_or_default()
    }

    /// Hands over files of the change, and of the code.
    fn hand_over(
        &self,
        answer: &str,
        files: Vec<(&str, String)>,
        code: Vec<(String, String)>,
    ) -> Played {
        let own = files.into_iter();
        let own = own.map(|(name, text)| (PathBuf::from(format!("{}/{name}", self.folder)), text));
        let code = code.into_iter().map(|(name, text)| (PathBuf::from(name), text));
        Played { answer: said(answer), files: own.chain(code).collect() }
    }

    fn analyse(&self) -> Played {
        let analysis = format!("# Analysis\n\n{NO_MODEL}\n\nThree small scripts are wanted.\n");
        let done = json!({ "summary": "Three small scripts are wanted." });
        let files = vec![
            ("01_product_management/analysis.md", analysis),
            ("01_product_management/pm_done.yaml", done.to_string()),
        ];
        self.hand_over("The analysis is written.", files, Vec::new())
    }

    fn design_code(&self) -> Played {
        let component = |name: &str, responsibility: &str| json!({ "name": name, "responsibility": responsibility });
        let architecture = json!({
            "solution_overview": format!("{NO_MODEL} Two scripts, and one that puts them together."),
            "components": [
                component("hello", "prints a greeting"),
                component("name", "prints a name"),
                component("greet", "greets by name"),
            ],
            "interfaces_and_contracts": "Each script prints one line and takes at most one word.",
            "data_models": "None.",
            "cross_cutting_concerns": "Each script has a test that `sh` runs.",
            "technology_choices": "POSIX shell.",
            "risks_and_mitigations": "None worth a word.",
        });
        let question = json!({
            "topic": TOPIC,
            "questions": ["Which shell scripts are there, and how are they tested?"],
        });
        let request = format!("03_research/code-{TOPIC}/request.yaml");
        let files = vec![
            (request.as_str(), question.to_string()),
            ("02_architecting/architecture.yaml", architecture.to_string()),
        ];
        self.hand_over("The architecture is written.", files, Vec::new())
    }

    /// Answers a researcher's questions, in the folder that the prompt names.
    fn look_into(&self) -> Option<Played> {
        let (_, after) = self.prompt.rsplit_once(RESULTS)?;
        let (path, _) = after.split_once('`')?;
        let folder = path.strip_prefix(self.folder)?.trim_start_matches('/');
        let summary = format!("# Answers\n\n{NO_MODEL}\n\nNothing was looked at.\n");
        let (file, done) = (format!("{folder}/summary.md"), format!("{folder}/done"));
        let files = vec![(file.as_str(), summary), (done.as_str(), "done\n".to_owned())];
        Some(self.hand_over("The questions are answered.", files, Vec::new()))
    }

    fn design_looks(&self) -> Played {
        let design = format!("# Design\n\n{NO_MODEL}\n\nOne line of plain text.\n");
        let files = vec![("05_design/design.md", design), ("05_design/done", "done\n".to_owned())];
        self.hand_over("The design is written.", files, Vec::new())
    }

    /// Counts the plans that the prompt's schedule names.
    fn plans(&self) -> u32 {
        let named = self.prompt.split("plan_").skip(1);
        let number = |rest: &str| rest.split(".md").next()?.parse::<u32>().ok();
        named.filter_map(number).max().unwrap_or(0)
    }

    /// Plans so many scripts. The first two are written side by side; of a new plan only what is new is described.
    fn plan(&self, count: u32) -> Played {
        let name = |plan: u32| format!("Script {plan}");
        let describe = |plan: u32| {
            json!({
                "index": plan, "title": name(plan), "phase": if plan < 3 { 2 } else { 3 },
                "scope": "One script and its test.",
                "owned_files": [script(self.id(), plan), test(self.id(), plan)],
                "dependencies": if plan < 3 { vec![] } else { vec![1, 2] },
                "isolation": "No other plan owns these two files.",
                "implementation": format!("{NO_MODEL} Write the test, then the script."),
                "acceptance_criteria": ["the test passes"],
                "tasks": ["Write the test and see it fail", "Write the script"],
            })
        };
        let new: Vec<_> = if count == 3 { vec![1, 2, 3] } else { vec![count] };
        let reference =
            |plan: u32| json!({ "file": format!("plan_{plan}.md"), "name": name(plan) });
        let mut groups = vec![json!({
            "group_id": "side-by-side", "mode": "parallel", "plans": [reference(1), reference(2)],
        })];
        groups.extend((3..=count).map(|plan| {
            json!({ "group_id": format!("after-{plan}"), "mode": "serial", "plans": [reference(plan)] })
        }));
        let schedule = json!({
            "version": 1, "groups": groups, "needs_design": false, "needs_docs": false,
            "doc_files": [], "review_strategy": { "severity": "medium", "focus": ["empty words"] },
        });
        let overview = json!({ "overview": format!("# Plan\n\n{NO_MODEL}\n\n{count} scripts.\n") });
        let plans: Vec<_> = new
            .iter()
            .map(|plan| (format!("04_planning/plan_{plan}.yaml"), describe(*plan).to_string()))
            .collect();
        let mut files: Vec<_> =
            plans.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
        files.push(("04_planning/execution_plan.yaml", format!("{schedule:#}\n")));
        files.push(("04_planning/plan.yaml", overview.to_string()));
        self.hand_over("The work is planned.", files, Vec::new())
    }

    /// Carries out the plans whose markers the prompt asks for.
    fn code(&self) -> Played {
        let marker = format!("`{}/06_implementation/done_", self.folder);
        let named = self.prompt.split(marker.as_str()).skip(1);
        let mut plans: Vec<u32> =
            named.filter_map(|rest| rest.split('`').next()?.parse().ok()).collect();
        plans.sort_unstable();
        plans.dedup();
        let code = plans.iter().flat_map(|plan| files(self.id(), *plan, Gap::Open)).collect();
        let markers: Vec<_> =
            plans.iter().map(|plan| format!("06_implementation/done_{plan}")).collect();
        let tasks: Vec<_> = plans
            .iter()
            .filter_map(|plan| Some((format!("04_planning/tasks_{plan}.md"), self.ticked(*plan)?)))
            .collect();
        let ticked = tasks.iter().map(|(name, text)| (name.as_str(), text.clone()));
        let done = markers.iter().map(|marker| (marker.as_str(), "done\n".to_owned()));
        let files = ticked.chain(done).collect();
        self.hand_over("The scripts are written. Nothing was run.", files, code)
    }

    /// Ticks the tasks of a plan as the prompt shows them: those with its number, or the only ones.
    fn ticked(&self, plan: u32) -> Option<String> {
        let framed = |text: &'_ str| {
            let (_, after) = text.split_once("\n<tasks_md>\n")?;
            let (tasks, _) = after.split_once("\n</tasks_md>")?;
            Some(tasks.to_owned()).filter(|tasks| !tasks.is_empty())
        };
        let heading = format!("\n### Tasks of sub-plan {plan} (");
        let own = self.prompt.split_once(&heading).and_then(|(_, after)| framed(after));
        let tasks = own.or_else(|| framed(self.prompt))?;
        let tick = |line: &str| line.replacen("- [ ]", "- [x]", 1);
        let ticked: Vec<_> = tasks.lines().map(tick).collect();
        Some(format!("{}\n", ticked.join("\n")))
    }

    /// Fails the first time, for the gap that it knows of.
    fn review(&self) -> Played {
        let is_first = self.prompt.contains("\"review\": 0");
        let findings = if is_first {
            json!([{
                "severity": "medium", "location": script(self.id(), 2),
                "issue": "an empty word is not refused", "recommendation": "refuse it, and test that",
            }])
        } else {
            json!([])
        };
        let review = json!({
            "verdict": if is_first { "fail" } else { "pass" },
            "summary": format!("{NO_MODEL} The scripts are looked at for one gap alone."),
            "findings": findings, "checks": [],
        });
        let files = vec![("07_review/review.yaml", review.to_string())];
        self.hand_over("The review is written.", files, Vec::new())
    }

    fn fix(&self) -> Played {
        let done = vec![("06_implementation/done_fix", "done\n".to_owned())];
        let mut code = files(self.id(), 2, Gap::Closed);
        // Each round changes something, as a round must.
        let reviews = self.prompt.split_once("\"review\": ").map_or("", |(_, rest)| rest);
        let reviews: String = reviews.chars().take_while(char::is_ascii_digit).collect();
        if let Some((_, script)) = code.first_mut() {
            script.push_str(&format!("# Fixed after review {reviews}.\n"));
        }
        self.hand_over("The gap is closed.", done, code)
    }

    fn sum_up(&self) -> Played {
        let summary = format!("# Summary\n\n{NO_MODEL}\n\nThe scripts are written and reviewed.\n");
        let files = vec![("08_completion/summary.md", summary)];
        self.hand_over("The summary is written.", files, Vec::new())
    }
}

fn script(id: &str, plan: u32) -> String {
    format!("agentd-demo/{id}-{plan}.sh")
}

fn test(id: &str, plan: u32) -> String {
    format!("agentd-demo/{id}-{plan}.test.sh")
}

/// Writes the script of a plan, and its test.
fn files(id: &str, plan: u32, gap: Gap) -> Vec<(String, String)> {
    let guard = if gap == Gap::Closed { "[ -n \"$1\" ] || exit 2\n" } else { "" };
    let (body, expected) = match plan {
        1 => ("echo Hello\n".to_owned(), "Hello"),
        2 => (format!("{guard}printf '%s\\n' \"$1\"\n"), "Ada"),
        3 => {
            let run = |part: u32| format!("sh \"$here/{id}-{part}.sh\"");
            let greet = format!("echo \"$({}), $({} \"$1\")\"\n", run(1), run(2));
            (format!("here=$(dirname \"$0\")\n{greet}"), "Hello, Ada")
        }
        _ => ("echo More\n".to_owned(), "More"),
    };
    let script_text = format!("#!/bin/sh\n# {NO_MODEL}\n{body}");
    let mut test_text = format!(
        "#!/bin/sh\n# {NO_MODEL}\n[ \"$(sh \"$(dirname \"$0\")/{id}-{plan}.sh\" Ada)\" = '{expected}' ]\n"
    );
    if gap == Gap::Closed {
        test_text.push_str(&format!("! sh \"$(dirname \"$0\")/{id}-{plan}.sh\" ''\n"));
    }
    vec![(script(id, plan), script_text), (test(id, plan), test_text)]
}
