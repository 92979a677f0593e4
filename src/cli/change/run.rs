//! `agentd run`: a change from its request to its archive, going on where it stopped.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use clap::Args;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::input;
use super::super::words::{Goal, flow, goal};
use super::drive::{Course, drive};
use super::dry_run::{dry_run, dry_run_team};
use super::ids::id_or_proposal;
use super::live::LiveOptions;
use super::status::history;
use super::team;
use super::workshop::{AgentOptions, Room, archived, no_such_change, set_up};
use crate::engine::change::Change;
use crate::engine::driver::Way;
use crate::engine::entry::Entry;
use crate::engine::flow::Flow;
use crate::engine::history::History;
use crate::engine::machine::Stage;
use crate::engine::project::Whereabouts;
use crate::engine::setup::Setup;
use crate::engine::team::{TeamStep, TeamWay};
use crate::models::change::ChangeId;
use crate::models::settings::Handover;
use crate::models::word::Word as _;
use crate::output::screen::{Audience, Screen};
use crate::output::story::Tone;
use crate::template::Phase;

/// Bring a change from a request to its archive: plan, challenge, implement, review, archive.
///
/// A change that is new is begun with the request; one that is there goes on where it stopped, whatever stopped it.
/// Other text than the request is taken as guidance: the plan is revised with it, if no code was written yet.
///
/// Code is written in a worktree of its own, on the branch agentd/CHANGE; your checkout is not touched but for the
/// folder agentd/. After each round of code the commands of `[verify]` are run, and what is red is not archived.
///
/// Exit code 0 means archived, or waiting for you (it says so), 8 that the critic rejected it or that the rounds ran
/// out, 5 to 7 that an agent failed, took too long or gave no verdict: run it again to go on.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd run add-login \"Add a login page\"          begin a change
  agentd run add-login                             go on with it
  agentd run add-login @request.md --until plan    the request from a file; only plan
  agentd run add-login --pause plan,review         ask me after these phases
  agentd run add-login --agent codex               with this agent in every phase
  agentd run add-login --agent review=claude       with this agent in one phase
  agentd run add-login --agent offline --dry-run   show the prompt, send nothing
  agentd run add-logo \"Add a logo\" --flow team      by a team; it waits for your approval at its end")]
pub(in super::super) struct RunChange {
    /// The change's id: lower-case letters, digits and hyphens.
    #[arg(value_parser = id_or_proposal)]
    change: ChangeId,
    /// What is wanted; `-` reads it from standard input, and `@FILE` from a file.
    request: Option<String>,
    /// Who brings it on: phases with specs (`sdd`), or a team of roles (`team`). A change keeps the flow it began with.
    #[arg(long, value_name = "FLOW", value_parser = flow)]
    flow: Option<Flow>,
    /// Stop after this phase, or this step of a team.
    #[arg(long, value_name = "PHASE", value_parser = goal)]
    until: Option<Goal>,
    /// Ask for approval after these phases, or steps of a team; after every one if none is named.
    #[arg(
        long,
        value_name = "PHASE,…",
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
        let flow = self.flow_in(&room)?;
        if flow == Flow::Team {
            return self.run_team(room, request.as_deref());
        }
        self.live.refuse_without_team()?;
        let until = self.until.map(Goal::phase).transpose()?;
        let pauses = self.pauses(Phase::ALL, Phase::from_word, ("phase", Phase::WORDS))?;
        let way = Way { until, pauses };
        if self.dry_run {
            return dry_run(room, &self.change, request.as_deref(), &self.agents);
        }
        let whereabouts = room.whereabouts(&self.change)?;
        let screen =
            Arc::new(Screen::new(if self.json { Audience::Programs } else { Audience::people() }));
        let (setup, change) = match &whereabouts {
            Whereabouts::Archived(path) => {
                self.refuse_more(path, request.as_deref())?;
                let setup = set_up(room, &self.agents, &[])?;
                // agentd may have been gone before it could take down that it is archived, or tidy up.
                (setup, Change::hold(&self.change, path)?)
            }
            Whereabouts::Nowhere if request.is_none() => return Err(no_such_change(&self.change)),
            Whereabouts::Open(_) | Whereabouts::Nowhere => {
                let first = match &whereabouts {
                    Whereabouts::Open(folder) => first_due(&history(folder)?, request.as_deref()),
                    Whereabouts::Nowhere | Whereabouts::Archived(_) => Phase::Plan,
                };
                let setup = set_up(room, &self.agents, &needed(first, until))?;
                // That is said before anything is made.
                setup.refuse_without_way(&self.change)?;
                let change = self.hold(&setup, request.as_deref(), &screen)?;
                (setup, change)
            }
        };
        drive(&setup, change, &screen, &Course::Way(way))
    }

    /// Finds out who brings the change on.
    fn flow_in(&self, room: &Room) -> Outcome<Flow> {
        let folder = match room.whereabouts(&self.change)? {
            Whereabouts::Open(folder) | Whereabouts::Archived(folder) => folder,
            Whereabouts::Nowhere => return Ok(self.flow.unwrap_or_default()),
        };
        let begun = history(&folder)?.flow();
        match self.flow {
            Some(asked) if asked != begun => {
                let message = format!(
                    "change `{}` was begun with `--flow {}`, and keeps it",
                    self.change,
                    begun.spelled()
                );
                Err(Failure::new(Kind::Usage, message).help("leave `--flow` out"))
            }
            Some(_) | None => Ok(begun),
        }
    }

    fn run_team(&self, room: Room, request: Option<&str>) -> Outcome {
        let until = self.until.map(Goal::step).transpose()?;
        let words = TeamStep::ALL.map(TeamStep::word);
        let pauses = self.pauses(&TeamStep::ALL, TeamStep::from_word, ("step", &words))?;
        if self.dry_run {
            return dry_run_team(room, &self.change, request, &self.agents);
        }
        let (id, agents, way) = (&self.change, &self.agents, TeamWay { until, pauses });
        let screen =
            Arc::new(Screen::new(if self.json { Audience::Programs } else { Audience::people() }));
        let handover = self.live.tmux.then_some(Handover::Tmux);
        let afterwards = self.live.afterwards();
        team::Errand { id, request, agents, way, handover, afterwards }.run(room, &screen)
    }

    /// Refuses text that is new for a change that is in the archive.
    fn refuse_more(&self, folder: &Path, request: Option<&str>) -> Outcome {
        let history = history(folder)?;
        match request {
            Some(text) if is_new_text(&history, text) => Err(archived(&self.change, folder)),
            Some(_) | None => Ok(()),
        }
    }

    /// Reads the phases or steps about which a person is asked.
    fn pauses<T: Copy + Ord>(
        &self,
        all: &[T],
        find: impl Fn(&str) -> Option<T>,
        (kind, words): (&str, &[&str]),
    ) -> Outcome<BTreeSet<T>> {
        let mut pauses = BTreeSet::new();
        for word in &self.pause {
            match (word.as_str(), find(word)) {
                ("every", _) => pauses.extend(all),
                (_, Some(one)) => drop(pauses.insert(one)),
                (_, None) => {
                    let message = format!("`{word}` in `--pause {word}` is no {kind}");
                    return Err(Failure::new(Kind::Usage, message)
                        .help(format!("the {kind}s are {}", words.join(", "))));
                }
            }
        }
        Ok(pauses)
    }

    /// Begins the change or holds it; new text is guidance.
    fn hold(&self, setup: &Setup, request: Option<&str>, screen: &Screen) -> Outcome<Change> {
        let folder = setup.project.change(&self.change);
        let mut change = match request {
            Some(request) => Change::create(&self.change, &setup.project, request)?,
            None => Change::hold(&self.change, &folder)?,
        };
        if change.history.is_cancelled() {
            let message = format!("change `{}` was given up", self.change);
            return Err(Failure::new(Kind::Precondition, message)
                .help("begin another change under an id of its own"));
        }
        if change.is_new() {
            screen.line(
                "change",
                &format!("{} begins in {}", self.change, folder.display()),
                Tone::Plain,
            );
        }
        if let Some(text) = request
            && is_new_text(&change.history, text)
        {
            guide(&mut change, text)?;
            screen.line("guidance", "the plan is revised with what you added", Tone::Plain);
        }
        Ok(change)
    }
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

