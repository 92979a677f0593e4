//! `agentd mcp` as a client meets it: whatever is sent, each answer is a message on a line, and serving goes on.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use agentd::handoff::{LARGEST_SUBMISSION, Tool};
use agentd::template::Role;
use serde_json::{Value, json};

use crate::handoff::scene::{architecture, example, execution_plan, review, subplan, with};
use crate::home::Home;

/// A project with the change `add-login`.
fn home() -> Home {
    Home::new().with_git().file("agentd/changes/add-login/requirements.md", "Add login.\n")
}

/// A server, and a client that says what it is told.
struct Client {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Client {
    fn start(home: &Home, role: Role, more: &[&str]) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_agentd"))
            .args(["mcp", "--outbox", "agentd/changes/add-login", "--role", role.word()])
            .args(more)
            .current_dir(home.root())
            .env_clear()
            .env("HOME", home.path("home"))
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("agentd runs");
        let output = BufReader::new(server.stdout.take().expect("piped"));
        Self { input: server.stdin.take(), server, output, next: 1 }
    }

    fn send(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("still open");
        input.write_all(line).and_then(|()| input.flush()).expect("sent");
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("read");
        let answer: Value =
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(answer["jsonrpc"], "2.0", "{line}");
        answer
    }

    /// Sends a request and gives its answer.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.next;
        self.next += 1;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(format!("{request}\n").as_bytes());
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool, and gives what it said and whether it is an error.
    fn call(&mut self, tool: Tool, arguments: &Value) -> (String, bool) {
        let params = json!({ "name": tool.word(), "arguments": arguments });
        let result = self.ask("tools/call", &params)["result"].take();
        assert_eq!(result["content"].as_array().map(Vec::len), Some(1), "{result}");
        let text = result["content"][0]["text"].as_str().expect("text").to_owned();
        (text, result["isError"].as_bool().expect("a flag"))
    }

    /// Sends a line that must be refused, and sees that serving goes on.
    fn refused(&mut self, line: &[u8], code: i64, id: &Value) -> String {
        self.send(line);
        let answer = self.receive();
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]);
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&code.into(), id),
            "{shown}: {answer}"
        );
        assert_eq!(self.ask("ping", &json!({}))["result"], json!({}), "{shown}");
        answer["error"]["message"].as_str().expect("a message").to_owned()
    }

    /// Ends the input, and gives what is still said, the exit code and what was logged.
    fn end(mut self) -> (String, Option<i32>, String) {
        drop(self.input.take());
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.output, &mut rest).expect("read");
        let output = self.server.wait_with_output().expect("it ends");
        (rest, output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

#[test]
fn a_client_agrees_on_a_version_lists_the_tools_of_the_role_and_calls_one() {
    let home = home();
    let mut client = Client::start(&home, Role::Architect, &[]);
    let hello = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
    });
    let result = client.ask("initialize", &hello)["result"].take();
    assert_eq!(result["protocolVersion"], "2025-06-18");
    assert_eq!(result["serverInfo"]["name"], "agentd");
    assert!(result["capabilities"]["tools"].is_object());
    client.send(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    let tools = client.ask("tools/list", &json!({}))["result"]["tools"].take();
    let names: Vec<_> =
        tools.as_array().expect("a list").iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["submit_architecture", "research_dispatch_code", "research_dispatch_web"]);
    assert_eq!(tools[0]["inputSchema"]["additionalProperties"], false);
    assert_eq!(tools[0]["inputSchema"]["properties"]["components"]["items"]["required"][0], "name");

    let (text, is_error) = client.call(Tool::SubmitArchitecture, &architecture());
    assert!(!is_error);
    assert_eq!(text, "Recorded submit_architecture. Wrote 02_architecting/architecture.md.");
    let file = home.read("agentd/changes/add-login/02_architecting/architecture.md");
    assert!(file.starts_with("# Architecture\n"), "{file}");
    assert_eq!(client.end(), (String::new(), Some(0), String::new()));
}

