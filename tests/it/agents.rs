//! The adapters of the agents: how each CLI is called, and what is made of what it printed.

mod arguments;
mod described;
mod environment;
mod errors;
mod growth;
mod interactive;
mod recording;
mod refused;
mod request;
mod samples;
mod scenarios;
mod server;
mod sizes;
mod usage;
