//! The sections about a project's work, the choice of agents, what needs trust, and the file a project begins with.

use std::time::Duration;

use agentd::Phase;
use agentd::config::{CANDIDATES, ChoiceError, Config, json_schema, starter};
use agentd::models::agent::{AgentSettings, Protocol};
use agentd::models::command::CommandLine;
use serde_json::Value;

use crate::config::layers;

fn shell(line: &str) -> CommandLine {
    CommandLine::Shell(line.to_owned())
}

fn words(words: &[&str]) -> CommandLine {
    CommandLine::Words(words.iter().copied().map(str::to_owned).collect())
}

#[test]
fn without_a_file_nothing_is_verified_and_little_is_limited() {
    let config = layers().config();
    assert_eq!(config.flow, "sdd");
    assert_eq!(
        (config.verify.commands.as_slice(), config.verify.security.as_slice()),
        (&[][..], &[][..])
    );
    assert_eq!(config.verify.timeout, Duration::from_mins(30));
    assert_eq!((config.limits.plan_rounds, config.limits.implement_rounds), (3, 3));
    assert_eq!((config.limits.max_cost_usd, config.limits.max_tokens), (None, None));
    assert!(config.context.thoughts);
    assert_eq!((config.context.max_diff, config.context.max_evidence), (256_000, 64_000));
    assert_eq!(config.worktree.setup, []);
}

#[test]
fn every_key_of_the_sections_is_read_and_listed_so_that_it_reads_back() {
    let text = r#"
[project]
flow = "careful-2_x"
[verify]
commands = ["cargo test && echo 'it''s'", ["npm", "run", "a b"]]
security = ["cargo deny check"]
timeout = "5m"
[limits]
plan_rounds = 1
implement_rounds = 100
max_cost_usd = 2
max_tokens = 1_000_000
[context]
thoughts = false
max_diff = "1 MiB"
max_evidence = 10
[worktree]
setup = [["npm", "ci"]]
"#;
    let config = layers().project(text).config();
    let check = |config: &Config| {
        assert_eq!(config.flow, "careful-2_x");
        let expected = [shell("cargo test && echo 'it''s'"), words(&["npm", "run", "a b"])];
        assert_eq!(config.verify.commands, expected);
        assert_eq!(config.verify.security, [shell("cargo deny check")]);
        assert_eq!(config.verify.timeout, Duration::from_mins(5));
        assert_eq!((config.limits.plan_rounds, config.limits.implement_rounds), (1, 100));
        assert_eq!(config.limits.max_cost_usd, Some(2.0));
        assert_eq!(config.limits.max_tokens, Some(1_000_000));
        assert!(!config.context.thoughts);
        assert_eq!((config.context.max_diff, config.context.max_evidence), (1_048_576, 10));
        assert_eq!(config.worktree.setup, [words(&["npm", "ci"])]);
    };
    check(&config);
    let listing = config.listing();
    let lines: Vec<_> = listing.iter().map(|l| format!("{} = {}\n", l.key, l.value)).collect();
    check(&layers().project(&lines.concat()).config());
    assert_eq!(config.origin(&["worktree", "setup"]).to_string(), "agentd/config.toml:18");
}

#[test]
fn an_option_can_set_a_limit() {
    let config = layers()
        .project("[limits]\nmax_cost_usd = 9.5\n")
        .flag("--max-cost", &["limits", "max_cost_usd"], "2.5")
        .flag("--max-tokens", &["limits", "max_tokens"], "1000")
        .config();
    assert_eq!((config.limits.max_cost_usd, config.limits.max_tokens), (Some(2.5), Some(1000)));
    let error = layers().flag("--max-cost", &["limits", "max_cost_usd"], "-1").error();
    assert!(error.contains("`limits.max_cost_usd` is `-1`, but must be a number"), "{error}");
    assert!(error.contains("(from --max-cost)"), "{error}");
}

