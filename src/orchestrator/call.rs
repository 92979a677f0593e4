//! One request to an agent: a prompt's document or a message goes in, a reply comes out, and the run's folder keeps both.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Deserialize as _;

use super::agents::{AgentError, Exit, REPORT, Reply, Transcript, adapter};
use super::caller::Orchestrator;
use super::clock::in_ms;
use super::command::RunContext;
use super::error::RunError;
use super::markers::Answer;
use super::message::AgentMessage;
use super::phase::verdict_of;
use super::prompts::inputs::LeftOut;
use super::run_folder::RunFolder;
use super::watch::Event;
use crate::flow::Step;
use crate::models::agent::{Format, Permissions, Protocol};
use crate::models::hash::Hash;
use crate::models::meta::RunMeta;
use crate::models::run::{End, EndRecord, Invocation, OWN};
use crate::models::sandbox::Grant;
use crate::models::secrets::Secrets;
use crate::models::usage::UsageMetrics;
use crate::process::{self, Limits, Supervision};

/// How long an agent has to end by itself once it is told to.
const GRACE: Duration = Duration::from_secs(5);

/// How much an agent may print, on each of its two streams.
const LARGEST_OUTPUT: u64 = 256 << 20;

/// How much it may print where all that it prints is the answer, and is held in memory as a whole.
const LARGEST_ANSWER: u64 = 8 << 20;

/// How much of the end of standard error is looked at for a reason.
const LOOKED_AT: u64 = 16 << 10;

/// How much of the report is read that an agent writes beside what it prints.
const LARGEST_REPORT: u64 = 1 << 20;

/// A call of an agent: one process, with a folder of its own.
#[derive(Clone)]
pub(super) struct Call<'a> {
    pub(super) orchestrator: &'a Orchestrator,
    /// Names the run: `runs/NNN-NAME`.
    pub(super) name: String,
    /// What it is a part of, for sums over runs.
    pub(super) part: &'a str,
    pub(super) change: &'a Path,
    pub(super) permissions: Permissions,
    /// The file of the prompt's template, and its hash.
    pub(super) template: (String, String),
    /// What the prompt would have held, had it been smaller.
    pub(super) left_out: &'a [LeftOut],
    /// The step whose verdict the answer gives.
    pub(super) step: Option<&'a Step>,
    /// The message that is sent in place of the prompt.
    pub(super) message: Option<&'a AgentMessage<'a>>,
}

