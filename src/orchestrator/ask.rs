//! One request to an agent: a prompt's document or a message goes in, a reply comes out, and the run's folder keeps both.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::agents::{AgentError, Exit, REPORT, Reply, Transcript, adapter};
use super::caller::Orchestrator;
use super::clock::in_ms;
use super::errand::Errand;
use super::error::RunError;
use super::invocation::Occasion;
use super::markers::Answer;
use super::phase::verdict_of;
use super::prompts::budget::LeftOut;
use super::run_folder::RunFolder;
use super::watch::Event;
use crate::flow::Step;
use crate::models::agent::{Format, Permissions, Protocol};
use crate::models::hash::Hash;
use crate::models::meta::RunMeta;
use crate::models::run::{End, EndRecord, Invocation};
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

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The step itself.
    Step,
    /// The verdict, or the statuses of tasks, that the answer does not clearly give.
    Verdict,
    /// The same for the answer about the files: what the first answer says is not said of these.
    VerdictOfFiles,
    /// The files that the step has not left, or not as they must be.
    Files,
}

/// What a request belongs to.
#[derive(Clone, Copy)]
pub(super) enum Work<'a> {
    /// A step: what is sent is a prompt's document.
    Step(&'a Step, Purpose),
    /// An errand: what is sent is its message.
    Errand(&'a Errand<'a>),
}

/// A request to an agent.
#[derive(Clone, Copy)]
pub(super) struct Ask<'a> {
    pub(super) orchestrator: &'a Orchestrator,
    pub(super) work: Work<'a>,
    pub(super) change: &'a Path,
    pub(super) permissions: Permissions,
    /// What the prompt would have held, had it been smaller.
    pub(super) left_out: &'a [LeftOut],
}

