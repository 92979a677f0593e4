//! The sections about a project's work, the choice of agents, and what needs trust.

use std::time::Duration;

use agentd::Phase;
use agentd::catalog::CATALOG;
use agentd::config::{CANDIDATES, ChoiceError, Config};
use agentd::models::agent::{AgentSettings, Permissions, Protocol};
use agentd::models::command::CommandLine;
use agentd::template::Role;

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
    assert_eq!(config.limits.max_file, 100_000_000);
    assert!(config.context.thoughts);
    assert_eq!((config.context.max_diff, config.context.max_evidence), (256_000, 64_000));
    assert_eq!(config.workspace.setup, []);
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
max_file = "2 MB"
[context]
thoughts = false
max_diff = "1 MiB"
max_evidence = 10
[workspace]
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
        assert_eq!(config.limits.max_file, 2_000_000);
        assert!(!config.context.thoughts);
        assert_eq!((config.context.max_diff, config.context.max_evidence), (1_048_576, 10));
        assert_eq!(config.workspace.setup, [words(&["npm", "ci"])]);
    };
    check(&config);
    let listing = config.listing();
    let lines: Vec<_> = listing.iter().map(|l| format!("{} = {}\n", l.key, l.value)).collect();
    check(&layers().project(&lines.concat()).config());
    assert_eq!(config.origin(&["workspace", "setup"]).to_string(), "agentd/config.toml:19");
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
    assert!(
        error.contains("`limits.max_cost_usd` is `-1`, but must be a non-negative number"),
        "{error}"
    );
    assert!(error.contains("(from --max-cost)"), "{error}");
}

