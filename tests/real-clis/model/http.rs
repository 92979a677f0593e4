//! As much of HTTP/1.1 as the CLIs need: several requests on a connection, bodies of known length or in chunks.

use std::io::{self, BufRead, Read, Write};

/// A request.
pub(crate) struct Request {
    pub(crate) method: String,
    /// The path, without its query.
    pub(crate) path: String,
    pub(crate) body: Vec<u8>,
}

/// How much of a response is sent before the connection closes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    All,
    /// The header promises all of it.
    Half,
}

/// Reads the next request; none where the connection has ended.
pub(crate) fn read(
    reader: &mut impl BufRead,
    writer: &mut impl Write,
) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let mut word = || words.next().unwrap_or_default().to_owned();
    let (method, target) = (word(), word());
    let (mut length, mut chunked) = (0, false);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let Some((name, value)) = header.trim_end().split_once(':') else { break };
        let value = value.trim().to_ascii_lowercase();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().map_err(io::Error::other)?,
            "transfer-encoding" => chunked = value.contains("chunked"),
            "expect" => writer.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?,
            _ => {}
        }
    }
    let mut body = Vec::new();
    if chunked {
        while read_chunk(reader, &mut body)? {}
    } else {
        reader.take(length).read_to_end(&mut body)?;
    }
    let path = target.split('?').next().unwrap_or_default().to_owned();
    Ok(Some(Request { method, path, body }))
}

/// Reads one chunk; says whether more follow.
fn read_chunk(reader: &mut impl BufRead, body: &mut Vec<u8>) -> io::Result<bool> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let digits = line.split(';').next().unwrap_or_default().trim();
    let size = u64::from_str_radix(digits, 16).map_err(io::Error::other)?;
    reader.by_ref().take(size).read_to_end(body)?;
    reader.read_line(&mut String::new())?;
    Ok(size > 0)
}

/// Writes a response.
pub(crate) fn respond(
    writer: &mut impl Write,
    status: u16,
    kind: &str,
    body: &[u8],
    sent: Sent,
) -> io::Result<()> {
    let length = body.len();
    let retry = if status == 429 { "Retry-After: 1\r\n" } else { "" };
    let head = format!(
        "HTTP/1.1 {status} Answer\r\nContent-Type: {kind}\r\n{retry}Content-Length: {length}\r\n\r\n"
    );
    let shown = match sent {
        Sent::All => body,
        Sent::Half => &body[..length / 2],
    };
    writer.write_all(&[head.as_bytes(), shown].concat())?;
    writer.flush()
}
