//! The configuration: its keys, its layers, where values come from, and what is said of what is wrong.

use std::path::Path;
use std::time::Duration;

use agentd::config::{Config, ConfigError, Inputs, Layer, Override, Source, overrides};
use agentd::models::agent::{Delivers, Format, Lines, Permissions, Protocol};
use agentd::{Agent, Phase};

/// A configuration in the making.
#[derive(Default)]
pub(crate) struct Layers {
    files: Vec<Source>,
    overrides: Vec<Override>,
}

pub(crate) fn layers() -> Layers {
    Layers::default()
}

impl Layers {
    pub(crate) fn user(self, text: &str) -> Self {
        self.file(Layer::User, "/home/me/.config/agentd/config.toml", text)
    }

    pub(crate) fn project(self, text: &str) -> Self {
        self.file(Layer::Project, "agentd/config.toml", text)
    }

    fn file(mut self, layer: Layer, name: &str, text: &str) -> Self {
        self.files.push(Source { layer, name: name.to_owned(), text: text.to_owned() });
        self
    }

    pub(crate) fn variables(mut self, variables: &[(&str, &str)]) -> Self {
        self.overrides.extend(overrides(variables.iter().copied()));
        self
    }

    pub(crate) fn flag(mut self, name: &str, path: &[&str], value: &str) -> Self {
        self.overrides.push(Override::flag(name, path, value));
        self
    }

    pub(crate) fn result(self) -> Result<Config, ConfigError> {
        Config::new(&Inputs {
            files: self.files,
            overrides: self.overrides,
            root: Path::new("/home/me/shop"),
            executable: Path::new("/usr/bin/agentd"),
        })
    }

    pub(crate) fn config(self) -> Config {
        self.result().unwrap_or_else(|error| panic!("{error}"))
    }

    pub(crate) fn error(self) -> String {
        self.result().expect_err("an error").to_string()
    }
}

/// Checks a project's file that is wrong in one way.
fn wrong(text: &str) -> String {
    layers().project(text).error()
}

#[test]
fn without_a_file_the_built_in_agents_and_phases_are_there() {
    let config = layers().config();
    let names: Vec<_> = config.agents.keys().map(String::as_str).collect();
    assert_eq!(names, ["claude", "codex", "copilot", "gemini", "offline"]);
    let agents =
        Phase::ALL.iter().map(|phase| config.for_phase(*phase).expect("an agent").name.as_str());
    assert_eq!(agents.collect::<Vec<_>>(), ["claude", "codex", "claude", "codex", "claude"]);
    let claude = config.agent("claude").expect("claude");
    assert_eq!(claude.protocol, Protocol::Claude);
    assert_eq!(claude.family, Agent::Claude);
    assert_eq!(claude.command, ["claude"]);
    assert_eq!(claude.timeout, Duration::from_mins(30));
    assert_eq!(claude.idle_timeout, None);
    assert_eq!(claude.permissions, Permissions::Write);
    assert_eq!(
        (claude.retries, claude.max_prompt, claude.env_clear, claude.isolated),
        (2, None, false, false)
    );
    assert_eq!(claude.delivers, Delivers::Files);
    let offline = config.agent("offline").expect("offline");
    assert_eq!(offline.command, ["/usr/bin/agentd", "offline-agent"]);
    assert_eq!((&offline.protocol, offline.family), (&Protocol::Offline, Agent::Base));
    assert_eq!(config.agent("copilot").expect("copilot").family, Agent::Base);
    assert!(config.prices.is_empty());
}

#[test]
fn every_key_of_an_agent_is_read() {
    let config = layers()
        .project(
            r#"
[agents.fast]
cli = "claude"
command = ["npx", "claude"]
model = "haiku"
args = ["--verbose"]
env = { LANG = "C", EMPTY = "" }
env_clear = true
env_pass = ["PATH", "ANTHROPIC_*"]
timeout = "1h30m"
idle_timeout = 90
permissions = "shell"
isolated = true
max_prompt = "450 KB"
retries = 0
family = "codex"
"#,
        )
        .config();
    let agent = config.agent("fast").expect("an agent");
    assert_eq!(agent.protocol, Protocol::Claude);
    assert_eq!(agent.command, ["npx", "claude"]);
    assert_eq!(agent.model.as_deref(), Some("haiku"));
    assert_eq!(agent.args, ["--verbose"]);
    let env: Vec<_> =
        agent.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(env, [("EMPTY", ""), ("LANG", "C")]);
    assert!(agent.env_clear);
    assert_eq!(agent.env_pass, ["PATH", "ANTHROPIC_*"]);
    assert_eq!(agent.timeout, Duration::from_mins(90));
    assert_eq!(agent.idle_timeout, Some(Duration::from_secs(90)));
    assert_eq!(agent.permissions, Permissions::Shell);
    assert!(agent.isolated);
    assert_eq!(agent.max_prompt, Some(450_000));
    assert_eq!(agent.retries, 0);
    assert_eq!(agent.family, Agent::Codex);
}

