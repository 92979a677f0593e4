//! How an agent is asked: by one document on its standard input, or as a role that finds its prompt in a file.

use std::path::PathBuf;

use super::attempt::Request;
use super::error::EngineError;
use super::expected::{FileFault, ask_for_files};
use super::roles::RoleCall;
use crate::flow::Step;
use crate::models::change::ChangeId;
use crate::orchestrator::{Orchestrator, PhaseOutcome};

/// A request to an agent, which can be sent twice: as it is, and with what is wrong with the result.
pub(super) enum Call {
    /// One document.
    Document(Box<DocumentCall>),
    /// The prompt of a role.
    Role(Box<RoleCall>),
}

/// A request that is one document.
pub(super) struct DocumentCall {
    pub(super) orchestrator: Orchestrator,
    pub(super) change: ChangeId,
    pub(super) step: Step,
    pub(super) instructions: String,
}

impl Call {
    /// Sends the request.
    pub(super) async fn send(
        &self,
        faults: Option<&[FileFault]>,
    ) -> Result<PhaseOutcome, EngineError> {
        match self {
            Self::Document(call) => call.send(faults).await,
            Self::Role(call) => call.send(faults).await,
        }
    }

    /// Returns whether an earlier run left the answer to a request.
    pub(super) fn has_answer(&self, request: Request) -> bool {
        match self {
            Self::Document(call) => match request {
                Request::First => call.orchestrator.has_left_over(&call.change, &call.step),
                Request::Second => call.orchestrator.has_left_over_files(&call.change, &call.step),
            },
            Self::Role(call) => call.has_answer(request),
        }
    }

    /// Makes use of runs that ended while agentd was gone.
    pub(super) fn use_earlier(&mut self, runs: Vec<PathBuf>) {
        let orchestrator = match self {
            Self::Document(call) => &mut call.orchestrator,
            Self::Role(call) => &mut call.orchestrator,
        };
        *orchestrator = orchestrator.clone().with_earlier(runs);
    }
}

impl DocumentCall {
    async fn send(&self, faults: Option<&[FileFault]>) -> Result<PhaseOutcome, EngineError> {
        let Self { orchestrator, change, step, instructions } = self;
        Ok(match faults {
            None => orchestrator.run(change, step, instructions).await?,
            Some(faults) => {
                let wrong = ask_for_files(&step.name, faults);
                let instructions = format!("{}\n\n{wrong}", instructions.trim_end());
                orchestrator.run_again(change, step, &instructions).await?
            }
        })
    }
}
