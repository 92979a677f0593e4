//! `run_phase` as a whole: the prompt goes through the real adapter, guard and reader, with agentd's own offline agent
//! in place of each CLI.

mod answers;
mod delivery;
mod failures;
mod processes;
mod requests;
mod signals;