#[test]
fn every_role_is_served_its_own_tools() {
    let home = home();
    for role in Role::ALL {
        let mut client = Client::start(&home, *role, &[]);
        let answer = client.ask("tools/list", &json!({}));
        let tools = answer["result"]["tools"].as_array().expect("a list");
        let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str()).collect();
        let expected: Vec<_> = Tool::of(*role).iter().map(|tool| Some(tool.word())).collect();
        assert_eq!(names, expected, "{role}");
        for tool in Tool::ALL.iter().copied().filter(|tool| !Tool::of(*role).contains(tool)) {
            let answer = client.ask("tools/call", &json!({ "name": tool.word(), "arguments": {} }));
            assert_eq!(answer["error"]["code"], -32_602, "{role}: {answer}");
        }
        assert_eq!(client.end().1, Some(0));
    }
}

#[test]
fn faults_go_back_to_the_model_as_the_result_of_its_call() {
    let home = home();
    let mut client = Client::start(&home, Role::Reviewer, &[]);
    let (text, is_error) =
        client.call(Tool::SubmitReview, &json!({ "verdict": "maybe", "more": 1 }));
    assert!(is_error);
    assert_eq!(
        text,
        "submit_review was refused, and nothing was recorded. Fix all of this and call it again:\n\
         - `verdict`: `maybe` is not one of `pass` or `fail`\n\
         - `summary`: is missing: Markdown\n\
         - `findings`: is missing: a list, each item an object with `severity`, `location`, `issue`, `recommendation`\n\
         - `checks`: is missing: a list, each item an object with `command`, `result`\n\
         - `more`: is not a field here; the fields are `verdict`, `summary`, `findings`, `checks`, `preferences`"
    );
    let (_, is_error) = client.call(Tool::SubmitReview, &review("pass"));
    assert!(!is_error, "it was mended");
}

#[test]
fn a_role_that_is_blocked_says_so_with_its_own_tool() {
    let home = home();
    let mut client = Client::start(&home, Role::Architect, &[]);
    let blocked = serde_json::json!({ "status": "blocked", "reason": "Which port?" });
    let (text, is_error) = client.call(Tool::SubmitArchitecture, &blocked);
    let expected =
        "Recorded submit_architecture. A person will be asked. Stop working and end here.";
    assert_eq!((text.as_str(), is_error), (expected, false));
    let (text, is_error) =
        client.call(Tool::SubmitArchitecture, &serde_json::json!({ "status": "blocked" }));
    assert!(is_error && text.contains("- `reason`: is missing"), "{text}");
    client.end();
}

#[test]
fn a_repeated_submit_is_the_same_submit() {
    let home = home();
    let mut client = Client::start(&home, Role::Reviewer, &[]);
    client.call(Tool::SubmitReview, &review("fail"));
    let again = client.call(Tool::SubmitReview, &review("fail")).0;
    assert_eq!(again, "The same submit_review was already recorded: nothing changed.");
    client.end();
    // Another server, as after a crash of the agent, knows it too.
    let mut client = Client::start(&home, Role::Reviewer, &[]);
    assert_eq!(client.call(Tool::SubmitReview, &review("fail")).0, again);
    let other = client.call(Tool::SubmitReview, &review("pass")).0;
    assert_eq!(other, "Replaced the earlier submit_review. Wrote 07_review/review.md.");
}

#[test]
fn seed_002_preferences_are_recorded_with_what_is_handed_in_and_kept_by_nobody_but_agentd() {
    let home = home();
    let preferences = json!([{ "target_role": "coder", "bullet": "- Keep regression tests" }]);
    let value = with(review("pass"), "preferences", preferences);
    let mut client = Client::start(&home, Role::Reviewer, &[]);
    let (text, _) = client.call(Tool::SubmitReview, &value);
    assert!(text.ends_with(" Preferences submitted: 1."), "{text}");
    assert!(!home.root().join("agentd/prompts/agents/coder.md").exists());
    let record = home.read("agentd/changes/add-login/07_review/submissions/submit_review.json");
    assert!(record.contains("- Keep regression tests"), "{record}");
}

