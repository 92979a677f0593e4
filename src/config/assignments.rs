//! Finds what a text assigns to names, even where the text is no TOML: what is wrong with a file is shown with its line,
//! and a secret in it must be known to be hidden.

use std::collections::BTreeSet;

use super::error::Fault;

/// Returns every name with its value in the texts that faults are in.
pub(super) fn in_sources_of(faults: &[Fault]) -> BTreeSet<(String, String)> {
    let texts: BTreeSet<&str> =
        faults.iter().map(|fault| fault.place.source.text.as_str()).collect();
    texts.into_iter().flat_map(str::lines).flat_map(in_line).collect()
}

/// Finds the assignments of a line, of which an inline table has several.
fn in_line(line: &str) -> impl Iterator<Item = (String, String)> {
    line.match_indices('=').filter_map(|(at, _)| {
        let before = line[..at].trim_end().trim_end_matches(QUOTES);
        let name = &before[before.trim_end_matches(is_name).len()..];
        let value = value(line[at + 1..].trim_start());
        let found = !name.is_empty() && !value.is_empty();
        found.then(|| (name.to_owned(), value.to_owned()))
    })
}

const QUOTES: [char; 2] = ['"', '\''];

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// Takes a value up to its closing quote, or up to the end of the line where there is none.
fn value(text: &str) -> &str {
    let Some(quote) = text.chars().next().filter(|first| QUOTES.contains(first)) else {
        let end = text.find(|c: char| c.is_whitespace() || ",}".contains(c));
        return &text[..end.unwrap_or(text.len())];
    };
    let inner = text.trim_start_matches(quote);
    &inner[..inner.find(quote).unwrap_or(inner.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_however_they_are_written() {
        let found = |line| in_line(line).collect::<Vec<_>>();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(found("API_KEY = \"hunter2\" # x"), [pair("API_KEY", "hunter2")]);
        assert_eq!(
            found("env = { A_KEY = 'one', \"B\"=\"two\" }"),
            [pair("env", "{"), pair("A_KEY", "one"), pair("B", "two"),]
        );
        assert_eq!(
            found("agents.x.env.API_KEY = \"never closed"),
            [pair("API_KEY", "never closed")]
        );
        assert_eq!(found("KEY = bare, x"), [pair("KEY", "bare")]);
        assert_eq!(found("é= \"x\" éa = 1"), [pair("a", "1")]);
        assert_eq!(found("= 3"), []);
    }
}
