//! Any other program, as a configuration describes it, and agentd's own offline agent: the prompt on standard input,
//! the answer on standard output.

mod transcript;

use crate::models::agent::{AgentSettings, Protocol};
use crate::models::run::Invocation;

use super::call::Call;
use super::environment::{self, Vendor};
use super::{Adapter, AgentError, Request, Transcript, size};

/// The adapter for programs that a configuration describes.
pub(super) struct Described;

impl Adapter for Described {
    fn invocation(&self, request: &Request<'_>) -> Result<Invocation, AgentError> {
        let settings = request.settings;
        super::check(settings)?;
        size::check(request, request.prompt, &[])?;
        let mut call = Call::new(settings)?;
        call.words(&settings.args);
        let environment = environment::of(request, Vendor::Unknown, [("NO_COLOR", "1")]);
        Ok(call.invocation(environment, request.prompt, Vec::new()))
    }

    fn interactive(&self, request: &Request<'_>) -> Result<Invocation, AgentError> {
        let settings = request.settings;
        super::check(settings)?;
        let mut call = Call::new(settings)?;
        if settings.protocol == Protocol::Offline {
            call.words(["--interactive"]);
        }
        call.words(&settings.args);
        let environment = environment::of(request, Vendor::Unknown, [("NO_COLOR", "1")]);
        Ok(call.invocation(environment, "", Vec::new()))
    }

    fn transcript(&self, settings: &AgentSettings) -> Box<dyn Transcript> {
        let shape = match &settings.protocol {
            Protocol::Described(shape) => shape.clone(),
            Protocol::Claude
            | Protocol::Gemini
            | Protocol::Codex
            | Protocol::Copilot
            | Protocol::Offline => crate::models::agent::Shape::default(),
        };
        Box::new(transcript::Reader::new(shape))
    }
}
