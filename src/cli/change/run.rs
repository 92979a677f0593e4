//! `agentd run`: a change from its request to its archive, going on where it stopped.

use std::path::Path;
use std::sync::Arc;

use clap::Args;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::input;
use super::agents::still_needed;
use super::drive::{Course, drive};
use super::dry_run::dry_run;
use super::flow::ChosenFlow;
use super::ids::id_or_proposal;
use super::live::{self, Afterwards, LiveOptions};
use super::status::history;
use super::workshop::{AgentOptions, Room, archived, no_such_change, set_up};
use crate::engine::change::{Change, ChangeError, NewChange};
use crate::engine::driver::Goal;
use crate::engine::history::History;
use crate::engine::project::Whereabouts;
use crate::engine::setup::Setup;
use crate::flow::{Flow, Position, StepId, StepSet, Waiting};
use crate::models::change::ChangeId;
use crate::models::settings::Handover;
use crate::output::screen::{Audience, Screen};
use crate::output::story::Tone;
use crate::template::nearest::nearest;

/// Bring a change from a request to its archive, by the steps of its flow.
///
/// A new change begins with the request; one that is there goes on where it stopped, whatever stopped it. Other text than
/// the request is the answer to an agent that asked, or guidance: the plan is revised with it, if no code was written yet.
///
/// Code is written in a worktree of its own, on the branch agentd/CHANGE; your checkout is not touched but for the
/// folder agentd/. After each round of code the commands of `[verify]` run, and what is red is not archived.
///
/// Exit code 0 means archived, or waiting for you (it says so), 8 that a judge rejected it or that the rounds ran out,
/// 5 to 7 that an agent failed, took too long or gave no verdict: run it again to go on.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd run add-login \"Add a login page\"          begin a change
  agentd run add-login                             go on with it
  agentd run add-login @request.md --until plan    the request from a file; only plan
  agentd run add-login --pause plan,review         ask me after these steps
  agentd run add-login --agent codex               with this agent in every step
  agentd run add-login --agent review=claude       with this agent in one step
  agentd run add-login --agent offline --dry-run   show the prompt, send nothing
  agentd run fix-typo \"Fix the typo\" --flow quick   a small change, without a plan
  agentd run add-logo \"Add a logo\" --flow team      by a team of roles; it waits for your approval at its end")]
pub(in super::super) struct RunChange {
    /// The change's id: lower-case letters, digits and hyphens.
    #[arg(value_parser = id_or_proposal)]
    change: ChangeId,
    /// What is wanted; `-` reads it from standard input, and `@FILE` from a file.
    request: Option<String>,
    /// The flow: sdd, team, quick, or one of this project (`agentd flows list`). A change keeps the flow it began with.
    #[arg(long, value_name = "FLOW")]
    flow: Option<String>,
    /// Stop after this step.
    #[arg(long, value_name = "STEP")]
    until: Option<String>,
    /// Ask for approval after these steps; after every one if none is named.
    #[arg(
        long,
        value_name = "STEP,…",
        num_args = 0..=1,
        value_delimiter = ',',
        default_missing_value = "every"
    )]
    pause: Vec<String>,
    #[command(flatten)]
    agents: AgentOptions,
    #[command(flatten)]
    live: LiveOptions,
    /// Print the prompt that would be sent next, and do nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print events as JSON lines; the last one says where it stopped.
    #[arg(long, conflicts_with = "dry_run")]
    json: bool,
}

