//! The MCP server: whatever comes in, what goes out are messages, one a line and one for each that wants an answer;
//! serving goes on, and what is handed in twice is taken once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use agentd::engine::schedule::unschedulable;
use agentd::handoff::Desk;
use agentd::mcp::{LONGEST_LINE, serve};
use agentd::models::change::ChangeId;
use agentd::prompt::confined::ConfinedFolder;
use agentd::template::Role;
use serde_json::Value;

const CHANGE: &str = "agentd/changes/fuzz";
const PING: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":\"are you there\",\"method\":\"ping\"}";

/// The first byte of the input chooses a role, the rest is what a client sends.
pub(crate) fn check(input: &[u8]) {
    let Some((first, sent)) = input.split_first() else { return };
    let role = Role::ALL[usize::from(*first) % Role::ALL.len()];
    let scene = Scene::new();

    // Every line twice, and a question after each that must be answered.
    let lines: Vec<&[u8]> = sent.split(|byte| *byte == b'\n').collect();
    let asked: Vec<&[u8]> = lines.iter().flat_map(|line| [*line, PING, *line, PING]).collect();
    let answers = scene.served(role, &asked.join(&b'\n'));
    let mut answers = answers.iter();
    let mut refused = Vec::new();
    for line in &lines {
        let mut said = Vec::new();
        for _ in 0..2 {
            said.push(wants_answer(line).then(|| answers.next().expect("an answer")));
            let pong = answers.next().expect("it goes on serving");
            assert_eq!(pong["id"], "are you there", "{}", String::from_utf8_lossy(line));
            assert_eq!(pong["result"], serde_json::json!({}));
        }
        if let [Some(first), Some(second)] = said[..] {
            is_taken_once(first, second);
            refused.push(is_refused(first));
        }
    }
    assert_eq!(answers.next(), None, "somebody is answered who has not asked");
    let (once, outside) = scene.files();
    assert_eq!(outside, Vec::<String>::new(), "nothing but the project is written to");

    // As a whole once more, as a client does that was cut off: everything is as it was, unless something is taken now
    // because what it needs came after it.
    let again = scene.served(role, sent);
    if again.iter().map(is_refused).eq(refused) {
        assert_eq!(scene.files().0, once);
    }
}

fn is_refused(answer: &Value) -> bool {
    answer["result"]["isError"] == true
}

/// Says whether a line wants an answer: all do but those of white space, notifications, and answers to nobody.
fn wants_answer(line: &[u8]) -> bool {
    if line.len() > LONGEST_LINE {
        return true;
    }
    let is_blank = line.iter().all(|byte| b" \t\r\n\x0c".contains(byte));
    let Ok(Value::Object(message)) = serde_json::from_slice(line) else { return !is_blank };
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return true;
    }
    let has = |name: &str| message.contains_key(name);
    let is_notification = message.get("method").is_some_and(Value::is_string) && !has("id");
    let is_answer = !has("method") && has("id") && (has("result") || has("error"));
    !is_notification && !is_answer
}

/// Holds the answers to one line that came twice against each other.
fn is_taken_once(first: &Value, second: &Value) {
    assert_eq!(first["id"], second["id"]);
    let text = |answer: &Value| answer["result"]["content"][0]["text"].as_str().map(str::to_owned);
    match (text(first), text(second)) {
        (Some(first_text), Some(second_text)) if first["result"]["isError"] == false => {
            assert_eq!(second["result"]["isError"], false, "{second_text}");
            assert!(second_text.starts_with("The same "), "{first_text}\n{second_text}");
            assert!(!second_text.contains("Restored"), "{second_text}");
        }
        _ => assert_eq!(first, second),
    }
}

/// A project with a change, alone in a folder.
struct Scene {
    outer: tempfile::TempDir,
    folder: ConfinedFolder,
    change: ChangeId,
}

impl Scene {
    fn new() -> Self {
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().join("project").join(CHANGE);
        fs::create_dir_all(&root).expect("made");
        let folder = ConfinedFolder::open(&root).expect("it opens");
        Self { outer, folder, change: "fuzz".parse().expect("an id") }
    }

    /// Serves an input, and gives the answers, each of which must be a message of JSON-RPC.
    fn served(&self, role: Role, input: &[u8]) -> Vec<Value> {
        let Self { folder, change, .. } = self;
        let desk = Desk { folder, role, plan: None, schedule: unschedulable, change };
        let mut output = Vec::new();
        serve(&desk, || 1000, input, &mut output).expect("it serves to the end");
        assert!(output.is_empty() || output.ends_with(b"\n"));
        let lines = output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(message).collect()
    }

    /// Reads every file of the project, and lists what lies beside it.
    fn files(&self) -> (BTreeMap<String, Vec<u8>>, Vec<String>) {
        let mut files = BTreeMap::new();
        let project = self.outer.path().join("project");
        collect(&project, &mut files);
        let beside = fs::read_dir(self.outer.path()).expect("listed");
        let names = beside.map(|entry| entry.expect("an entry").file_name().display().to_string());
        (files, names.filter(|name| name != "project").collect())
    }
}

fn message(line: &[u8]) -> Value {
    let shown = String::from_utf8_lossy(line);
    let answer: Value =
        serde_json::from_slice(line).unwrap_or_else(|error| panic!("{error}: {shown}"));
    let keys: Vec<&str> =
        answer.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(answer["jsonrpc"], "2.0", "{shown}");
    assert!(keys.len() == 3 && keys.contains(&"id"), "{shown}");
    if keys.contains(&"error") {
        let error = answer["error"].as_object().expect("an object");
        assert!(
            error["code"].is_i64() && error["message"].is_string() && error.len() == 2,
            "{shown}"
        );
    } else {
        assert!(answer["result"].is_object() && !answer["id"].is_null(), "{shown}");
    }
    answer
}

fn collect(folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("listed") {
        let path = entry.expect("an entry").path();
        assert!(!path.is_symlink(), "{}", path.display());
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.insert(path.display().to_string(), fs::read(&path).expect("read"));
        }
    }
}