#[test]
fn what_is_wrong_in_a_section_is_said_with_its_place_and_help() {
    for (text, place, message, help) in [
        (
            "[verify]\ncommands = \"cargo test\"",
            "2:12",
            "`verify.commands` is a string, but must be a list of commands, each a text or a list of texts",
            "write [\"cargo test\", [\"npm\", \"test\"]]",
        ),
        ("[verify]\ncommands = [1]", "2:12", "`verify.commands` holds an integer, but", "write"),
        ("[verify]\ncommands = [\" \"]", "2:12", "`verify.commands` is ` `, but", "write"),
        ("[verify]\nsecurity = [[]]", "2:12", "`verify.security` is `[]`, but", "write"),
        (
            "[verify]\ncommands = [[\"a\", 2]]",
            "2:12",
            "`verify.commands` holds an integer",
            "write",
        ),
        ("[worktree]\nsetup = [\"a\\u0000\"]", "2:9", "`worktree.setup` holds a NUL", "remove it"),
        ("[verify]\ncomands = []", "2:1", "unknown key `comands` in `verify`", "`commands`?"),
        (
            "[limits]\nplan_rounds = 0",
            "2:15",
            "`limits.plan_rounds` is `0`, but must be a whole number from 1 to 100",
            "write 2",
        ),
        (
            "[project]\nflow = \"My Flow\"",
            "2:8",
            "`project.flow` is `My Flow`, but must be the name of a flow",
            "write \"sdd\", \"team\", \"quick\" or",
        ),
        ("[project]\nflow = \"../x\"", "2:8", "`project.flow` is `../x`, but must be", "write"),
        ("[project]\nflows = \"sdd\"", "2:1", "unknown key `flows` in `project`", "`flow`?"),
        ("[limits]\nmax_tokens = 0", "2:14", "`limits.max_tokens` is `0`, but must be", "write 2"),
        ("[context]\nthoughts = 1", "2:12", "`context.thoughts` is an integer, but", "write true"),
        ("[context]\nmax_diff = \"no\"", "2:12", "`context.max_diff` is `no`, but must", "write"),
    ] {
        let error = layers().project(text).error();
        assert_eq!(error.matches("error: ").count(), 1, "{text}\n{error}");
        assert!(error.contains(&format!("error: {message}")), "{message}\n{error}");
        assert!(error.contains(&format!("--> agentd/config.toml:{place}\n")), "{place}\n{error}");
        assert!(error.contains("\n  = help: ") && error.contains(help), "{help}\n{error}");
    }
}

/// Says that some agents are installed, by their names.
fn only<'a>(names: &'a [&str]) -> impl Fn(&AgentSettings) -> bool + 'a {
    |agent| names.contains(&agent.name.as_str())
}

#[test]
fn a_default_that_is_not_installed_gives_way_to_the_first_that_is_and_says_so() {
    let config = layers().config();
    let chosen = config.choose(Phase::Plan, only(&["gemini", "claude"])).expect("an agent");
    assert_eq!((chosen.agent.name.as_str(), chosen.instead_of), ("gemini", None));
    assert_eq!(chosen.note(Phase::Plan), None);
    let chosen = config.choose(Phase::Plan, only(&["copilot", "codex"])).expect("an agent");
    assert_eq!(chosen.agent.name, "codex");
    assert_eq!(chosen.instead_of.expect("the default").name, "gemini");
    let note = chosen.note(Phase::Plan).expect("a note");
    assert!(
        note.starts_with("`gemini` is not installed: `codex` does plan in its place"),
        "{note}"
    );
    assert_eq!(CANDIDATES, ["claude", "codex", "gemini", "copilot"]);
}

#[test]
fn an_agent_that_somebody_named_stands_whether_installed_or_not() {
    for config in [
        layers().user("phases.plan = \"gemini\"").config(),
        layers().project("phases.plan = \"gemini\"").config(),
        layers().variables(&[("AGENTD_AGENT", "gemini")]).config(),
        layers().flag("--agent", &["phases", "plan"], "gemini").config(),
    ] {
        let chosen = config.choose(Phase::Plan, only(&["claude"])).expect("an agent");
        assert_eq!((chosen.agent.name.as_str(), chosen.instead_of), ("gemini", None));
    }
}

#[test]
fn the_offline_agent_is_never_chosen_unasked_and_no_agent_is_an_error() {
    let config = layers().config();
    let error = config.choose(Phase::Review, only(&["offline"])).expect_err("no agent");
    assert_eq!(error, ChoiceError::NoneInstalled { preferred: "codex".to_owned() });
    let disguised = layers().user("agents.claude.cli = \"offline\"").config();
    assert_eq!(disguised.agents["claude"].protocol, Protocol::Offline);
    assert!(disguised.choose(Phase::Review, only(&["claude"])).is_err());
}