#[test]
fn a_program_without_an_adapter_is_described() {
    let config = layers()
        .project(
            r#"
[agents.mine]
command = "bin/mine"
output = "jsonl"
text = "/message"
error = "/error/message"
lines = "joined"
delivers = "text"
[agents.mine.usage]
input = "/usage/in"
cache_read = "/usage/cr"
cache_write = "/usage/cw"
output = "/usage/out"
reasoning = "/usage/why"
cost_usd = "/usage/usd"
[agents.plain]
command = "cat"
[agents.writer]
command = "/opt/writer"
delivers = "files"
"#,
        )
        .config();
    let mine = config.agent("mine").expect("an agent");
    assert_eq!(mine.command, ["/home/me/shop/bin/mine"], "a path starts at the root");
    assert_eq!((mine.family, mine.delivers), (Agent::Base, Delivers::Text));
    let Protocol::Described(shape) = &mine.protocol else { panic!("{:?}", mine.protocol) };
    assert_eq!((shape.output, shape.lines), (Format::JsonLines, Lines::Joined));
    assert_eq!(shape.text.as_deref(), Some("/message"));
    assert_eq!(shape.error.as_deref(), Some("/error/message"));
    let usage = &shape.usage;
    let pointers = [
        &usage.input,
        &usage.cache_read,
        &usage.cache_write,
        &usage.output,
        &usage.reasoning,
        &usage.cost_usd,
    ];
    let pointers: Vec<_> = pointers.into_iter().filter_map(Option::as_deref).collect();
    assert_eq!(
        pointers,
        ["/usage/in", "/usage/cr", "/usage/cw", "/usage/out", "/usage/why", "/usage/usd"]
    );
    let plain = config.agent("plain").expect("an agent");
    assert_eq!(
        (plain.command.as_slice(), plain.delivers),
        (&["cat".to_owned()][..], Delivers::Nothing)
    );
    let writer = config.agent("writer").expect("an agent");
    assert_eq!(
        (writer.command.as_slice(), writer.delivers),
        (&["/opt/writer".to_owned()][..], Delivers::Files)
    );
}

#[test]
fn layers_lie_over_each_other_key_by_key_and_every_value_knows_its_origin() {
    let config = layers()
        .user(
            "[agents.claude]\nmodel = \"sonnet\"\nretries = 5\nidle_timeout = \"5m\"\n\
             [agents.claude.env]\nA = \"1\"\nB = \"1\"\n[phases]\nplan = \"claude\"\narchive = \"claude\"\n",
        )
        .project(
            "\n[agents.claude]\nmodel = \"opus\"\nidle_timeout = \"off\"\nenv.B = \"2\"\n\
             [phases]\nplan = \"copilot\"\nreview = \"copilot\"\n",
        )
        .variables(&[("AGENTD_AGENT_PLAN", "codex"), ("AGENTD_AGENT_REVIEW", "")])
        .flag("--agent", &["phases", "challenge"], "offline")
        .config();
    let claude = config.agent("claude").expect("claude");
    assert_eq!(claude.model.as_deref(), Some("opus"));
    assert_eq!(claude.retries, 5);
    assert_eq!(claude.idle_timeout, None);
    assert_eq!((claude.env["A"].as_str(), claude.env["B"].as_str()), ("1", "2"));
    let agents = Phase::ALL.iter().map(|phase| config.phases[phase].as_str());
    assert_eq!(agents.collect::<Vec<_>>(), ["codex", "offline", "claude", "copilot", "claude"]);
    let user = "/home/me/.config/agentd/config.toml";
    for (path, layer, shown) in [
        (&["agents", "claude", "model"][..], Layer::Project, "agentd/config.toml:3"),
        (&["agents", "claude", "retries"], Layer::User, &format!("{user}:3")),
        (&["agents", "claude", "env", "A"], Layer::User, &format!("{user}:6")),
        (&["agents", "claude", "env", "B"], Layer::Project, "agentd/config.toml:5"),
        (&["agents", "claude", "timeout"], Layer::Default, "default"),
        (&["phases", "plan"], Layer::Environment, "AGENTD_AGENT_PLAN"),
        (&["phases", "challenge"], Layer::Flag, "--agent"),
        (&["phases", "implement"], Layer::Default, "default"),
        (&["phases", "review"], Layer::Project, "agentd/config.toml:8"),
        (&["phases", "archive"], Layer::User, &format!("{user}:10")),
    ] {
        let origin = config.origin(path);
        assert_eq!((origin.layer(), origin.to_string().as_str()), (layer, shown), "{path:?}");
    }
}