#[test]
fn whatever_is_sent_is_answered_by_an_error_and_serving_goes_on() {
    let home = home();
    let mut client = Client::start(&home, Role::Coder, &[]);
    let none = Value::Null;
    for bad in ["{bad", "nonsense", "{\"jsonrpc\":\"2.0\",", "\u{1}", "{} {}"] {
        client.refused(format!("{bad}\n").as_bytes(), -32_700, &none);
    }
    client.refused(b"\xff\xfe\n", -32_700, &none);
    client.refused(format!("{}\n", "[".repeat(100_000)).as_bytes(), -32_700, &none);
    let batch = b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]\n";
    assert!(client.refused(batch, -32_600, &none).contains("batches"));
    for (line, id) in [
        ("42", none.clone()),
        ("{}", none.clone()),
        ("{\"id\":7,\"method\":\"ping\"}", 7.into()),
        ("{\"jsonrpc\":\"2.0\",\"id\":8}", 8.into()),
        ("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":1}", "a".into()),
        ("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", none.clone()),
    ] {
        client.refused(format!("{line}\n").as_bytes(), -32_600, &id);
    }
    for method in ["nope", "resources/list", "server/discover", "tools/\u{1b}[31m"] {
        let request = json!({ "jsonrpc": "2.0", "id": "x", "method": method });
        client.refused(format!("{request}\n").as_bytes(), -32_601, &"x".into());
    }
    for params in [json!({}), json!([1]), json!({ "name": "submit" }), json!({ "name": 1 })] {
        let request =
            json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": params });
        client.refused(format!("{request}\n").as_bytes(), -32_602, &9.into());
    }
    // Nobody waits for an answer to these.
    client.send(
        b"\n  \r\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{}}\n",
    );
    client.send(b"{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n");
    assert_eq!(client.ask("ping", &json!({}))["result"], json!({}));
    assert_eq!(client.end(), (String::new(), Some(0), String::new()));
}

#[test]
fn a_line_of_16_mib_is_refused_without_being_held() {
    let home = home();
    let mut client = Client::start(&home, Role::Architect, &[]);
    let mut line = vec![b'x'; 16 << 20];
    line.push(b'\n');
    let message = client.refused(&line, -32_600, &Value::Null);
    assert!(message.contains("at most"), "{message}");
    let status = fs::read_to_string(format!("/proc/{}/status", client.server.id())).expect("read");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
    let peak: usize = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(peak < 64 << 10, "{peak} kB");
    // The largest that is served is looked at, and refused for what is wrong with it.
    let large = with(architecture(), "data_models", "x".repeat(LARGEST_SUBMISSION - 4096));
    let (text, is_error) = client.call(Tool::SubmitArchitecture, &large);
    assert!(is_error && text.contains("`data_models`: has "), "{text}");
}

#[test]
fn an_input_that_ends_within_a_message_is_answered_too() {
    let home = home();
    let mut client = Client::start(&home, Role::Coder, &[]);
    client.send(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"meth");
    let (rest, code, logged) = client.end();
    let answer: Value = serde_json::from_str(&rest).expect("one message");
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&(-32_700).into(), &Value::Null));
    assert_eq!((code, logged.as_str()), (Some(0), ""));
    let mut client = Client::start(&home, Role::Coder, &[]);
    client.send(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
    assert_eq!(client.end().0, "{\"id\":1,\"jsonrpc\":\"2.0\",\"result\":{}}\n");
}

#[test]
fn what_is_logged_goes_to_standard_error() {
    let home = home();
    let mut client = Client::start(&home, Role::Reviewer, &["-vv"]);
    client.call(Tool::SubmitReview, &review("pass"));
    client.refused(b"{bad\n", -32_700, &Value::Null);
    let (rest, _, logged) = client.end();
    assert_eq!(rest, "");
    assert!(logged.contains("submit_review: taken"), "{logged}");
}

#[test]
fn a_change_or_role_that_is_not_there_is_refused_at_the_start() {
    let home = home();
    let mcp = |outbox, role| home.agentd(&["mcp", "--outbox", outbox, "--role", role]);
    mcp("agentd/changes/other", "coder").exits(10).says("cannot find `agentd/changes/other`");
    mcp("/", "coder").exits(2).says("is not named after a change");
    mcp("agentd/changes/add-login", "king").exits(2).says("the roles are architect, planner");
    assert_eq!(fs::read_dir(home.root().join("agentd/changes")).expect("read").count(), 1);
}

#[test]
fn a_file_that_cannot_be_written_is_told_to_the_model_and_nothing_is_lost() {
    let home = home();
    let folder: PathBuf = home.root().join("agentd/changes/add-login/02_architecting");
    fs::write(&folder, "a file is in the way").expect("written");
    let mut client = Client::start(&home, Role::Architect, &[]);
    let (text, is_error) = client.call(Tool::SubmitArchitecture, &architecture());
    assert!(is_error && text.starts_with("submit_architecture failed: "), "{text}");
    fs::remove_file(&folder).expect("removed");
    let (text, is_error) = client.call(Tool::SubmitArchitecture, &architecture());
    assert!(!is_error, "{text}");
    let request = example(Tool::ResearchDispatchCode);
    assert!(!client.call(Tool::ResearchDispatchCode, &request).1);
}