#[test]
fn only_what_the_project_itself_says_needs_trust() {
    let harmless = "[phases]\nplan = \"claude\"\n[agents.claude]\nmodel = \"opus\"\ntimeout = \"1h\"\n\
                    [limits]\nplan_rounds = 2\n[context]\nthoughts = false\n[verify]\ntimeout = \"1h\"\n\
                    [project]\nflow = \"quick\"\n";
    assert!(layers().project(harmless).config().guarded().is_empty());
    let own = "[verify]\ncommands = [\"x\"]\n[agents.claude]\ncommand = \"y\"\n";
    assert!(layers().user(own).config().guarded().is_empty());
    let config = layers()
        .user("agents.claude.args = [\"mine\"]")
        .project("[agents.mine]\ncommand = \"bin/x\"\nenv = { B = \"2\", A = \"1\" }\n[verify]\ncommands = [\"t\"]\n")
        .config();
    assert_eq!(
        config.guarded().text(),
        "agents.mine.command = [\"bin/x\"]\nagents.mine.env.A = \"1\"\nagents.mine.env.B = \"2\"\n\
         verify.commands = [\"t\"]\n",
        "as it is written in the file, whatever the root"
    );
}

#[test]
fn what_lies_over_a_project_s_file_does_not_change_what_needs_trust() {
    let text = "[limits]\nplan_rounds = 5\n";
    let alone = layers().project(text).config().guarded();
    let flagged = layers().project(text).flag("--rounds", &["limits", "plan_rounds"], "9");
    assert_eq!(flagged.config().guarded(), alone);
    assert_eq!(alone.text(), "limits.plan_rounds = 5\n");
}

#[test]
fn a_project_lowers_a_limit_unasked_and_needs_trust_to_raise_one() {
    let numbers = |rounds: u32, cost: f64| {
        format!(
            "[limits]\nplan_rounds = {rounds}\nimplement_rounds = {rounds}\nmax_cost_usd = {cost:?}\n\
             max_tokens = {rounds}\n[team]\nmax_parallel = {rounds}\nreview_rounds = {rounds}\n\
             [agents.claude]\nretries = {rounds}\n"
        )
    };
    let guarded = |own: &str, project: &str| {
        let guarded = layers().user(own).project(project).config().guarded();
        guarded.settings().iter().map(|setting| setting.key.clone()).collect::<Vec<_>>()
    };
    let every = [
        "agents.claude.retries",
        "limits.implement_rounds",
        "limits.max_cost_usd",
        "limits.max_tokens",
        "limits.plan_rounds",
        "team.max_parallel",
        "team.review_rounds",
    ];
    let own = numbers(6, 2.5);
    assert_eq!(guarded(&own, &numbers(6, 2.5)), [""; 0], "as much is no more");
    assert_eq!(guarded(&own, &numbers(5, 2.4)), [""; 0], "less needs nobody");
    assert_eq!(guarded(&own, &numbers(7, 2.6)), every);
    // Without a word of the user it is the default that counts, and no limit is more than any.
    assert_eq!(guarded("", &numbers(2, 9.0)), [""; 0]);
    let of_default =
        every.iter().filter(|key| !key.contains("max_cost") && !key.contains("tokens"));
    assert_eq!(guarded("", &numbers(5, 9.0)), of_default.copied().collect::<Vec<_>>());
    let new = "[agents.mine]\ncli = \"claude\"\nretries = 3\n";
    assert_eq!(guarded("", new), ["agents.mine.cli", "agents.mine.retries"]);
}

#[test]
fn what_counts_the_cost_needs_trust_whatever_it_says() {
    let guarded = |text: &str| layers().project(text).config().guarded().text();
    assert_eq!(
        guarded("[prices.m]\ninput = 0\noutput = 0\n"),
        "prices.m.input = 0.0\nprices.m.output = 0.0\n"
    );
    let own = "[agents.mine]\ncommand = \"x\"\noutput = \"json\"\ntext = \"/a\"\nusage = { output = \"/u\" }\n";
    let config = layers().user(own).project("[agents.mine]\nusage = { output = \"/none\" }\n");
    assert_eq!(config.config().guarded().text(), "agents.mine.usage.output = \"/none\"\n");
}