impl RunChange {
    pub(in super::super) fn run(&self) -> Outcome {
        let room = Room::find()?;
        let request = self.request.as_deref().map(request).transpose()?;
        let request = request.as_deref();
        let whereabouts = room.whereabouts(&self.change)?;
        let begun = match &whereabouts {
            Whereabouts::Open(folder) | Whereabouts::Archived(folder) => Some(history(folder)?),
            Whereabouts::Nowhere if request.is_none() => return Err(no_such_change(&self.change)),
            Whereabouts::Nowhere => None,
        };
        let flow = self.flow_of(&room, begun.as_ref())?;
        let goal = self.goal(&flow.flow)?;
        if !flow.has_roles() {
            self.live.refuse_without_roles()?;
        }
        if self.dry_run {
            return dry_run(room, &self.change, request, &self.agents, &flow);
        }
        let audience = if self.json { Audience::Programs } else { Audience::people() };
        let screen = Arc::new(Screen::new(audience));
        if let Whereabouts::Archived(path) = &whereabouts {
            self.refuse_more(path, begun.as_ref(), request)?;
            let setup = set_up(room, &self.agents, &flow, StepSet::default())?;
            // agentd may have been gone before it could record that it is archived, or tidy up.
            let change = Change::hold(&self.change, path)?;
            return drive(&setup, change, &screen, Course::Goal(goal), self.live.afterwards());
        }
        let new = NewChange {
            request: request.unwrap_or_default(),
            product_manager: room.config()?.team.product_manager,
            flow: flow.copy.clone(),
        };
        let needed = still_needed(&flow.flow, begun.as_ref(), &new, request, goal.until);
        let mut setup = set_up(room, &self.agents, &flow, needed)?;
        self.choose_delivery(&mut setup)?;
        // That is said before anything is made.
        setup.refuse_without_way(&self.change)?;
        let change = self.hold(&setup, request.is_some().then_some(new), &screen)?;
        drive(&setup, change, &screen, Course::Goal(goal), self.live.afterwards())
    }

    /// Returns the flow of the change: the one it began with, else the one that is asked for, else the project's.
    fn flow_of(&self, room: &Room, begun: Option<&History>) -> Outcome<ChosenFlow> {
        let Some(begun) = begun else {
            return ChosenFlow::named(room, self.flow.as_deref());
        };
        match &self.flow {
            Some(asked) if *asked != begun.flow.name => {
                let message = format!(
                    "change `{}` began with the flow `{}`, and keeps it",
                    self.change, begun.flow.name
                );
                Err(Failure::new(Kind::Usage, message).help("leave `--flow` out"))
            }
            Some(_) | None => ChosenFlow::begun(&room.project.root, begun),
        }
    }

    fn goal(&self, flow: &Flow) -> Outcome<Goal> {
        let until = self.until.as_deref().map(|word| step_of(flow, "--until", word)).transpose()?;
        let mut pauses = StepSet::default();
        for word in &self.pause {
            if word == "every" {
                pauses = flow.numbered().map(|(id, _)| id).collect();
            } else {
                pauses = pauses.with(step_of(flow, "--pause", word)?);
            }
        }
        Ok(Goal { until, pauses })
    }

    fn choose_delivery(&self, setup: &mut Setup) -> Outcome {
        if self.live.tmux {
            setup.team.delivery = Handover::Tmux;
        }
        let is_live = setup.team.delivery == Handover::Tmux;
        if self.live.afterwards() == Afterwards::Kept && !is_live {
            return Err(Failure::new(
                Kind::Usage,
                "`--keep-session` keeps a tmux session, and there is none",
            )
            .help("add `--tmux`"));
        }
        live::check(setup)
    }

    /// Refuses new text for a change that is in the archive.
    fn refuse_more(
        &self,
        folder: &Path,
        begun: Option<&History>,
        request: Option<&str>,
    ) -> Outcome {
        match (begun, request) {
            (Some(history), Some(text)) if is_new_text(history, text) => {
                Err(archived(&self.change, folder))
            }
            _ => Ok(()),
        }
    }

    /// Begins the change or holds it; new text is the answer to a question, or guidance.
    fn hold(&self, setup: &Setup, new: Option<NewChange<'_>>, screen: &Screen) -> Outcome<Change> {
        let (id, folder) = (&self.change, setup.project.change(&self.change));
        let request = new.as_ref().map(|new| new.request);
        let held = match new {
            Some(new) => Change::create(id, &setup.project, new),
            None => Change::hold(id, &folder),
        };
        let mut change = match held {
            // Whoever held it until now may have archived it since it was looked for.
            Err(ChangeError::Archived { folder, .. }) if request.is_none() => {
                Change::hold(id, &folder)?
            }
            Err(error) => match setup.project.find_archived(id) {
                Ok(Some(folder)) if !setup.project.change(id).exists() => {
                    Change::hold(id, &folder)?
                }
                Ok(_) | Err(_) => return Err(error.into()),
            },
            Ok(change) => change,
        };
        if change.history.is_cancelled() {
            let message = format!("change `{id}` was given up");
            return Err(Failure::new(Kind::Precondition, message)
                .help("begin another change under an id of its own"));
        }
        if change.history.is_new() {
            let text = format!("{id} begins in {}", folder.display());
            screen.line("change", &text, Tone::Plain);
        }
        if let Some(text) = request
            && is_new_text(&change.history, text)
        {
            add(&mut change, text, screen)?;
        }
        Ok(change)
    }
}

