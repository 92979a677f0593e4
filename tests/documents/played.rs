//! Holds a document to the program: the commands of its `console` blocks are run in order, and what they print is what
//! the document shows.

use super::session::Session;
use super::{blessed, read};

const OPEN: &str = "```console\n";
const CLOSE: &str = "```\n";

/// Runs the commands of a document and compares. Those that are to fail are given with their exit codes, in order.
pub(super) fn prints_what_it_shows(path: &str, failing: &[(&str, i32)]) {
    plays(path, Session::begin(), 9, failing);
}

/// Does the same in a session that others have begun; there are so many commands at least.
pub(super) fn plays(path: &str, session: Session, least: usize, failing: &[(&str, i32)]) {
    let document = read(path);
    let (current, ran) = played(&document, session, failing);
    assert!(ran >= least, "only {ran} commands were found");
    if blessed(path, &current) {
        return;
    }
    for (number, (shown, printed)) in document.lines().zip(current.lines()).enumerate() {
        assert_eq!(shown, printed, "{path}:{}: run with AGENTD_BLESS=1", number + 1);
    }
    assert_eq!(document.lines().count(), current.lines().count(), "run with AGENTD_BLESS=1");
}

/// Runs the commands of a document, and gives the document with what they print now, and how many there are.
fn played(document: &str, mut session: Session, failing: &[(&str, i32)]) -> (String, usize) {
    let mut out = String::new();
    let mut ran = 0;
    let mut failed = Vec::new();
    let mut parts = document.split(OPEN);
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (block, after) = part.split_once(&format!("\n{CLOSE}")).expect("the block is closed");
        out.push_str(OPEN);
        if block.contains("--tmux") && !session.has_tmux() {
            // Where there is none it cannot be shown, and stays as it is.
            out.push_str(&format!("{block}\n{CLOSE}{after}"));
            continue;
        }
        for line in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let (printed, code) = session.run(line);
            assert!(!printed.contains("```"), "`{line}` would end its block:\n{printed}");
            out.push_str(&format!("$ {line}\n{printed}"));
            if !out.ends_with('\n') {
                out.push('\n');
            }
            if code != Some(0) {
                let code = code.unwrap_or(-1);
                out.push_str(&format!("[exit code {code}]\n"));
                failed.push((line, code));
            }
            ran += 1;
        }
        out.push_str(CLOSE);
        out.push_str(after);
    }
    assert_eq!(failed, failing);
    (out, ran)
}