impl Call<'_> {
    /// Asks once. All that was sent and came back is kept in the run's folder, which is given too.
    pub(super) async fn once(&self, sent: &str) -> Result<(Reply, PathBuf), RunError> {
        self.orchestrator.budget.check()?;
        let kept = self.orchestrator.place.runs_of(self.change);
        let folder = RunFolder::create(&kept, &self.name).map_err(|source| RunError::Io {
            what: "create a folder for the run in",
            path: kept.join("runs"),
            source,
        })?;
        if let Some(message) = self.message {
            write(&folder, AgentMessage::PROMPT, message.prompt.as_bytes())?;
            message.lay_out()?;
        }
        let started = SystemTime::now();
        let agent = &self.orchestrator.agent;
        let mut transcript = adapter(&agent.protocol).transcript(agent);
        let result = self.answer(sent, &folder, &mut transcript).await;
        let usage = match &result {
            Ok(reply) => Some(reply.usage.clone()),
            Err(_) => self.used_in_vain(&folder, &transcript),
        };
        let recorded = self.record(&folder, self.prompt(sent), started, &result, usage);
        // Why there is no reply matters more than why that could not be written down.
        let reply = result?;
        recorded?;
        Ok((reply, folder.path))
    }

    /// Returns the prompt that stands behind what is sent.
    fn prompt<'s>(&'s self, sent: &'s str) -> &'s str {
        self.message.map_or(sent, |message| message.prompt)
    }

    /// Lists the places that the agent may write. Where it works in the user's checkout, because a person calls it by hand, these
    /// are what its step changes.
    fn writable<'s>(&'s self, own: &'s Path) -> Vec<&'s Path> {
        let (workspace, is_copy) =
            (&self.orchestrator.place.workspace, self.orchestrator.is_given_copies());
        let writes = self.permissions > Permissions::Read;
        let writes_code = writes && self.step.is_some_and(Step::writes_code);
        let mut places = vec![own];
        places.extend((is_copy || writes).then_some(self.change));
        places.extend((is_copy || writes_code).then_some(workspace.as_path()));
        places
    }

    /// Returns the answer to this very request that an earlier run has left, if one has: agentd was gone before it could
    /// make use of it.
    pub(super) fn left_over(&self) -> Result<Option<(Reply, PathBuf)>, RunError> {
        let Some((reply, path)) = self.find_left_over() else { return Ok(None) };
        let folder = RunFolder::at(&path);
        let is_kept = self.orchestrator.budget.knows(&folder.name());
        if !is_kept || !path.join(RunMeta::FILE).exists() {
            let file = path.join(self.message.map_or("prompt.xml", |_| AgentMessage::PROMPT));
            let prompt = process::tail(&file, LARGEST_OUTPUT).map_err(|source| RunError::Io {
                what: "read",
                path: file,
                source,
            })?;
            let usage = Some(reply.usage.clone());
            let reply = Ok(reply.clone());
            self.record(&folder, &prompt, SystemTime::now(), &reply, usage)?;
        }
        self.orchestrator.watch.event(&Event::LeftOver { run: &path });
        Ok(Some((reply, path)))
    }

    /// Looks for an answer that an earlier run has left, and leaves it where it is.
    pub(super) fn find_left_over(&self) -> Option<(Reply, PathBuf)> {
        let path = self.orchestrator.earlier_run(&self.name)?;
        let folder = RunFolder::at(path);
        let agent = &self.orchestrator.agent;
        let mut transcript = adapter(&agent.protocol).transcript(agent);
        let record = process::replay(path, &mut |line| {
            transcript.line(line);
        });
        // What cannot be read again is asked for again.
        let record = record.ok()??;
        let mut reply =
            self.read(&record, agent.command.first()?, &folder, &mut transcript).ok()?;
        self.orchestrator.completed(&mut reply, &record);
        Some((reply, path.clone()))
    }

    async fn answer(
        &self,
        sent: &str,
        folder: &RunFolder,
        transcript: &mut Transcript,
    ) -> Result<Reply, RunError> {
        let agent = &self.orchestrator.agent;
        let server = self.message.and_then(|message| message.server);
        let occasion =
            RunContext { change: self.change, run_folder: &folder.path, prompt: sent, server };
        let invocation = self
            .orchestrator
            .command_with(self.permissions, &occasion)
            .map_err(|error| self.orchestrator.failed(error, Some(&folder.path)))?;
        self.orchestrator.watch.event(&Event::Started {
            agent: &agent.name,
            model: agent.model.as_deref(),
            run: &folder.path,
            prompt_bytes: self.prompt(sent).len(),
        });
        let own = folder.path.join(OWN);
        let grant = self.orchestrator.grant(&invocation, &self.writable(&own));
        let end = self.supervise(&invocation, grant, folder, transcript).await?;
        let program = invocation.program.to_string_lossy();
        let mut reply = self.read(&end, &program, folder, transcript)?;
        self.orchestrator.completed(&mut reply, &end);
        Ok(reply)
    }

    /// Returns what a run without a reply used, as far as its agent reported it.
    fn used_in_vain(&self, folder: &RunFolder, transcript: &Transcript) -> Option<UsageMetrics> {
        let report = process::tail(&folder.path.join(REPORT), LARGEST_REPORT).ok();
        let usage = transcript.usage(report.as_deref());
        let mut usage = usage.filter(|usage| usage.total() > 0 || usage.cost_usd > Some(0.0))?;
        if let Ok(Some(end)) = process::end_record(&folder.path) {
            self.orchestrator.complete(&mut usage, None, &end);
        }
        Some(usage)
    }

    async fn supervise(
        &self,
        invocation: &Invocation,
        grant: Option<Grant>,
        folder: &RunFolder,
        transcript: &mut Transcript,
    ) -> Result<EndRecord, RunError> {
        let Orchestrator { agent, place, watch, cancel, .. } = self.orchestrator;
        let supervision = Supervision {
            guard: &place.guard,
            workspace: &place.workspace,
            run_folder: &folder.path,
            limits: Limits {
                timeout: agent.timeout,
                idle_timeout: agent.idle_timeout,
                grace: GRACE,
                largest_output: largest_output(&agent.protocol),
            },
            grant,
            cancel: cancel.clone(),
        };
        let mut on_line = |line: &str| {
            if let Some(progress) = transcript.line(line) {
                watch.event(&Event::Progress(&progress));
            }
        };
        Ok(process::run(invocation, &supervision, &mut on_line).await?)
    }

    /// Makes a reply or an error of how the run ended.
    fn read(
        &self,
        record: &EndRecord,
        program: &str,
        folder: &RunFolder,
        transcript: &mut Transcript,
    ) -> Result<Reply, RunError> {
        let settings = &self.orchestrator.agent;
        let agent = settings.name.clone();
        let run = folder.path.clone();
        let program = || program.to_owned();
        let error = match &record.end {
            End::Exited { code } => {
                let stderr = process::tail(&run.join("stderr"), LOOKED_AT).unwrap_or_default();
                let stderr = whole_lines(&stderr);
                let report = process::tail(&run.join(REPORT), LARGEST_REPORT).ok();
                let exit = Exit { code: *code, stderr, report: report.as_deref() };
                match transcript.finish(&exit) {
                    Ok(reply) => return Ok(reply),
                    Err(error) => error,
                }
            }
            End::Killed { signal } => AgentError::Killed { signal: *signal },
            End::NotFound => AgentError::NotFound { program: program() },
            End::NotExecutable { reason } => {
                AgentError::NotExecutable { program: program(), reason: reason.clone() }
            }
            End::TimedOut => {
                return Err(RunError::TimedOut { agent, limit: settings.timeout, run });
            }
            End::Idle => {
                let limit = settings.idle_timeout.unwrap_or_default();
                return Err(RunError::Idle { agent, limit, run });
            }
            End::Cancelled => return Err(RunError::Cancelled { agent, run }),
            End::TooMuchOutput => return Err(RunError::TooMuchOutput { agent, run }),
        };
        Err(self.orchestrator.failed(error, Some(&run)))
    }

    /// Keeps what was asked, what it used and how it ended, and writes the same as `meta.json`, with the answer in `response.txt`.
    pub(super) fn record(
        &self,
        folder: &RunFolder,
        prompt: &str,
        started: SystemTime,
        result: &Result<Reply, RunError>,
        usage: Option<UsageMetrics>,
    ) -> Result<(), RunError> {
        let Orchestrator { agent, place, .. } = self.orchestrator;
        let reply = result.as_ref().ok();
        let verdict = self.step.zip(reply);
        let verdict =
            verdict.and_then(|(step, reply)| verdict_of(step, &Answer::read(&reply.text)).ok());
        let (template, template_hash) = self.template.clone();
        let meta = RunMeta {
            version: RunMeta::VERSION,
            phase: self.part.to_owned(),
            agent: agent.name.clone(),
            model: reply.and_then(|reply| reply.model.clone()).or_else(|| agent.model.clone()),
            template,
            template_hash,
            prompt_bytes: prompt.len(),
            prompt_sha256: Hash::of(prompt).to_string(),
            started_ms: in_ms(started),
            usage,
            verdict: verdict.map(|verdict| verdict.word().to_owned()),
            left_out: self.left_out.iter().map(|left| left.name.clone()).collect(),
            denied: reply.map(|reply| reply.denied.clone()).unwrap_or_default(),
            error: result.as_ref().err().map(ToString::to_string),
        };
        let mut meta = serde_json::to_value(meta).unwrap_or_default();
        let mut secrets = Secrets::of(place.environment.iter().map(|(name, value)| (name, value)));
        secrets.add_agents([agent], &place.environment);
        secrets.hide_in(&mut meta);
        let kept = RunMeta::deserialize(&meta).map_err(io::Error::from);
        let kept = kept.and_then(|meta| self.orchestrator.budget.keep(&folder.name(), &meta));
        kept.map_err(|source| RunError::Io {
            what: "record the call of",
            path: folder.path.clone(),
            source,
        })?;
        if let Some(reply) = reply {
            write(folder, "response.txt", reply.text.as_bytes())?;
        }
        write(folder, RunMeta::FILE, format!("{meta:#}\n").as_bytes())
    }
}

fn write(folder: &RunFolder, name: &str, bytes: &[u8]) -> Result<(), RunError> {
    folder.write(name, bytes).map_err(|source| RunError::Io {
        what: "write",
        path: folder.path.join(name),
        source,
    })
}

/// Leaves out the line that the end of a long text begins in the middle of: half a key cannot be told to be one.
fn whole_lines(end: &str) -> &str {
    let is_cut = end.len() as u64 + 3 >= LOOKED_AT;
    end.split_once('\n').filter(|_| is_cut).map_or(end, |(_, whole)| whole)
}

/// Returns how much an agent may print.
const fn largest_output(protocol: &Protocol) -> u64 {
    match protocol {
        Protocol::Claude | Protocol::Gemini | Protocol::Codex | Protocol::Copilot => LARGEST_OUTPUT,
        Protocol::Offline => LARGEST_ANSWER,
        Protocol::Described(shape) => match shape.output {
            Format::Text | Format::Json => LARGEST_ANSWER,
            Format::JsonLines => LARGEST_OUTPUT,
        },
    }
}
