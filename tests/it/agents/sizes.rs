//! How large a prompt may be: checked before anything is run.

use agentd::models::agent::{AgentSettings, Protocol, Shape};
use agentd::orchestrator::agents::AgentError;

use super::recording::CLIS;
use super::request::{ask, asking};

/// Gives the message with which a prompt is refused, or nothing where it is taken.
fn refused(cli: &str, prompt: &str) -> Option<String> {
    match ask(cli).prompt(prompt).result() {
        Ok(invocation) => {
            assert_eq!(invocation.stdin.len(), prompt.len());
            None
        }
        Err(AgentError::PromptTooLarge { message }) => Some(message),
        Err(other) => panic!("{cli}: {other}"),
    }
}

#[test]
fn each_cli_has_the_limit_that_it_has() {
    let mib = 1024 * 1024;
    for (cli, piece, most, says) in [
        ("claude", "a", 10 * mib, "it has 10485761 bytes, and the agent's limit is 10485760"),
        ("claude", "é", 5 * mib, "it has 10485762 bytes, and the agent's limit is 10485760"),
        ("gemini", "a", 4_190_000, "it has 4190001 UTF-16 units, and the agent's limit is 4190000"),
        (
            "gemini",
            "😀",
            2_095_000,
            "it has 4190002 UTF-16 units, and the agent's limit is 4190000",
        ),
        ("gemini", "中", 8 * mib / 3, "it has 8388609 bytes, and the agent's limit is 8388608"),
        ("codex", "a", mib, "it has 1048577 characters, and the agent's limit is 1048576"),
        ("codex", "😀", mib, "it has 1048577 characters, and the agent's limit is 1048576"),
    ] {
        let prompt = piece.repeat(most);
        assert_eq!(refused(cli, &prompt), None, "{cli} {piece}");
        assert_eq!(refused(cli, &(prompt + piece)).as_deref(), Some(says), "{cli} {piece}");
    }
    // How much Copilot takes is up to the model.
    assert_eq!(refused("copilot", &"a".repeat(12 * mib)), None);
}

#[test]
fn what_gemini_gets_is_measured_with_its_backslashes() {
    let prompt = "@x".repeat(4_190_000 / 3);
    let taken = ask("gemini").prompt(&prompt).invocation().stdin;
    assert_eq!(taken.len(), prompt.len() / 2 * 3);
    let error = ask("gemini").prompt(&(prompt + "@x")).result().expect_err("too large");
    assert!(matches!(error, AgentError::PromptTooLarge { .. }), "{error}");
}

#[test]
fn the_configuration_can_allow_less_but_not_more() {
    for cli in CLIS {
        let asked = ask(cli).prompt("1234567890").set(|settings| settings.max_prompt = Some(10));
        assert!(asked.result().is_ok(), "{cli}");
        let error = asked.prompt("12345678901").result().expect_err(cli);
        let message = "it has 11 bytes, and `max_prompt` allows 10".to_owned();
        assert_eq!(error, AgentError::PromptTooLarge { message }, "{cli}");
    }
    let more = ask("codex").set(|settings| settings.max_prompt = Some(1 << 40));
    assert!(more.prompt(&"a".repeat(1_048_577)).result().is_err());
    let described = AgentSettings::new("mine", Protocol::Described(Shape::default()));
    let described = asking(described).set(|settings| settings.max_prompt = Some(3));
    assert!(described.clone().prompt("123").result().is_ok());
    assert!(described.prompt("1234").result().is_err());
}
