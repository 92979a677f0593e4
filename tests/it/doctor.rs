//! `agentd doctor`, with shell scripts in place of the agents' programs.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::ran::Ran;
use crate::sandbox::Sandbox;
use crate::support::install;

/// A project in which every CLI is installed in the version that was checked.
fn complete() -> Sandbox {
    Sandbox::new()
        .program("claude", "echo '2.1.326 (Claude Code)'")
        .program("gemini", "echo 0.61.0")
        .program("codex", "echo codex-cli 0.169.0")
        .program("copilot", "echo 'GitHub Copilot CLI 1.0.102.'")
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stdout))
}

/// Finds an entry of a list by one of its keys.
fn entry<'v>(list: &'v Value, key: &str, value: &str) -> &'v Value {
    let entries = list.as_array().expect("a list");
    entries.iter().find(|entry| entry[key] == value).unwrap_or_else(|| panic!("no {value}: {list}"))
}

fn agent(report: &Value, name: &str) -> Value {
    entry(&report["agents"], "name", name).clone()
}

#[test]
fn where_all_is_installed_in_the_checked_version_all_is_well() {
    let project = complete();
    let ran = project.run(&["doctor"]).exits(0);
    assert!(ran.stderr.is_empty(), "{}", ran.stderr);
    for (name, version) in
        [("claude", "2.1.326"), ("gemini", "0.61.0"), ("codex", "0.169.0"), ("copilot", "1.0.102")]
    {
        let expected = format!("{version}, checked; {}", project.path_of(name).display());
        assert!(ran.stdout.contains(&expected), "{expected}\nis not in\n{}", ran.stdout);
    }
    assert!(ran.stdout.contains("ok implement   claude (from default)"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("no agent") && !ran.stdout.contains('\u{1b}'), "{}", ran.stdout);
    let ran = project.run(&["--color", "always", "doctor"]).exits(0);
    assert!(ran.stdout.contains('\u{1b}'), "{}", ran.stdout);
}

#[test]
fn the_json_has_a_version_and_says_all_that_the_table_says() {
    let project = complete();
    let report = json(&project.run(&["doctor", "--json"]).exits(0));
    assert_eq!(report["version"], 1);
    assert_eq!(report["ok"], true);
    let names: Vec<_> = report["agents"].as_array().expect("a list").iter().collect();
    let names: Vec<_> = names.iter().map(|agent| agent["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["claude", "codex", "copilot", "gemini", "offline"]);
    let claude = agent(&report, "claude");
    assert_eq!(claude["state"], "ready");
    assert_eq!(claude["version"], "2.1.326");
    assert_eq!(claude["standing"], "checked");
    assert_eq!(claude["path"], project.path_of("claude").to_str().expect("UTF-8"));
    let phases: Vec<_> = report["phases"].as_array().expect("a list").iter().collect();
    let words: Vec<_> =
        phases.iter().map(|phase| phase["phase"].as_str().expect("a word")).collect();
    assert_eq!(words, ["plan", "challenge", "implement", "review", "archive"]);
    let review = entry(&report["phases"], "phase", "review");
    assert_eq!((&review["agent"], &review["origin"]), (&"codex".into(), &"default".into()));
    assert_eq!(review["command"]["argv"][0], "codex");
    assert_eq!(review["command"]["argv"][1], "exec");
    assert_eq!(review["command"]["sets"]["NO_COLOR"], "1");
    assert_eq!(report["here"]["guard"]["ok"], true);
    assert_eq!(report["here"]["repository"], "none");
    assert_eq!(report["here"]["config"], serde_json::json!([]));
}

#[test]
fn another_version_is_told_and_is_no_failure() {
    let project = complete()
        .program("claude", "echo '2.2.0 (Claude Code)'")
        .program("gemini", "echo 0.9.9")
        .program("codex", "echo welcome, friend");
    project
        .run(&["doctor"])
        .exits(0)
        .prints("2.2.0, newer than checked (2.1.326)")
        .prints("0.9.9, older than checked (0.61.0)")
        .prints("ok codex       it does not print its version");
    let report = json(&project.run(&["doctor", "--json"]).exits(0));
    assert_eq!(agent(&report, "claude")["standing"], "newer");
    assert_eq!(agent(&report, "gemini")["standing"], "older");
    let codex = agent(&report, "codex");
    assert_eq!((&codex["state"], &codex["version"]), (&"version-unknown".into(), &Value::Null));
}

#[test]
fn where_nothing_is_installed_it_says_how_to_install_and_what_works_without() {
    let ran = Sandbox::new().run(&["doctor"]).exits(5);
    let ran = ran
        .prints("no claude      `claude` is not installed")
        .prints(
            "npm install -g @anthropic-ai/claude-code; then log in: run `claude` and type /login",
        )
        .prints("no codex       `codex` is not installed\n")
        .prints("-  copilot     `copilot` is not installed\n")
        .prints("-  gemini      `gemini` is not installed\n")
        .says("no usable agent for plan (claude), challenge (codex), implement (claude)");
    assert_eq!(ran.stdout.matches("npm install").count(), 1, "{}", ran.stdout);
    ran.says("`--agent offline` and AGENTD_AGENT=offline");
    let ran = Sandbox::new().env("AGENTD_AGENT", "offline").run(&["doctor"]).exits(0);
    ran.prints("ok plan        offline (from AGENTD_AGENT)");
}

#[test]
fn with_claude_alone_it_does_every_step_and_a_second_vendor_is_recommended() {
    let project = Sandbox::new().program("claude", "echo '2.1.326 (Claude Code)'");
    let ran = project.run(&["doctor"]).exits(0);
    let ran = ran
        .prints("steps of sdd\n  ok plan        claude (from default)\n")
        .prints(
            "ok review      claude (`codex` is not installed); same vendor as its author, `claude`",
        )
        .prints("-  codex       `codex` is not installed\n     npm install -g @openai/codex")
        .prints("-  gemini      `gemini` is not installed\n");
    assert_eq!(ran.stdout.matches("npm install").count(), 1, "{}", ran.stdout);
    let report = json(&project.run(&["doctor", "--json"]).exits(0));
    assert_eq!((&report["ok"], &report["flow"]), (&true.into(), &"sdd".into()));
    let review = entry(&report["steps"], "step", "review");
    assert_eq!((&review["agent"], &review["origin"]), (&"claude".into(), &"default".into()));
    // With a second one installed nothing is missing that would help.
    let ran = project.program("gemini", "echo 0.61.0").run(&["doctor"]).exits(0);
    let ran = ran.prints("ok review      gemini (`codex` is not installed)\n");
    assert!(!ran.stdout.contains("npm install"), "{}", ran.stdout);
}

#[test]
fn the_steps_are_those_of_the_flow_that_changes_follow() {
    let config = "[project]\nflow = \"team\"\n[roles]\nreviewer = \"gemini\"\n";
    let project = Sandbox::new()
        .program("claude", "echo '2.1.326 (Claude Code)'")
        .file("agentd/config.toml", config);
    let ran = project.run(&["doctor"]).exits(5);
    let ran = ran
        .prints("steps of team\n")
        .prints("no reviewer         gemini (from agentd/config.toml:4): `gemini` is not installed")
        .prints("steps of sdd\n")
        .says("no usable agent for reviewer (gemini)");
    ran.says("npm install -g @google/gemini-cli");
    let report = json(&project.run(&["doctor", "--json"]).exits(5));
    assert_eq!((&report["ok"], &report["flow"]), (&false.into(), &"team".into()));
}

#[test]
fn a_program_that_hangs_is_ended_and_reported() {
    let project = complete().program("codex", "sleep 600 & sleep 600");
    let start = Instant::now();
    let ran = project.run(&["doctor", "--wait", "1"]).exits(5);
    assert!(start.elapsed() < Duration::from_mins(1), "it waited for {:?}", start.elapsed());
    ran.prints("no codex       `codex --version` did not end within 1 s")
        .prints("no review      codex (from default): `codex --version` did not end")
        .prints("ok plan        claude")
        .says("install it again: npm install -g @openai/codex");
}

#[test]
fn a_program_that_cannot_be_run_or_fails_is_reported_with_the_reason() {
    let project = complete()
        .installed("claude", "echo 2.1.326", 0o644)
        .program("gemini", "echo 'node is too old' >&2; exit 7");
    install(&project.path_of("codex"), "#!/no/such/interpreter\n", 0o755);
    let ran = project.run(&["doctor"]).exits(5);
    ran.prints("no claude      `claude` cannot be run: Permission denied")
        .prints("no gemini      `gemini --version` fails: exit code 7: node is too old")
        .prints("no codex       `codex` cannot be run: the interpreter that it names is not there")
        .says("no usable agent for plan (codex), implement (codex), archive (codex)")
        .says("install it again: npm install -g @openai/codex");
}

#[test]
fn nothing_is_left_behind() {
    let project = complete().program("copilot", "touch left-here; sleep 600 & echo 1.0.102");
    let _ = project.run(&["doctor"]).exits(0);
    let left = |folder| fs::read_dir(folder).expect("a folder").count();
    assert_eq!(left(project.temporary()), 0);
    // The programs run where they would run in a phase, and get no request there.
    assert_eq!(left(project.root()), 1);
}

#[test]
fn no_value_of_the_configuration_s_variables_is_ever_shown() {
    let config = "\
[agents.claude]
env = { SERVICE_TOKEN = \"staple/of the configuration\", SERVICE_AUTH = \"another one\", PLACE = \"a quiet value\" }
args = [\"--max-turns\", \"sk-ant-api03-abcdefghij0123456789\"]
[agents.mine]
command = [\"mine\", \"staple/of the configuration\"]
env = { SERVICE_TOKEN = \"staple/of the configuration\" }
";
    let script = "echo \"1.2.3 $SERVICE_TOKEN $SERVICE_AUTH $DB_PASSWORD\"; exit 1";
    let project = complete()
        .program("claude", script)
        .program("mine", script)
        .file("agentd/config.toml", config)
        .env("DB_PASSWORD", "correct-horse-battery")
        .env("GH_TOKEN", "token-of-github");
    for arguments in [&["doctor", "--commands"][..], &["doctor", "--json"]] {
        project
            .run(arguments)
            .exits(5)
            .hides("staple/of")
            .hides("another one")
            .hides("a quiet value")
            .hides("abcdefghij0123456789")
            .hides("correct-horse-battery")
            .hides("token-of-github")
            .prints("SERVICE_TOKEN")
            .prints("GH_TOKEN")
            .prints("***");
    }
    let report = json(&project.run(&["doctor", "--json"]));
    let command = &entry(&report["phases"], "phase", "implement")["command"];
    assert_eq!(command["sets"]["PLACE"], "***");
    assert_eq!(command["removes"], serde_json::json!(["GH_TOKEN"]));
}

#[test]
fn what_a_project_says_of_an_agent_is_not_run_unless_it_is_trusted() {
    let config = "[agents.claude]\ncommand = \"./trap\"\n";
    let trap = "touch \"$HOME/sprung\"; echo 2.1.326";
    let project = complete().program("trap", trap).file("agentd/config.toml", config);
    let inside = project.root().join("trap");
    fs::copy(project.path_of("trap"), inside).expect("a copy");
    let sprung = project.root().parent().expect("a folder").join("home/sprung");
    let ran = project.run(&["doctor"]).exits(5);
    ran.prints("is not trusted").says("agentd trust");
    assert!(!sprung.exists(), "it was run");
    let project = project.trusted();
    drop(project.run(&["doctor"]).exits(0));
    assert!(sprung.exists(), "it was not run");
}

#[test]
fn a_described_agent_is_asked_for_its_version_and_nothing_more() {
    let config = "\
[agents.local]
command = [\"local\", \"run\", \"some-model\"]
delivers = \"files\"
[agents.judge]
command = \"judge\"
[agents.gone]
command = \"./tools/gone\"
[phases]
plan = \"local\"
challenge = \"judge\"
implement = \"judge\"
review = \"gone\"
archive = \"gemini\"
";
    let project = complete()
        .program("local", "test \"$*\" = --version || exit 9; echo local 3.4")
        .program("judge", "cat; exit 1")
        .file("agentd/config.toml", config)
        .trusted();
    let ran = project.run(&["doctor", "--commands"]).exits(5);
    ran.prints("ok local       3.4;")
        .prints("ok judge       it does not print its version")
        .prints("no gone        `")
        .prints("ok plan        local (from agentd/config.toml:9)")
        .prints("ok challenge   judge")
        .prints("no implement   judge (from agentd/config.toml:11): it delivers no files")
        .prints("no review      gone")
        .prints("local run some-model <prompt on stdin>")
        .says("change `command` in `[agents.gone]`");
}

#[test]
fn the_command_line_shown_is_the_one_that_is_run() {
    let config = "[agents.claude]\nmodel = \"opus\"\npermissions = \"shell\"\nretries = 0\n";
    let record = "for word in claude \"$@\"; do printf '%s\\n' \"$word\"; done > \"$HOME/.claude/words\"; exit 1";
    let project = complete().file("agentd/config.toml", config).trusted();
    let report = json(&project.run(&["doctor", "--json"]).exits(0));
    let shown = entry(&report["phases"], "phase", "implement")["command"]["argv"].clone();
    let project = project
        .program("claude", record)
        .file("agentd/changes/add-login/proposal.md", "# Login\n")
        .file("agentd/changes/add-login/specs/login.md", "# Login\n")
        .file("agentd/changes/add-login/tasks.md", "# Tasks\n\n- [ ] 1.1 Add it\n");
    let _ = project.run(&["call", "implement", "add-login", "Do it"]).exits(5);
    let home = project.root().parent().expect("a folder").join("home");
    let ran = fs::read_to_string(home.join(".claude/words")).expect("it ran");
    let ran: Vec<_> = ran.lines().map(|word| word.replace("add-login", "CHANGE")).collect();
    assert_eq!(serde_json::json!(ran), shown);
}

#[test]
fn the_command_lines_are_those_of_the_sandbox_and_shown_when_asked_for() {
    let mode = |project: Sandbox, mode: &str| {
        let project = project.env("AGENTD_SANDBOX", mode);
        let plain = project.run(&["doctor"]).exits(0);
        assert!(!plain.stdout.contains("--ephemeral"), "{}", plain.stdout);
        project.run(&["doctor", "--commands"]).exits(0).prints("codex exec --json --ephemeral");
        let report = json(&project.run(&["doctor", "--json"]).exits(0));
        let words =
            |phase: &str| entry(&report["phases"], "phase", phase)["command"]["argv"].to_string();
        let is_able = report["here"]["sandbox"]["ok"] == true;
        (is_able, words("review"), words("implement"))
    };
    let (is_able, review, implement) = mode(complete(), "on");
    assert_eq!(review.contains("danger-full-access"), is_able, "{review}");
    assert_eq!(implement.contains(",Bash"), is_able, "{implement}");
    let (_, review, implement) = mode(complete(), "off");
    assert!(
        review.contains("\"read-only\"") && implement.contains("--disallowedTools"),
        "{review}"
    );
}

#[test]
fn what_is_said_of_the_sandbox_is_what_holds_in_a_run() {
    let told = |mode: &str| {
        let project = complete().env("AGENTD_SANDBOX", mode);
        let report = json(&project.run(&["doctor", "--json"]).exits(0));
        let plain = project.run(&["doctor"]).exits(0).stdout;
        let line = plain.lines().find(|line| line.contains(" sandbox ")).expect("a line");
        (line.trim().to_owned(), report["here"]["sandbox"]["ok"] == true)
    };
    let off = "-  sandbox     off: agents and checks can write everything that you can";
    assert_eq!(told("off"), (off.to_owned(), false));
    let (line, is_full) = told("on");
    assert_eq!(line.starts_with("ok sandbox     files, signals and sockets are confined"), is_full);
}

#[test]
fn a_broken_configuration_is_told_in_full_and_exits_as_everywhere() {
    let project = complete().file("agentd/config.toml", "[phases]\nplan = 3\n[agent.x]\n");
    let ran = project.run(&["doctor"]).exits(4);
    ran.says("agentd/config.toml:2").says("agentd/config.toml:3");
}

#[test]
fn an_argument_that_an_agent_must_not_get_is_told() {
    let project = complete().file("agentd/config.toml", "[agents.codex]\nargs = [\"resume\"]\n");
    let ran = project.run(&["doctor"]).exits(5);
    ran.prints("no codex       `resume` must not be passed to agent `codex`")
        .says("change `[agents.codex]`");
}

#[test]
fn the_repository_is_looked_at() {
    let git = |script: &str| Sandbox::new().env("AGENTD_AGENT", "offline").program("git", script);
    let with = "case \"$*\" in --version) echo git version 2.44.0;; *HEAD) exit";
    let ran = git(&format!("{with} 0;; esac")).run(&["doctor"]).exits(0);
    ran.prints("ok git         2.44.0").prints("ok repository  has a commit");
    let ran = git(&format!("{with} 1;; esac")).run(&["doctor"]).exits(0);
    ran.prints("no repository  has no commit");
    let ran = git(&format!("{with} 1;; *) exit 128;; esac")).run(&["doctor"]).exits(0);
    ran.prints("no repository  none here");
}

#[test]
fn a_guard_that_cannot_work_is_told() {
    let project = complete();
    fs::remove_dir(project.temporary()).expect("removed");
    let ran = project.run(&["doctor"]).exits(5);
    ran.prints("no guard       no temporary folder");
}
