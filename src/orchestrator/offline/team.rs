//! The offline agent as every member of a team: it knows its part by the words that a prompt begins with, and plays it
//! by rote. Three small scripts stand in for every request, the first review finds one gap, and each change that is asked
//! for becomes one more script.

use std::fmt::Display;
use std::path::PathBuf;

use askama::Template;

use super::{CODE, NO_MODEL, Played, placed, said, taken_apart};
use crate::catalog::{TEAM, TeamTemplate};
use crate::template::{Command, Node, Role, TeamPrompt};

/// What stands before the change's folder in every prompt.
const FOLDER: &str = "The change's folder is\n`";
/// What stands before the folder of a topic in a researcher's prompt.
const RESULTS: &str = "Write these files in `";
/// What a message says that names the file of a prompt.
const MESSAGE: &str = "Read and follow the instructions in ";

/// Returns the file that a message names, if it names one.
pub(crate) fn named_file(message: &str) -> Option<PathBuf> {
    message.lines().find_map(|line| line.strip_prefix(MESSAGE)).map(|path| path.trim().into())
}

/// Plays a prompt of a team; any other is none of these.
pub(super) fn play(prompt: &str) -> Option<Played> {
    let begins = |template: &&'static TeamTemplate| matches!(template.nodes.first(), Some(Node::Text(text)) if prompt.starts_with(text));
    let part = TEAM.iter().filter(|it| it.prompt != TeamPrompt::Context).find(begins)?.prompt;
    let folder = quoted_after(prompt, FOLDER)?;
    let (answer, files) = taken_apart(&Stage::of(part, prompt, folder)?.to_string());
    let root = format!("{folder}/");
    let files = files.into_iter().map(|file| placed(&root, file)).collect();
    Some(Played { answer: said(&answer), files })
}

/// What the files and the answer of a part are filled in with.
#[derive(Template)]
#[template(path = "blocks/offline/team.j2", escape = "none")]
struct Stage<'s> {
    prompt: TeamPrompt,
    id: &'s str,
    /// The folder of a researcher's results.
    results: &'s str,
    /// How many scripts are planned. The first two are written side by side.
    count: u32,
    /// The plans that are described: of a new schedule only what is new.
    new_plans: Vec<u32>,
    /// The plans that are carried out, with their tasks, ticked.
    plans: Vec<(u32, Option<String>)>,
    /// How many reviews there were. Each round changes something, as a round must.
    reviews: String,
}

impl<'s> Stage<'s> {
    fn of(part: TeamPrompt, prompt: &'s str, folder: &'s str) -> Option<Self> {
        let results = match part {
            TeamPrompt::Role(Role::CodeResearcher | Role::WebResearcher) => {
                quoted_after(prompt, RESULTS)?.strip_prefix(folder)?.trim_start_matches('/')
            }
            TeamPrompt::Role(_) | TeamPrompt::Command(_) | TeamPrompt::Context => "",
        };
        let (count, new_plans) = match part {
            TeamPrompt::Command(Command::Change) => {
                let count = numbers(prompt, "plan_", ".md").max().unwrap_or(0) + 1;
                (count, vec![count])
            }
            TeamPrompt::Role(_) | TeamPrompt::Command(_) | TeamPrompt::Context => {
                (3, vec![1, 2, 3])
            }
        };
        let mut plans: Vec<u32> =
            numbers(prompt, &format!("`{folder}/06_implementation/done_"), "`").collect();
        plans.sort_unstable();
        plans.dedup();
        let plans = plans.into_iter().map(|plan| (plan, ticked(prompt, plan))).collect();
        let reviews = prompt.split_once("\"review\": ").map_or("", |(_, rest)| rest);
        let reviews = reviews.chars().take_while(char::is_ascii_digit).collect();
        let id = folder.rsplit('/').next().unwrap_or_default();
        Some(Self { prompt: part, id, results, count, new_plans, plans, reviews })
    }

    fn is_fix(&self) -> bool {
        self.prompt == TeamPrompt::Command(Command::Fix)
    }

    fn script(&self, plan: impl Display) -> String {
        format!("{CODE}{}-{plan}.sh", self.id)
    }

    fn test(&self, plan: impl Display) -> String {
        format!("{CODE}{}-{plan}.test.sh", self.id)
    }
}

/// Returns what stands in back-ticks behind the last place of some words.
fn quoted_after<'s>(prompt: &'s str, words: &str) -> Option<&'s str> {
    let (_, after) = prompt.rsplit_once(words)?;
    after.split_once('`').map(|(quoted, _)| quoted)
}

/// Lists the numbers that stand between two words.
fn numbers(prompt: &str, before: &str, after: &str) -> impl Iterator<Item = u32> {
    let named: Vec<_> = prompt.split(before).skip(1).collect();
    named.into_iter().filter_map(move |rest| rest.split(after).next()?.parse().ok())
}

/// Ticks the tasks of a plan as the prompt shows them: those with its number, or the only ones.
fn ticked(prompt: &str, plan: u32) -> Option<String> {
    let framed = |text: &'_ str| {
        let (_, after) = text.split_once("\n<tasks_md>\n")?;
        let (tasks, _) = after.split_once("\n</tasks_md>")?;
        Some(tasks.to_owned()).filter(|tasks| !tasks.is_empty())
    };
    let heading = format!("\n### Tasks of sub-plan {plan} (");
    let own = prompt.split_once(&heading).and_then(|(_, after)| framed(after));
    let tasks = own.or_else(|| framed(prompt))?;
    let tick = |line: &str| line.replacen("- [ ]", "- [x]", 1);
    let ticked: Vec<_> = tasks.lines().map(tick).collect();
    Some(format!("{}\n", ticked.join("\n")))
}