#[test]
fn a_planner_is_told_of_all_that_no_schedule_can_be_made_of_before_it_ends() {
    let home = home();
    let mut client = Client::start(&home, Role::Planner, &[]);
    let first = with(with(subplan(1), "dependencies", json!([2])), "owned_files", json!(["src/"]));
    let second =
        with(with(subplan(2), "dependencies", json!([])), "owned_files", json!(["src/a.rs"]));
    let mut schedule = with(execution_plan(&[1, 2]), "doc_files", json!(["docs/nobody.md"]));
    schedule["groups"][0]["mode"] = "parallel".into();
    for (tool, value) in [
        (Tool::SubmitSubplan, &first),
        (Tool::SubmitSubplan, &second),
        (Tool::SubmitExecutionPlan, &schedule),
    ] {
        assert!(!client.call(tool, value).1, "{tool}");
    }
    let (text, is_error) = client.call(Tool::SubmitPlan, &json!({ "overview": "Two plans." }));
    assert!(is_error, "{text}");
    for fault in [
        "plan_2.md:11:3: plan_1 and plan_2 run in parallel, and both own `src/a.rs`",
        "plan_1 depends on plan_2, which runs in parallel",
        "no plan owns the document `docs/nobody.md`",
    ] {
        assert_eq!(text.matches(fault).count(), 1, "{text}");
    }
    let mended = with(subplan(1), "owned_files", json!(["src/b.rs", "docs/"]));
    client.call(Tool::SubmitSubplan, &mended);
    let (text, is_error) = client.call(Tool::SubmitPlan, &json!({ "overview": "Two plans." }));
    assert!(!is_error, "{text}");
}

#[test]
fn a_planner_that_has_settled_on_fewer_plans_says_which_are_set_aside() {
    let home = home();
    let mut client = Client::start(&home, Role::Planner, &[]);
    for number in 1..=3 {
        client.call(Tool::SubmitSubplan, &subplan(number));
    }
    client.call(Tool::SubmitExecutionPlan, &execution_plan(&[1, 2]));
    let (text, is_error) = client.call(Tool::SubmitPlan, &json!({ "overview": "Two plans." }));
    assert!(is_error && text.contains("plan_3 is in no group"), "{text}");
    let plan = json!({ "overview": "Two plans.", "set_aside": [3] });
    let (text, is_error) = client.call(Tool::SubmitPlan, &plan);
    assert!(!is_error && text.contains("Set aside plan_3"), "{text}");
}

#[test]
fn the_coder_of_a_plan_cannot_say_that_another_is_done() {
    let home = home();
    let folder = home.root().join("agentd/changes/add-login");
    fs::create_dir(folder.join("04_planning")).expect("made");
    for plan in ["plan_1.md", "plan_2.md"] {
        fs::write(folder.join("04_planning").join(plan), "# Plan\n").expect("written");
    }
    let mut client = Client::start(&home, Role::Coder, &["--plan", "1"]);
    let done = |plan: Value| with(example(Tool::SubmitDone), "plan", plan);
    let (text, is_error) = client.call(Tool::SubmitDone, &done(2.into()));
    assert!(is_error && text.contains("`plan`: you carry out plan 1, and no other"), "{text}");
    let (text, is_error) = client.call(Tool::SubmitDone, &done(Value::Null));
    assert!(is_error && text.contains("`plan`: is missing: you carry out plan 1"), "{text}");
    assert!(!folder.join("06_implementation").exists());
    assert!(!client.call(Tool::SubmitDone, &done(1.into())).1);
    assert!(folder.join("06_implementation/done_1").exists());
    let mut single = Client::start(&home, Role::Coder, &[]);
    assert!(!single.call(Tool::SubmitDone, &done(2.into())).1, "one coder may have them all");
    for (role, plan) in [("coder", "0"), ("coder", "1000"), ("planner", "1")] {
        let outbox = "agentd/changes/add-login";
        home.agentd(&["mcp", "--outbox", outbox, "--role", role, "--plan", plan]).exits(2);
    }
}
