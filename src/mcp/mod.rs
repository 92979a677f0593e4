//! The MCP server: JSON-RPC over lines, with the tools by which one role hands in its work on one change.
//!
//! `lines` reads within bounds, `message` tells what a line is, `protocol` answers it, and `tools` shows and calls the
//! tools. What they do is the business of `handoff`. Whatever comes in, the answer is a message of the protocol, and
//! serving goes on until the input ends. `docs/adr/0008-an-mcp-server-of-our-own.md` says why there is no library here.

mod lines;
mod message;
mod protocol;
mod tools;

use std::io::{self, BufRead, Write};

use log::debug;
use serde_json::Value;

use crate::handoff::Desk;
use lines::Line;
use message::{ErrorCode, error, incoming};

/// The longest line that is read: the largest submission, and what is put round it.
pub const LONGEST_LINE: usize = crate::handoff::LARGEST_SUBMISSION + (64 << 10);

/// Serves until the input ends. `now_ms` tells the time, in milliseconds since 1970.
///
/// Nothing but messages is written to `output`, each on a line of its own.
pub fn serve(
    desk: &Desk<'_>,
    now_ms: impl Fn() -> u64,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mut buffer = Vec::new();
    loop {
        let answer = match lines::read(&mut input, &mut buffer, LONGEST_LINE)? {
            Line::End => return Ok(()),
            Line::TooLong => {
                let message = format!("a message has at most {LONGEST_LINE} bytes");
                Some(error(&Value::Null, ErrorCode::InvalidRequest, &message))
            }
            Line::Whole => answer(desk, &now_ms, &buffer),
        };
        if let Some(answer) = answer {
            let mut line = serde_json::to_vec(&answer)?;
            line.push(b'\n');
            output.write_all(&line)?;
            output.flush()?;
        }
    }
}

/// Answers one line; a notification, a response and an empty line have no answer.
fn answer(desk: &Desk<'_>, now_ms: &impl Fn() -> u64, line: &[u8]) -> Option<Value> {
    if line.trim_ascii().is_empty() {
        return None;
    }
    match incoming(line) {
        Ok(message) => protocol::answer(desk, now_ms, message),
        Err(refusal) => {
            debug!("refused a message: {refusal}");
            Some(refusal)
        }
    }
}