#[test]
fn one_variable_sets_the_agent_of_every_phase_and_one_of_a_phase_is_stronger() {
    let variables = [("AGENTD_AGENT_REVIEW", "codex"), ("AGENTD_AGENT", "offline"), ("PATH", "x")];
    let config = layers().project("phases.plan = \"claude\"").variables(&variables).config();
    let agents = Phase::ALL.iter().map(|phase| config.phases[phase].as_str());
    assert_eq!(agents.collect::<Vec<_>>(), ["offline", "offline", "offline", "codex", "offline"]);
}

#[test]
fn the_listing_reads_back_as_the_same_configuration() {
    let text = "[agents.mine]\ncommand = [\"a b\", \"\\\"\\u007f\\u0001\\u200b\"]\noutput = \"json\"\ntext = \"/t\"\nusage.input = \"/i\"\n\
                [agents.codex]\ntimeout = 61\nidle_timeout = \"1h\"\nmax_prompt = \"1 KiB\"\nenv = { \"a.b\" = \"\\n\" }\n\
                [prices.\"m.1\"]\ninput = 1\noutput = 2.5\n";
    let config = layers().project(text).config();
    let listing = config.listing();
    let find = |key: &str| listing.iter().find(|listed| listed.key == key).expect("listed").clone();
    assert_eq!(find("agents.codex.env.\"a.b\"").value, "\"\\n\"");
    assert_eq!(find("agents.codex.timeout").value, "\"61s\"");
    assert_eq!(find("prices.\"m.1\".input").value, "1.0");
    assert_eq!(find("prices.\"m.1\".output").origin.to_string(), "agentd/config.toml:13");
    assert_eq!(find("agents.gemini.retries").origin.to_string(), "default");
    let lines: Vec<_> = listing.iter().map(|l| format!("{} = {}\n", l.key, l.value)).collect();
    let again = layers().project(&lines.concat()).config();
    assert_eq!(again.agents, config.agents);
    assert_eq!((again.phases, again.prices), (config.phases, config.prices));
}

#[test]
fn an_unknown_key_is_shown_in_its_line_with_what_was_meant() {
    let expected = "\
the configuration has errors
error: unknown key `comand` in `agents.claude`
 --> agentd/config.toml:3:1
  |
3 | comand = \"claude\"
  | ^^^^^^
  |
  = help: did you mean `command`?";
    assert_eq!(wrong("# ours\n[agents.claude]\ncomand = \"claude\"\n"), expected);
}