impl Ask<'_> {
    /// Asks once. All that was sent and came back is kept in the run's folder, which is given too.
    pub(super) async fn once(&self, sent: &str) -> Result<(Reply, PathBuf), RunError> {
        self.orchestrator.allowance.check()?;
        let folder =
            RunFolder::create(self.change, &self.name()).map_err(|source| RunError::Io {
                what: "make a folder for the run in",
                path: self.change.join("runs"),
                source,
            })?;
        if let Work::Errand(errand) = self.work {
            write(&folder, Errand::PROMPT, errand.prompt.as_bytes())?;
            errand.lay_out()?;
        }
        let started = SystemTime::now();
        let agent = &self.orchestrator.agent;
        let mut transcript = adapter(&agent.protocol).transcript(agent);
        let result = self.answer(sent, &folder, &mut *transcript).await;
        let usage = match &result {
            Ok(reply) => Some(reply.usage.clone()),
            Err(_) => self.used_in_vain(&folder, &*transcript),
        };
        let recorded = self.record(&folder, self.prompt(sent), started, &result, usage);
        // Why there is no reply matters more than why that could not be written down.
        let reply = result?;
        recorded?;
        Ok((reply, folder.path))
    }

    /// Names the run for what it is.
    fn name(&self) -> String {
        let (step, purpose) = match self.work {
            Work::Step(step, purpose) => (step, purpose),
            Work::Errand(errand) => return errand.name.to_owned(),
        };
        let (name, wanted) =
            (&step.name, if step.verdicts().is_empty() { "status" } else { "verdict" });
        match purpose {
            Purpose::Step => name.to_string(),
            Purpose::Verdict => format!("{name}-{wanted}"),
            Purpose::VerdictOfFiles => format!("{name}-files-{wanted}"),
            Purpose::Files => format!("{name}-files"),
        }
    }

    /// Gives the prompt that stands behind what is sent.
    const fn prompt<'s>(&'s self, sent: &'s str) -> &'s str {
        match self.work {
            Work::Step(..) => sent,
            Work::Errand(errand) => errand.prompt,
        }
    }

    /// Names the file in which the run's folder keeps the prompt.
    const fn prompt_file(&self) -> &'static str {
        match self.work {
            Work::Step(..) => "prompt.xml",
            Work::Errand(_) => Errand::PROMPT,
        }
    }

    /// Gives the answer to this very request that an earlier run has left, if one has: agentd was gone before it could
    /// make use of it.
    pub(super) fn left_over(&self) -> Result<Option<(Reply, PathBuf)>, RunError> {
        let Some((reply, path)) = self.find_left_over() else { return Ok(None) };
        if !path.join(RunMeta::FILE).exists() {
            let file = path.join(self.prompt_file());
            let prompt = process::tail(&file, LARGEST_OUTPUT).map_err(|source| RunError::Io {
                what: "read",
                path: file,
                source,
            })?;
            let usage = Some(reply.usage.clone());
            let (folder, reply) = (RunFolder::at(&path), Ok(reply.clone()));
            self.record(&folder, &prompt, SystemTime::now(), &reply, usage)?;
        }
        self.orchestrator.watch.event(&Event::LeftOver { run: &path });
        Ok(Some((reply, path)))
    }

    /// Looks for an answer that an earlier run has left, and leaves it where it is.
    pub(super) fn find_left_over(&self) -> Option<(Reply, PathBuf)> {
        let is_same = |path: &&PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.split_once('-').is_some_and(|(_, name)| name == self.name())
        };
        let path = self.orchestrator.earlier.iter().rfind(is_same)?;
        let folder = RunFolder::at(path);
        let agent = &self.orchestrator.agent;
        let mut transcript = adapter(&agent.protocol).transcript(agent);
        let record = process::replay(path, &mut |line| {
            transcript.line(line);
        });
        // What cannot be read again is asked for again.
        let record = record.ok()??;
        let mut reply =
            self.read(&record, agent.command.first()?, &folder, &mut *transcript).ok()?;
        self.orchestrator.completed(&mut reply, &record);
        Some((reply, path.clone()))
    }

    async fn answer(
        &self,
        sent: &str,
        folder: &RunFolder,
        transcript: &mut dyn Transcript,
    ) -> Result<Reply, RunError> {
        let agent = &self.orchestrator.agent;
        let server = match self.work {
            Work::Step(..) => None,
            Work::Errand(errand) => errand.server,
        };
        let occasion =
            Occasion { change: self.change, run_folder: &folder.path, prompt: sent, server };
        let invocation = self
            .orchestrator
            .permitted(self.permissions, &occasion)
            .map_err(|error| self.orchestrator.failed(error, Some(&folder.path)))?;
        self.orchestrator.watch.event(&Event::Started {
            agent: &agent.name,
            model: agent.model.as_deref(),
            run: &folder.path,
            prompt_bytes: self.prompt(sent).len(),
        });
        let end = self.supervise(&invocation, folder, transcript).await?;
        let program = invocation.program.to_string_lossy();
        let mut reply = self.read(&end, &program, folder, transcript)?;
        self.orchestrator.completed(&mut reply, &end);
        Ok(reply)
    }

    /// Gives what a run used that came to no reply, as far as its agent has told.
    fn used_in_vain(
        &self,
        folder: &RunFolder,
        transcript: &dyn Transcript,
    ) -> Option<UsageMetrics> {
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
        folder: &RunFolder,
        transcript: &mut dyn Transcript,
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
        transcript: &mut dyn Transcript,
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

    /// Counts what was used, and writes `meta.json`, which says what was asked and what came of it, and `response.txt`, the answer.
    pub(super) fn record(
        &self,
        folder: &RunFolder,
        prompt: &str,
        started: SystemTime,
        result: &Result<Reply, RunError>,
        usage: Option<UsageMetrics>,
    ) -> Result<(), RunError> {
        if let Some(usage) = &usage {
            self.orchestrator.allowance.add(usage);
        }
        let Orchestrator { agent, place, .. } = self.orchestrator;
        let (part, template, template_hash) = match self.work {
            Work::Step(step, _) => {
                let (file, hash) = self.orchestrator.template_of(step);
                (step.name.as_ref(), file, hash)
            }
            Work::Errand(errand) => {
                let (file, hash) = (errand.template.to_owned(), errand.template_hash.to_owned());
                (errand.part, file, hash)
            }
        };
        let reply = result.as_ref().ok();
        let verdict = match self.work {
            Work::Step(step, _) => {
                reply.and_then(|reply| verdict_of(step, &Answer::read(&reply.text)).ok())
            }
            Work::Errand(_) => None,
        };
        let meta = RunMeta {
            version: RunMeta::VERSION,
            phase: part.to_owned(),
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

/// Says how much an agent may print.
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
