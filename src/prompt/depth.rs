//! Which rules a task gets, by its depth in the tree of tasks.

use serde_json::Value;

/// The rules for a depth: a template and the values it takes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) template: &'static str,
    pub(super) values: Vec<(&'static str, String)>,
}

/// Chooses the rules for `{depth, max_depth, max_steps}`, which default to 0, 2 and 20. The deepest level is
/// looked at first: where nothing may be split at all, the root is the place to do the work.
pub(super) fn rules(data: &Value) -> Result<Rules, String> {
    let depth = number(data, "depth", 0)?;
    let max_depth = number(data, "max_depth", 2)?;
    let max_steps = number(data, "max_steps", 20)?;
    Ok(if depth >= max_depth {
        Rules { template: "execution-focus", values: Vec::new() }
    } else if depth == 0 {
        Rules {
            template: "plan-structure-guide",
            values: vec![("max_steps", max_steps.to_string())],
        }
    } else {
        let values =
            vec![("current_depth", depth.to_string()), ("max_depth", max_depth.to_string())];
        Rules { template: "controlled-splitting", values }
    })
}

fn number(data: &Value, key: &str, default: u64) -> Result<u64, String> {
    match data.get(key) {
        None | Some(Value::Null) => Ok(default),
        Some(value) => {
            value.as_u64().ok_or_else(|| format!("`{key}` is {value}, not a whole number"))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn chosen(data: &Value) -> (&'static str, Vec<String>) {
        let rules = rules(data).unwrap();
        (rules.template, rules.values.into_iter().map(|(_, value)| value).collect())
    }

    #[test]
    fn the_deepest_level_is_looked_at_first() {
        let texts =
            |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
        assert_eq!(chosen(&json!({})), ("plan-structure-guide", texts(&["20"])));
        assert_eq!(chosen(&json!({ "max_depth": 0 })), ("execution-focus", texts(&[])));
        assert_eq!(chosen(&json!({ "depth": 1 })), ("controlled-splitting", texts(&["1", "2"])));
        assert_eq!(chosen(&json!({ "depth": 2 })), ("execution-focus", texts(&[])));
        assert_eq!(chosen(&json!({ "depth": 9, "max_depth": 3 })), ("execution-focus", texts(&[])));
        assert_eq!(chosen(&json!({ "max_steps": 5 })), ("plan-structure-guide", texts(&["5"])));
        assert!(rules(&json!({ "depth": "one" })).unwrap_err().contains("`depth`"));
        assert!(rules(&json!({ "depth": -1 })).is_err());
    }
}