#[test]
fn everything_that_is_wrong_in_any_layer_is_told_once_from_top_to_bottom() {
    let error = layers()
        .user("[agents.claude]\ntimeout = \"soon\"\n")
        .project(
            "[agent.claude]\n[agents.claude]\ntimeout = \"30m\"\nretries = -1\noutput = \"json\"\n\
             permissions = \"reed\"\n[agents.mine]\nmodel = \"x\"\n[phases]\nplan = \"clade\"\n",
        )
        .variables(&[("AGENTD_AGENT_PLNA", "claude")])
        .flag("--timeout", &["agents", "claude", "timeout"], "soon")
        .error();
    let told: Vec<_> = error.lines().filter_map(|line| line.strip_prefix("error: ")).collect();
    assert_eq!(
        told,
        [
            "`agents.claude.timeout` is `soon`, but must be a duration",
            "unknown section `agent`",
            "`agents.claude.retries` is `-1`, but must be a whole number from 0 to 100",
            "`agents.claude.output` describes a program that is not a known CLI, but this agent is `claude`",
            "`agents.claude.permissions` is `reed`, but must be one of `read`, `write` or `shell`",
            "`agents.mine` has no `command`",
            "`phases.plan` is `clade`, but there is no such agent",
            "unknown key `plna` in `phases` (from AGENTD_AGENT_PLNA)",
            "`agents.claude.timeout` is `soon`, but must be a duration (from --timeout)",
        ]
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "it is a table")]
fn what_a_value_must_be_is_said_with_its_place_and_help() {
    for (text, place, message, help) in [
        (
            "[agents.claude]\ntimeout = true",
            "2:11",
            "`agents.claude.timeout` is true or false, but must be a duration",
            "write \"90s\", \"30m\", \"2h\" or a number of seconds",
        ),
        (
            "[agents.claude]\ntimeout = \"off\"",
            "2:11",
            "`agents.claude.timeout` is `off`, but must be a duration",
            "write \"90s\"",
        ),
        (
            "[agents.claude]\ntimeout = 0",
            "2:11",
            "`agents.claude.timeout` is `0`, but must be a duration",
            "write",
        ),
        (
            "[agents.claude]\nargs = [\"a\", 1]",
            "2:8",
            "`agents.claude.args` holds a number, but must be a list of texts",
            "write [\"one\", \"two\"]",
        ),
        (
            "[agents.claude]\nargs = \"a b\"",
            "2:8",
            "`agents.claude.args` is text, but must be a list of texts",
            "write [\"one\", \"two\"]",
        ),
        (
            "[agents.claude]\ncommand = []",
            "2:11",
            "`agents.claude.command` is `[]`, but must be a program, or a list",
            "write \"claude\" or [\"npx\", \"claude\"]",
        ),
        (
            "[agents.claude]\ncommand = \" \"",
            "2:11",
            "`agents.claude.command` is ` `, but must be a program",
            "write",
        ),
        (
            "[agents.claude]\nargs = [\"\\u0000\"]",
            "2:8",
            "`agents.claude.args` contains a NUL character",
            "remove it",
        ),
        (
            "[agents.claude]\nenv = { \"A=B\" = \"1\" }",
            "2:9",
            "`A=B` is not a name for a variable",
            "contains no `=`",
        ),
        (
            "[agents.claude]\nenv = { A = 1 }",
            "2:13",
            "`agents.claude.env.A` is a number, but must be text in quotes",
            "write \"text\"",
        ),
        (
            "[agents.claude]\nenv = \"A=1\"",
            "2:7",
            "`agents.claude.env` is text, but must be a table",
            "write { key = … }",
        ),
        (
            "[agents.claude]\nmodel = \"\"",
            "2:9",
            "`agents.claude.model` is ``, but must be text in quotes",
            "write \"text\"",
        ),
        (
            "[agents.claude]\nmax_prompt = \"2 GB\"",
            "2:14",
            "`agents.claude.max_prompt` is `2 GB`, but must be a number of bytes",
            "write \"450 KB\", \"2 MB\" or a number of bytes",
        ),
        (
            "[agents.claude]\ncli = \"cluade\"",
            "2:7",
            "`agents.claude.cli` is `cluade`, but must be one of `claude`, `gemini`, `codex`, `copilot` or `offline`",
            "did you mean `claude`?",
        ),
        (
            "[agents.claude]\nisolated = \"yes\"",
            "2:12",
            "`agents.claude.isolated` is text, but must be true or false",
            "write true",
        ),
        (
            "[agents.claude]\nmodel = \"--yolo\"",
            "2:9",
            "`agents.claude.model` is `--yolo`, which looks like an option",
            "does not start with `-`",
        ),
        (
            "[agents.Mine]\ncommand = \"x\"",
            "1:9",
            "`Mine` is not a name for an agent",
            "1 to 32 lower-case letters",
        ),
        (
            "[agents.m]\ncommand = \"x\"\noutput = \"json\"\ntext = \"result\"",
            "4:8",
            "`agents.m.text` is `result`, but must be a JSON pointer",
            "write \"/result/text\"",
        ),
        (
            "[agents.m]\ncommand = \"x\"\noutput = \"json\"",
            "3:10",
            "`agents.m` prints json, but has no `text`",
            "text = \"/result\"",
        ),
        (
            "[agents.m]\ncommand = \"x\"\ntext = \"/t\"",
            "3:8",
            "`agents.m.text` is only for JSON, but the program prints text",
            "add output = \"json\"",
        ),
        (
            "[agents.m]\ncommand = \"x\"\noutput = \"json\"\ntext = \"/t\"\nlines = \"last\"",
            "5:9",
            "`agents.m.lines` is only for JSON lines, but the program prints json",
            "add output = \"jsonl\"",
        ),
        (
            "[agents.m]\nmodel = \"x\"",
            "1:9",
            "`agents.m` has no `command`",
            "name its program, or say with `cli` that it is `claude`",
        ),
        (
            "[agents.claude]\ndelivers = \"text\"",
            "2:12",
            "`agents.claude.delivers` describes a program that is not a known CLI",
            "remove it",
        ),
        (
            "[agents.claude.usage]\ninput = \"/i\"",
            "1:16",
            "`agents.claude.usage` describes a program that is not a known CLI",
            "remove it",
        ),
        (
            "[phases]\nplan = \"nobody-at-all\"",
            "2:8",
            "`phases.plan` is `nobody-at-all`, but there is no such agent",
            "the agents are claude, codex, copilot, gemini, offline; describe another",
        ),
        (
            "[phases]\nplann = \"claude\"",
            "2:1",
            "unknown key `plann` in `phases`",
            "did you mean `plan`?",
        ),
        (
            "[prices.m]\noutput = 1",
            "1:9",
            "`prices.m` has no `input`",
            "in US dollars per million tokens",
        ),
        (
            "[prices.m]\ninput = nan\noutput = 1",
            "2:9",
            "`prices.m.input` is `nan`, but must be a non-negative number",
            "write 2.5",
        ),
        ("agents = 3", "1:10", "`agents` is a number, but must be a table", "write"),
        (
            "zebra = 3",
            "1:1",
            "unknown section `zebra`",
            "the keys here are `project`, `phases`, `roles`, `team`, `verify`, `limits`, `context`, `workspace`, `sandbox`, `agents` or `prices`",
        ),
    ] {
        let error = wrong(text);
        let told: Vec<_> = error.lines().filter(|line| line.starts_with("error: ")).collect();
        assert_eq!(told.len(), 1, "{text}\n{error}");
        assert!(told[0].starts_with(&format!("error: {message}")), "{message}\n{error}");
        assert!(error.contains(&format!("--> agentd/config.toml:{place}\n")), "{place}\n{error}");
        assert!(error.contains("\n  = help: ") && error.contains(help), "{help}\n{error}");
    }
}