#[test]
fn a_fingerprint_tells_what_has_changed_but_not_what_it_was() {
    let guarded = |text: &str| layers().project(text).config().guarded();
    let before = guarded(
        "[verify]\ncommands = [\"a\"]\nsecurity = [\"s\"]\n[agents.claude.env]\nKEY = \"hunter2!\"\n",
    );
    let after = guarded(
        "# moved\n[worktree]\nsetup = [\"w\"]\n[verify]\nsecurity = [\"s\"]\ncommands = [\"b\"]\n",
    );
    let told: Vec<_> = after
        .fingerprint()
        .changes_since(&before.fingerprint())
        .iter()
        .map(|change| format!("{} {}", change.word(), change.key()))
        .collect();
    assert_eq!(
        told,
        ["removed agents.claude.env.KEY", "changed verify.commands", "added worktree.setup"]
    );
    let kept = serde_json::to_string(&before.fingerprint()).expect("JSON");
    assert!(!kept.contains("hunter2!"), "{kept}");
    assert_eq!(before.fingerprint().sha256.len(), 64);
    assert_ne!(before.fingerprint().sha256, after.fingerprint().sha256);
}

/// Takes away the `#` before every setting, and leaves prose as it is.
fn uncommented(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix('#') {
        Some(setting) if !setting.starts_with(' ') => format!("{setting}\n"),
        Some(_) | None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn the_file_a_project_begins_with_says_nothing_but_how_changes_are_verified() {
    assert!(layers().project(&starter(&[])).config().guarded().is_empty());
    let plain = layers().config().listing();
    let empty = layers().project(&starter(&[])).config().listing();
    assert_eq!(values(&empty), values(&plain));
    let config = layers().project(&starter(&[shell("cargo test"), words(&["a", "b"])])).config();
    assert_eq!(config.verify.commands, [shell("cargo test"), words(&["a", "b"])]);
    assert_eq!(config.guarded().text(), "verify.commands = [\"cargo test\", [\"a\", \"b\"]]\n");
}

#[test]
fn the_file_a_project_begins_with_shows_every_key_and_is_right_when_all_is_uncommented() {
    let text = uncommented(&starter(&[]));
    let config = layers().project(&text).config();
    let shown: Vec<_> = config
        .listing()
        .into_iter()
        .filter(|listed| listed.origin.to_string().starts_with("agentd/config.toml"))
        .collect();
    let schema = json_schema();
    let mut keys = Vec::new();
    keys_of(&schema, "", &mut keys);
    assert!(keys.len() > 40, "only {} keys", keys.len());
    for key in keys {
        let found = shown.iter().any(|listed| matches(&key, &listed.key));
        assert!(found, "`{key}` is not shown");
    }
    let defaults = layers().config().listing();
    for listed in defaults.iter().filter(|listed| !listed.key.starts_with("agents.")) {
        let same = shown.iter().find(|shown| shown.key == listed.key).expect("shown");
        assert_eq!(same.value, listed.value, "{}", listed.key);
    }
    assert!(starter(&[]).lines().all(|line| line.len() <= 120));
}

fn values(listing: &[agentd::config::Listed]) -> Vec<(&str, &str)> {
    listing.iter().map(|listed| (listed.key.as_str(), listed.value.as_str())).collect()
}

/// Lists the keys of a schema; `*` stands for a name.
fn keys_of(schema: &Value, path: &str, keys: &mut Vec<String>) {
    if let Some(properties) = schema["properties"].as_object() {
        for (name, below) in properties {
            keys_of(below, &format!("{path}{name}."), keys);
        }
    } else if schema["additionalProperties"].is_object() {
        keys_of(&schema["additionalProperties"], &format!("{path}*."), keys);
    } else {
        keys.push(path.trim_end_matches('.').to_owned());
    }
}

fn matches(pattern: &str, key: &str) -> bool {
    let (pattern, key): (Vec<_>, Vec<_>) = (pattern.split('.').collect(), key.split('.').collect());
    pattern.len() == key.len() && pattern.iter().zip(&key).all(|(p, k)| *p == "*" || p == k)
}