/// Says whether text is something else than was said before.
pub(super) fn is_new_text(history: &History, text: &str) -> bool {
    let said = history.request.iter().chain(&history.guidance);
    !said.into_iter().any(|said| said.trim() == text.trim())
}

pub(super) fn guide(change: &mut Change, text: &str) -> Outcome {
    if !may_be_guided(&change.history) {
        return Err(too_late(&change.id, &change.history));
    }
    change.happened(Entry::Guided { text: text.to_owned() })?;
    Ok(())
}

/// Says whether more can be said about what is wanted.
pub(super) fn may_be_guided(history: &History) -> bool {
    history.allows(&Entry::Guided { text: String::new() }).is_ok()
}

/// Says whether a person can send the work back now.
pub(super) fn may_be_sent_back(history: &History) -> bool {
    history.allows(&Entry::SentBack { reason: String::new() }).is_ok()
}

/// Tells that nothing can be added to a request any more.
pub(super) fn too_late(id: &ChangeId, history: &History) -> Failure {
    if history.is_over() {
        let message = format!("change `{id}` is at {}: nothing can be added to it", history.at());
        return Failure::new(Kind::Precondition, message)
            .help("begin another change under an id of its own");
    }
    let message =
        format!("code was already written for `{id}`: its request cannot be changed any more");
    let back = if may_be_sent_back(history) {
        format!("`agentd reject {id} \"…\"` sends the work back")
    } else {
        format!(
            "`agentd run {id} --pause` asks you about what is next, and lets you send the work back"
        )
    };
    Failure::new(Kind::Precondition, message)
        .help(format!("`agentd run {id}` goes on as it is; {back}; a new wish is a new change"))
}

/// Gives the earliest phase that a change can still come to: a plan that has passed stays, unless more is said about it.
fn first_due(history: &History, request: Option<&str>) -> Phase {
    let is_planned = match history.state.stage {
        Stage::Due(Phase::Plan | Phase::Challenge) => false,
        Stage::Due(Phase::Implement | Phase::Review | Phase::Archive)
        | Stage::Verify(_)
        | Stage::Gate(_)
        | Stage::Apply
        | Stage::Archived
        | Stage::Rejected
        | Stage::Cancelled => history.state.plan_passed,
    };
    let is_guided = request.is_some_and(|text| is_new_text(history, text));
    if is_planned && !is_guided { Phase::Implement } else { Phase::Plan }
}

/// Lists the phases that must have an agent before anything begins.
fn needed(first: Phase, until: Option<Phase>) -> Vec<Phase> {
    let last = until.unwrap_or(Phase::Archive);
    Phase::ALL.iter().copied().filter(|phase| (first..=last).contains(phase)).collect()
}
