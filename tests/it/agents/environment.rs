//! What an agent sees of agentd's own environment.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use agentd::models::agent::{AgentSettings, Protocol, Shape};
use agentd::models::run::Invocation;
use agentd::orchestrator::agents::{Request, adapter};

use super::recording::CLIS;
use super::request::{Asked, ask, asking};

/// A key of each vendor, and what else is in a usual environment.
const USUAL: [(&str, &str); 19] = [
    ("ANTHROPIC_API_KEY", "a"),
    ("ANTHROPIC_BASE_URL", "http://localhost"),
    ("AWS_PROFILE", "work"),
    ("AZURE_OPENAI_API_KEY", "z"),
    ("CLAUDE_CODE_OAUTH_TOKEN", "t"),
    ("CODEX_API_KEY", "c"),
    ("COPILOT_GITHUB_TOKEN", "p"),
    ("EDITOR", "vi"),
    ("GEMINI_API_KEY", "g"),
    ("GH_TOKEN", "h"),
    ("GITHUB_ACTIONS", "true"),
    ("GITHUB_TOKEN", "h"),
    ("GOOGLE_API_KEY", "o"),
    ("GOOGLE_CLOUD_PROJECT", "shop"),
    ("HOME", "/home/me"),
    ("HTTPS_PROXY", "http://proxy"),
    ("LC_ALL", "C.UTF-8"),
    ("OPENAI_API_KEY", "e"),
    ("PATH", "/usr/bin"),
];

/// Gives the names of the variables that came from outside.
fn seen(asked: &Asked) -> Vec<String> {
    let names = asked.variables().into_iter();
    let names = names.map(|variable| variable.split('=').next().unwrap_or_default().to_owned());
    names.filter(|name| USUAL.iter().any(|(usual, _)| usual == name)).collect()
}

#[test]
fn an_agent_sees_what_everybody_may_see_and_the_variables_of_its_own_vendor() {
    let all = ["AWS_PROFILE", "EDITOR", "GITHUB_ACTIONS", "HOME", "HTTPS_PROXY", "LC_ALL", "PATH"];
    let described = AgentSettings::new("mine", Protocol::Described(Shape::default()));
    for (asked, own) in [
        (
            ask("claude"),
            &["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"][..],
        ),
        (ask("gemini"), &["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT"]),
        (ask("codex"), &["AZURE_OPENAI_API_KEY", "CODEX_API_KEY", "OPENAI_API_KEY"]),
        (ask("copilot"), &["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"]),
        (asking(described), &[]),
    ] {
        let mut expected = [&all, own].concat();
        expected.sort_unstable();
        let name = asked.settings.name.clone();
        assert_eq!(seen(&asked.environment(&USUAL)), expected, "{name}");
    }
}

#[test]
fn claude_on_vertex_sees_googles_variables_but_not_the_keys_of_gemini() {
    let usual = ask("claude").environment(&USUAL);
    for vertex in [
        usual.clone().environment(&[("CLAUDE_CODE_USE_VERTEX", "1")]),
        usual.clone().set(|settings| {
            settings.env.insert("CLAUDE_CODE_USE_VERTEX".to_owned(), "1".to_owned());
        }),
    ] {
        let mut expected = seen(&usual);
        expected.push("GOOGLE_CLOUD_PROJECT".to_owned());
        expected.sort_unstable();
        assert_eq!(seen(&vertex), expected);
    }
}

#[test]
fn what_env_pass_names_is_seen_of_other_vendors_too() {
    for cli in CLIS {
        let asked = ask(cli).environment(&USUAL);
        let more = asked.clone().set(|settings| {
            settings.env_pass = vec!["OPENAI_API_KEY".to_owned(), "GEMINI_*".to_owned()];
        });
        let mut expected = seen(&asked);
        expected.extend(["OPENAI_API_KEY".to_owned(), "GEMINI_API_KEY".to_owned()]);
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(seen(&more), expected, "{cli}");
    }
}