#[test]
fn slips_of_syntax_are_all_told_and_nothing_that_follows_from_them() {
    let error = wrong(
        "[agents.claude]\nmodel = \"a\"\nmodel = \"b\"\nunknown = 1\n[phases\nplan = \"mine\"\n",
    );
    let told: Vec<_> = error.lines().filter_map(|line| line.strip_prefix("error: ")).collect();
    assert_eq!(
        told,
        ["this is not TOML: duplicate key", "this is not TOML: unclosed table, expected `]`"]
    );
    assert!(error.contains("--> agentd/config.toml:3:1\n"), "{error}");
    let other = layers().user("[agents.mine\n").project("phases.plan = \"mine\"").error();
    assert_eq!(other.matches("error: ").count(), 1, "{other}");
}

#[test]
fn an_agent_that_is_not_there_is_told_with_its_nearest_name() {
    let error = layers().config().agent("cluade").expect_err("no such agent");
    assert_eq!(error.to_string(), "there is no agent `cluade`");
    assert_eq!(error.help().as_deref(), Some("did you mean `claude`?"));
}

#[test]
fn a_built_in_cli_may_have_many_names() {
    let config =
        layers().project("[agents.a]\ncli = \"codex\"\n[agents.b]\ncli = \"offline\"\n").config();
    assert_eq!(config.agents["a"].command, ["codex"]);
    assert_eq!(
        (&config.agents["a"].protocol, config.agents["a"].family),
        (&Protocol::Codex, Agent::Codex)
    );
    assert_eq!(config.agents["b"].command, ["/usr/bin/agentd", "offline-agent"]);
}