#[test]
fn what_is_wrong_in_a_section_is_said_with_its_place_and_help() {
    for (text, place, message, help) in [
        (
            "[verify]\ncommands = \"cargo test\"",
            "2:12",
            "`verify.commands` is text, but must be a list of commands, each a text or a list of texts",
            "write [\"cargo test\", [\"npm\", \"test\"]]",
        ),
        ("[verify]\ncommands = [1]", "2:12", "`verify.commands` holds a number, but", "write"),
        ("[verify]\ncommands = [\" \"]", "2:12", "`verify.commands` is ` `, but", "write"),
        ("[verify]\nsecurity = [[]]", "2:12", "`verify.security` is `[]`, but", "write"),
        ("[verify]\ncommands = [[\"a\", 2]]", "2:12", "`verify.commands` holds a number", "write"),
        (
            "[workspace]\nsetup = [\"a\\u0000\"]",
            "2:9",
            "`workspace.setup` contains a NUL",
            "remove it",
        ),
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
        ("[context]\nthoughts = 1", "2:12", "`context.thoughts` is a number, but", "write true"),
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

/// Gives the agent of a phase and why it is that one, where some are installed.
fn chosen(config: &Config, phase: Phase, installed: &[&str]) -> (String, String) {
    let chosen = config.choose(phase, None, only(installed)).expect("an agent");
    (chosen.agent.name.clone(), chosen.reason.to_string())
}

fn pair(agent: &str, reason: &str) -> (String, String) {
    (agent.to_owned(), reason.to_owned())
}

#[test]
fn a_default_that_is_not_installed_gives_way_to_the_first_that_is() {
    let config = layers().config();
    for (phase, default) in [(Phase::Plan, "claude"), (Phase::Review, "codex")] {
        let all = ["gemini", "copilot", "codex", "claude"];
        assert_eq!(chosen(&config, phase, &all), pair(default, "from default"));
    }
    for (installed, agent) in
        [(&["copilot", "codex"][..], "codex"), (&["gemini", "copilot"], "copilot")]
    {
        let expected = pair(agent, "`claude` is not installed");
        assert_eq!(chosen(&config, Phase::Archive, installed), expected);
    }
    let expected = pair("gemini", "`codex` is not installed");
    assert_eq!(chosen(&config, Phase::Challenge, &["gemini"]), expected);
    assert_eq!(CANDIDATES, ["claude", "codex", "copilot", "gemini"]);
    for role in Role::ALL {
        let agent = &config.for_role(*role).expect("an agent").name;
        let expected = if *role == Role::Reviewer { "codex" } else { "claude" };
        assert_eq!(agent, expected, "{role:?}");
    }
}

#[test]
fn a_judge_is_of_another_vendor_than_the_author_where_there_is_one() {
    let config = layers().user("[agents.second]\ncli = \"claude\"\n").config();
    let judge = |author: &str, installed: &[&str]| {
        let author = config.agent(author).expect("an agent");
        let chosen = config.choose(Phase::Review, Some(author), only(installed));
        let chosen = chosen.expect("an agent");
        (chosen.agent.name.clone(), chosen.reason.to_string())
    };
    let all = ["claude", "codex", "copilot", "gemini"];
    assert_eq!(judge("claude", &all), pair("codex", "from default"));
    assert_eq!(judge("codex", &all), pair("claude", "from another vendor than `codex`"));
    let expected = pair("copilot", "`codex` is not installed");
    assert_eq!(judge("claude", &["claude", "gemini", "copilot"]), expected);
    assert_eq!(judge("second", &["claude", "copilot"]), expected, "the same CLI is one vendor");
    assert_eq!(judge("claude", &["claude"]), pair("claude", "`codex` is not installed"));
    assert_eq!(judge("codex", &["codex"]), pair("codex", "from default"));
    let named = layers().user("phases.review = \"claude\"").config();
    let author = named.agent("claude").expect("an agent");
    let kept = named.choose(Phase::Review, Some(author), only(&all)).expect("an agent");
    assert_eq!(kept.agent.name, "claude", "whom somebody named stands");
}

#[test]
fn an_agent_that_somebody_named_stands_whether_installed_or_not() {
    for (config, reason) in [
        (layers().user("phases.plan = \"gemini\"").config(), "from your configuration"),
        (layers().project("phases.plan = \"gemini\"").config(), "from agentd/config.toml"),
        (layers().variables(&[("AGENTD_AGENT", "gemini")]).config(), "from AGENTD_AGENT"),
        (layers().flag("--agent", &["phases", "plan"], "gemini").config(), "from --agent"),
    ] {
        let (agent, why) = chosen(&config, Phase::Plan, &["claude"]);
        assert!(agent == "gemini" && why == reason, "{agent} {why}");
    }
}

#[test]
fn the_offline_agent_is_never_chosen_unasked_and_no_agent_is_an_error() {
    let config = layers().config();
    let error = config.choose(Phase::Review, None, only(&["offline"])).expect_err("no agent");
    assert_eq!(error, ChoiceError::NoneInstalled { preferred: "codex".to_owned() });
    let disguised = layers().user("agents.claude.cli = \"offline\"").config();
    assert_eq!(disguised.agents["claude"].protocol, Protocol::Offline);
    assert!(disguised.choose(Phase::Review, None, only(&["claude"])).is_err());
}

#[test]
fn agents_run_commands_where_they_write_code_unless_their_permissions_are_set() {
    let mut config = layers().user("agents.codex.permissions = \"write\"").config();
    let level = |config: &Config, agent: &str, phase| {
        config.agents[agent].permissions_in(CATALOG.step(phase))
    };
    assert_eq!(level(&config, "claude", Phase::Implement), Permissions::Write);
    config.permit_commands();
    assert_eq!(level(&config, "claude", Phase::Implement), Permissions::Shell);
    assert_eq!(level(&config, "codex", Phase::Implement), Permissions::Write, "you said so");
    for (phase, expected) in [
        (Phase::Plan, Permissions::Write),
        (Phase::Challenge, Permissions::Read),
        (Phase::Review, Permissions::Read),
        (Phase::Archive, Permissions::Write),
    ] {
        assert_eq!(level(&config, "claude", phase), expected, "{phase:?}");
    }
    let team = CATALOG.flow("team").expect("a flow");
    for step in team.steps.iter().filter(|step| step.prompt.is_some()) {
        let runs = config.agents["claude"].permissions_in(step) == Permissions::Shell;
        assert_eq!(runs, ["coders", "fix"].contains(&step.name.as_ref()), "{}", step.name);
    }
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
             max_tokens = {rounds}\nmax_file = \"{} MB\"\n[team]\nmax_parallel = {rounds}\nreview_rounds = {rounds}\n\
             [agents.claude]\nretries = {rounds}\n",
            30 * rounds
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
        "limits.max_file",
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
        "# moved\n[workspace]\nsetup = [\"w\"]\n[verify]\nsecurity = [\"s\"]\ncommands = [\"b\"]\n",
    );
    let told: Vec<_> = after
        .fingerprint()
        .changes_since(&before.fingerprint())
        .iter()
        .map(|change| format!("{} {}", change.word(), change.key()))
        .collect();
    assert_eq!(
        told,
        ["removed agents.claude.env.KEY", "changed verify.commands", "added workspace.setup"]
    );
    let kept = serde_json::to_string(&before.fingerprint()).expect("JSON");
    assert!(!kept.contains("hunter2!"), "{kept}");
    assert_eq!(before.fingerprint().sha256.len(), 64);
    assert_ne!(before.fingerprint().sha256, after.fingerprint().sha256);
}
