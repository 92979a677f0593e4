//! The plans of a group at work, in real repositories: what is done, refused, kept, and done again after a crash.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod calls;
mod crashes;
mod groups;
mod kept;
mod ownership;
mod pool;
mod processes;
mod scene;
mod serial;