/// Finds a step that an option names.
fn step_of(flow: &Flow, option: &str, word: &str) -> Outcome<StepId> {
    flow.find(word).ok_or_else(|| {
        let names: Vec<_> = flow.steps.iter().map(|step| step.name.as_ref()).collect();
        let help = match nearest(word, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the steps are {}", names.join(", ")),
        };
        let message =
            format!("`{word}` in `{option} {word}` is no step of the flow `{}`", flow.name);
        Failure::new(Kind::Usage, message).help(help)
    })
}

/// Reads what is wanted: the word itself, standard input for `-`, or a file for `@FILE`.
pub(in super::super) fn request(word: &str) -> Outcome<String> {
    let text = match word.strip_prefix('@') {
        Some(path) => input::text_file(Path::new(path))?,
        None => input::instructions(word)?,
    };
    if text.trim().is_empty() {
        return Err(Failure::new(Kind::Usage, "the request is empty").help("say what is wanted"));
    }
    Ok(text)
}

/// Returns whether text is something else than was said before.
pub(super) fn is_new_text(history: &History, text: &str) -> bool {
    let answers = history.questions.iter().filter_map(|question| question.answer.as_ref());
    let said = [&history.request].into_iter().chain(&history.guidance).chain(answers);
    !said.into_iter().any(|said| said.trim() == text.trim())
}

/// Records what a person adds.
fn add(change: &mut Change, text: &str, screen: &Screen) -> Outcome {
    let is_answer = matches!(change.history.state.position, Position::Blocked(_));
    let entry = change.more(text);
    if change.history.allows(&entry).is_err() {
        return Err(too_late(&change.id, &change.history));
    }
    change.happened(entry)?;
    let (label, text) = if is_answer {
        ("answer", "the step is tried again with your answer")
    } else {
        ("guidance", "the work begins again with what you added")
    };
    screen.line(label, text, Tone::Plain);
    Ok(())
}

/// Reports that nothing can be added to a request any more.
pub(super) fn too_late(id: &ChangeId, history: &History) -> Failure {
    if history.is_over() {
        let message = format!("change `{id}` is at {}: nothing can be added to it", history.at());
        return Failure::new(Kind::Precondition, message)
            .help("begin another change under an id of its own");
    }
    let message =
        format!("code was already written for `{id}`: its request cannot be changed any more");
    let back = if may_be_rejected(history) {
        format!("`agentd reject {id} \"…\"` has the work done again")
    } else {
        format!(
            "`agentd run {id} --pause` asks you about what is next, and lets you reject the work"
        )
    };
    Failure::new(Kind::Precondition, message)
        .help(format!("`agentd run {id}` goes on as it is; {back}; a new wish is a new change"))
}

/// Returns whether a person can reject the work now.
pub(super) fn may_be_rejected(history: &History) -> bool {
    use crate::engine::entry::Entry;
    history.allows(&Entry::Rejected { reason: String::new() }).is_ok()
}

/// Returns what a person can do about a change that waits.
pub(super) fn answers(id: &ChangeId, history: &History, waiting: Waiting) -> String {
    match waiting {
        Waiting::Blocked(_) => format!("agentd run {id} \"your answer\", or agentd cancel {id}"),
        Waiting::Exhausted(_) => {
            format!("agentd reject {id} \"what to do\", which gives it new rounds")
        }
        Waiting::Paused(_) | Waiting::Gate(_) if may_be_rejected(history) => {
            format!("agentd approve {id}, or agentd reject {id} \"what to change\"")
        }
        Waiting::Paused(_) | Waiting::Gate(_) => {
            format!("agentd approve {id}, or agentd run {id} \"what else is wanted\"")
        }
    }
}
