//! What the model does when it is asked.

use serde_json::Value;

use super::server::Asked;

/// What decides on the answers of a model.
pub(crate) trait Mind: Send + Sync {
    /// Gives the answer to a request that brings so many results of tools.
    fn turn(&self, asked: &Asked, results: usize) -> Turn;
}

/// One answer of the model.
#[derive(Clone, Debug)]
pub(crate) enum Turn {
    /// Says something, which ends the run.
    Say(String),
    /// Uses a tool, whether or not it is offered.
    Use(Tool),
    /// Fails with an HTTP status.
    Status(u16),
    /// Sends what is no JSON.
    Malformed,
    /// Sends half of an answer and closes the connection.
    Cut,
    /// Sends nothing and keeps the connection open.
    Hang,
}

/// The use of a tool.
#[derive(Clone, Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) input: Input,
}

/// What a tool is given.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Json(Value),
    /// A text of its own form; only OpenAI's APIs have such tools.
    Text(String),
}

impl Input {
    /// Gives it as the text that stands in an answer.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Json(value) => value.to_string(),
            Self::Text(text) => text.clone(),
        }
    }

    /// Gives it as JSON.
    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Json(value) => value.clone(),
            Self::Text(text) => Value::String(text.clone()),
        }
    }
}

/// An answer on its way into an API's form.
pub(crate) struct Message<'a> {
    /// The number of the request, for ids.
    pub(crate) number: usize,
    /// The model that was asked for.
    pub(crate) model: &'a str,
    pub(crate) content: Content<'a>,
}

/// What an answer holds.
pub(crate) enum Content<'a> {
    Text(&'a str),
    Tool(&'a Tool),
}

/// The answers of a model: the first, then one after each result of a tool, and the last for ever. A repeated request
/// gets the same answer, for it holds as many results.
#[derive(Clone, Debug)]
pub(crate) struct Script(Vec<Turn>);

impl Script {
    pub(crate) fn new(turns: impl Into<Vec<Turn>>) -> Self {
        Self(turns.into())
    }

    /// Gives the answer after so many results.
    pub(crate) fn after(&self, results: usize) -> &Turn {
        self.0.get(results).or(self.0.last()).expect("a script has a turn")
    }
}

impl Mind for Script {
    fn turn(&self, _: &Asked, results: usize) -> Turn {
        self.after(results).clone()
    }
}