#[test]
fn under_env_clear_only_what_is_named_is_seen() {
    for cli in CLIS {
        let cleared = ask(cli).environment(&USUAL).set(|settings| settings.env_clear = true);
        assert_eq!(seen(&cleared), ["HOME", "LC_ALL", "PATH"], "{cli}");
        let named = cleared.set(|settings| {
            settings.env_pass = ["*_API_KEY", "EDITOR"].map(str::to_owned).into();
        });
        assert_eq!(
            seen(&named),
            [
                "ANTHROPIC_API_KEY",
                "AZURE_OPENAI_API_KEY",
                "CODEX_API_KEY",
                "EDITOR",
                "GEMINI_API_KEY",
                "GOOGLE_API_KEY",
                "HOME",
                "LC_ALL",
                "OPENAI_API_KEY",
                "PATH"
            ],
            "{cli}"
        );
    }
}

#[test]
fn seed_004_r3_no_setting_lets_a_system_prompt_or_a_session_through_the_environment() {
    let dangerous = [
        "GEMINI_SYSTEM_MD",
        "GEMINI_WRITE_SYSTEM_MD",
        "CLAUDE_CODE_SYSTEM_PROMPT",
        "CLAUDE_AGENT",
        "CLAUDE_CODE_AGENT",
        "CLAUDE_CODE_EXTRA_BODY",
        "COPILOT_CUSTOM_INSTRUCTIONS_DIRS",
        "CLAUDE_SESSION_ID",
        "CLAUDE_CODE_RESUME_FROM_SESSION",
        "CODEX_SESSION_ID",
        "COPILOT_SESSION_ID",
        "COPILOT_ALLOW_ALL",
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "GEMINI_CLI",
        "CODEX_SANDBOX_NETWORK_DISABLED",
        "CODEX_THREAD_ID",
        "AI_AGENT",
    ];
    let variables = dangerous.map(|name| (name, "x"));
    for cli in CLIS {
        for clear in [false, true] {
            let asked = ask(cli).environment(&variables).set(|settings| {
                settings.env_clear = clear;
                settings.env_pass = vec!["*".to_owned()];
                settings.env_pass.extend(dangerous.map(str::to_owned));
            });
            for variable in asked.variables() {
                assert!(!variable.ends_with("=x"), "{cli}: {variable}");
            }
        }
    }
}

#[test]
fn the_configuration_beats_what_is_inherited_and_agentd_beats_both() {
    let asked = ask("claude")
        .environment(&[("EDITOR", "vi"), ("DISABLE_TELEMETRY", "0"), ("TERM", "dumb")])
        .set(|settings| {
            for (name, value) in [("EDITOR", "ed"), ("DISABLE_TELEMETRY", "no"), ("NEW", "1")] {
                settings.env.insert(name.to_owned(), value.to_owned());
            }
        });
    let variables = asked.variables();
    for expected in ["EDITOR=ed", "DISABLE_TELEMETRY=1", "NEW=1", "TERM=dumb"] {
        assert!(variables.contains(&expected.to_owned()), "{expected}: {variables:?}");
    }
    let mut names: Vec<_> = variables.iter().filter_map(|text| text.split('=').next()).collect();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count, "{variables:?}");
}

#[test]
fn a_name_that_is_no_text_is_passed_on_unless_the_environment_is_cleared() {
    let name = OsString::from_vec(vec![b'N', 0xff]);
    let environment = [(name.clone(), OsString::from("v"))];
    let run = |clear: &str| -> Invocation {
        let mut settings = ask("codex").settings;
        settings.env_clear = clear == "cleared";
        settings.env_pass = vec!["*".to_owned()];
        let request = Request {
            settings: &settings,
            prompt: "x",
            permissions: agentd::models::agent::Permissions::Read,
            workspace: "/shop".as_ref(),
            extra_folder: None,
            run_folder: "/run".as_ref(),
            environment: &environment,
            server: None,
            is_confined: false,
            tools: &[],
        };
        adapter(&settings.protocol).invocation(&request).expect("an invocation")
    };
    assert!(run("whole").env.iter().any(|(given, _)| *given == name));
    assert!(!run("cleared").env.iter().any(|(given, _)| *given == name));
}
