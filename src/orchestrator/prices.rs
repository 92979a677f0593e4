//! What models cost, where an agent does not report it: by the configuration, else by the list that ships with agentd.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::agents::assumed_model;
use crate::models::agent::AgentSettings;
use crate::models::usage::Price;

/// The prices that ship with agentd.
static SHIPPED: LazyLock<BTreeMap<String, Price>> =
    LazyLock::new(|| toml::from_str(include_str!("prices.toml")).unwrap_or_default());

/// Returns the price of the model that an agent said it used, or else the one that it was asked to use, or that its CLI is assumed to use.
pub fn price_of(
    agent: &AgentSettings,
    reported: Option<&str>,
    configured: &BTreeMap<String, Price>,
) -> Option<Price> {
    let model = reported.or(agent.model.as_deref()).or_else(|| assumed_model(&agent.protocol))?;
    let name = plain(model);
    [configured.get(model), configured.get(name), SHIPPED.get(name)]
        .into_iter()
        .flatten()
        .next()
        .copied()
}

/// Returns the model by whose price the calls of an agent are counted, although neither it nor the configuration names one.
pub fn assumed(agent: &AgentSettings) -> Option<&'static str> {
    assumed_model(&agent.protocol).filter(|_| agent.model.is_none())
}

/// Returns the name of a model without its provider, without the size of its context and without a date.
fn plain(model: &str) -> &str {
    let name = model.rsplit('/').next().unwrap_or(model);
    let name = name.split('[').next().unwrap_or(name);
    let is_date = |text: &str| {
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        digits == 8 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    };
    // `-20251001` or `-2025-10-01`.
    let dated = [9, 11]
        .into_iter()
        .filter_map(|length| name.split_at_checked(name.len().checked_sub(length)?));
    let mut dated = dated.filter(|(_, end)| end.strip_prefix('-').is_some_and(is_date));
    dated.next().map_or(name, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::agent::Protocol;

    #[test]
    fn every_price_that_ships_can_be_read() {
        let lines = include_str!("prices.toml").lines().filter(|line| line.starts_with('"'));
        assert_eq!(SHIPPED.len(), lines.count());
        assert!(SHIPPED.values().all(|price| price.input > 0.0 && price.output >= price.input));
    }

    #[test]
    fn a_model_is_found_whatever_is_added_to_its_name() {
        for (model, name) in [
            ("claude-haiku-4-5-20251001", "claude-haiku-4-5"),
            ("gpt-5.4-2026-03-05", "gpt-5.4"),
            ("claude-opus-4-8[1m]", "claude-opus-4-8"),
            ("anthropic/claude-sonnet-5", "claude-sonnet-5"),
            ("gpt-5.6", "gpt-5.6"),
            ("o3", "o3"),
        ] {
            assert_eq!(plain(model), name);
            assert!(SHIPPED.contains_key(name), "{name}");
        }
    }

    #[test]
    fn what_is_configured_comes_first_and_a_model_that_is_named_before_an_assumed_one() {
        let mut agent = AgentSettings::new("codex", Protocol::Codex);
        let none = BTreeMap::new();
        assert_eq!(assumed(&agent), assumed_model(&Protocol::Codex));
        let own = Price { input: 1.0, output: 2.0, ..Price::default() };
        let configured = BTreeMap::from([("gpt-5.4".to_owned(), own)]);
        assert_eq!(price_of(&agent, Some("gpt-5.4"), &configured), Some(own));
        assert_eq!(price_of(&agent, Some("gpt-5.4"), &none), SHIPPED.get("gpt-5.4").copied());
        agent.model = Some("unheard-of".to_owned());
        assert_eq!((price_of(&agent, None, &none), assumed(&agent)), (None, None));
    }

    #[test]
    fn a_model_that_a_cli_is_assumed_to_use_has_a_price() {
        for protocol in [Protocol::Claude, Protocol::Gemini, Protocol::Codex, Protocol::Copilot] {
            let model = assumed_model(&protocol);
            assert!(model.is_none_or(|model| SHIPPED.contains_key(model)), "{model:?}");
        }
    }
}
