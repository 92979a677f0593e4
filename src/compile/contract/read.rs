//! Reads the contracts from TOML. Everything that is wrong with the file is reported at its place.

use super::{Contract, ContractFaults, Contracts, Phrase, Presence, SessionFile, Teaching};
use crate::compile::diagnostic::quoted;
use crate::compile::fields::{FieldReader, Terms, get, meant};
use crate::compile::flow::{FlowCode, sorted};
use crate::compile::report::{Colors, cargo_lines, listing};
use crate::compile::source::{Folder, Sources};
use crate::flow::Outcome;
use crate::template::lexer::is_name;
use crate::template::{
    Command, Dialect, Node as Parsed, Part, Phase, Placeholder, Role, Span, TeamPrompt, Variable,
    parse,
};
use crate::text::field::{Field, optional, required};
use crate::text::node::{Entry, Node, Value};
use crate::text::toml;

const TERMS: Terms<FlowCode> = Terms {
    map: "a table",
    syntax: FlowCode::Syntax,
    unknown: FlowCode::UnknownKey,
    missing: FlowCode::MissingKey,
    wrong: FlowCode::WrongValue,
};

const KEYS: [Field; 7] = [
    required("given", "the files that agentd itself writes"),
    required("patterns", "the files that placeholders in paths refer to"),
    required("groups", "columns that prompts share"),
    required("phases", "the contracts of system templates"),
    required("roles", "the contracts of roles"),
    required("commands", "the contracts of commands"),
    required("context", "the contract of `context.md`"),
];

const GROUPS: Field = optional("groups", "the groups whose columns are read first");

/// A column of a contract, and how it is read.
struct Column {
    name: &'static str,
    about: &'static str,
    read: fn(&mut Reader<'_>, &Node, &'static str, &mut Contract),
}

const COLUMNS: [Column; 12] = [
    column("sections", "headings of level 2", |reader, node, name, to| {
        reader.texts(node, name, &mut to.sections);
    }),
    column("required", "the values that the prompt must use", |reader, node, name, to| {
        reader.values(node, name, &mut to.required);
    }),
    column("optional", "the values that it may also use", |reader, node, name, to| {
        reader.values(node, name, &mut to.optional);
    }),
    column("values_in", "the section in which they belong", |reader, node, name, to| {
        to.values_in = reader.fields.text(node, name).map(str::to_owned);
    }),
    column("fragments", "the fragments that it must include", |reader, node, name, to| {
        reader.texts(node, name, &mut to.fragments);
    }),
    column("files", "the session files that it must include", |reader, node, name, to| {
        reader.files(node, name, to);
    }),
    column("leaves", "the files that a step with this prompt leaves", |reader, node, name, to| {
        reader.texts(node, name, &mut to.leaves);
    }),
    column("anew", "those of them that are written anew", |reader, node, name, to| {
        reader.texts(node, name, &mut to.anew);
    }),
    column("handed_in", "the files that show that work is handed in", |reader, node, name, to| {
        reader.texts(node, name, &mut to.handed_in);
    }),
    column("ends", "how a step with this prompt can end", |reader, node, name, to| {
        to.ends = reader.fields.words(node, name, Outcome::WORDS, Outcome::from_word);
    }),
    column("speaks_of", "phrases that it must contain", |reader, node, name, to| {
        to.speaks_of.extend(reader.phrases(node, name));
    }),
    column("teaches", "the same, grouped by what they explain", |reader, node, name, to| {
        reader.teaches(node, name, to);
    }),
];

const fn column(
    name: &'static str,
    about: &'static str,
    read: fn(&mut Reader<'_>, &Node, &'static str, &mut Contract),
) -> Column {
    Column { name, about, read }
}

/// Reads all contracts, or returns what is wrong with them.
pub(super) fn read(text: &str) -> Result<Contracts, ContractFaults> {
    let mut sources = Sources::new("templates");
    let path = "templates/contract.toml";
    let file = sources.add_as(Folder::Elsewhere, "contract.toml", path.to_owned(), text.into());
    let whole = sources.first_line(file).span;
    let mut found = Vec::new();
    let mut fields = FieldReader { offset: 0, file, found: &mut found, terms: TERMS };
    let contracts = match toml::parse(text) {
        Ok(entries) => {
            fields.keys(&entries, &KEYS, "the file", whole);
            let groups = tables(&mut fields, &entries, "groups");
            Reader { fields, words: &[], groups, used: Vec::new() }.contracts(&entries)
        }
        Err(slips) => {
            for slip in slips {
                fields.syntax(slip);
            }
            None
        }
    };
    let found = sorted(found, &sources);
    contracts.filter(|_| found.is_empty()).ok_or_else(|| ContractFaults {
        cargo: cargo_lines(&found, &sources),
        report: listing::<FlowCode, FlowCode>(&found, &[], &sources, Colors::Off),
    })
}

fn tables<'n>(
    fields: &mut FieldReader<'_, FlowCode>,
    entries: &'n [Entry],
    key: &str,
) -> &'n [Entry] {
    get(entries, key).and_then(|node| fields.map(node, key)).unwrap_or_default()
}

struct Reader<'r> {
    fields: FieldReader<'r, FlowCode>,
    /// The variables or placeholders of the contract that is read.
    words: &'static [&'static str],
    groups: &'r [Entry],
    /// The groups that a prompt has named.
    used: Vec<&'r str>,
}

impl<'r> Reader<'r> {
    fn contracts(&mut self, entries: &[Entry]) -> Option<Contracts> {
        self.words = Variable::WORDS;
        let phases = Phase::ALL.iter().map(|it| (it.word(), format!("phase `{it}`")));
        let phases = self.family(entries, "phases", phases);
        self.words = Placeholder::WORDS;
        let name = |prompt: TeamPrompt| format!("`{}`", prompt.file());
        let roles = Role::ALL.iter().map(|it| (it.word(), name(TeamPrompt::Role(*it))));
        let commands = Command::ALL.iter().map(|it| (it.word(), name(TeamPrompt::Command(*it))));
        let mut prompts = self.family(entries, "roles", roles);
        prompts.extend(self.family(entries, "commands", commands));
        prompts.push(self.contract(get(entries, "context")?, name(TeamPrompt::Context)));
        let is_unused = |group: &&Entry| !self.used.contains(&group.key.as_str());
        for group in self.groups.iter().filter(is_unused) {
            let message = format!("no prompt has the group {}", quoted(&group.key));
            self.fields.report(FlowCode::WrongValue, group.span, message, "name it, or remove it");
        }
        let mut given = Vec::new();
        self.texts(get(entries, "given")?, "given", &mut given);
        let patterns = tables(&mut self.fields, entries, "patterns").iter();
        let patterns = patterns.filter_map(|entry| {
            let placeholder = self.value(&entry.key, entry.span, "patterns")?;
            Some((placeholder, self.fields.text(&entry.node, &entry.key)?.to_owned()))
        });
        let patterns = patterns.collect();
        Some(Contracts { phases, prompts, given, patterns })
    }

    /// Reads the contracts of prompts that stand under the words of a closed set, each with its name in messages.
    fn family(
        &mut self,
        entries: &[Entry],
        key: &str,
        prompts: impl Iterator<Item = (&'static str, String)>,
    ) -> Vec<Contract> {
        let entries = tables(&mut self.fields, entries, key);
        let prompts: Vec<_> = prompts.collect();
        let fields: Vec<_> =
            prompts.iter().map(|(word, _)| required(word, "its contract")).collect();
        let whole = entries.first().map(|entry| entry.span).unwrap_or_default();
        self.fields.keys(entries, &fields, &format!("`{key}`"), whole);
        let contract = |(word, name)| Some(self.contract(get(entries, word)?, name));
        prompts.into_iter().filter_map(contract).collect()
    }

    /// Reads a contract: for each column what its groups say, then its own.
    fn contract(&mut self, node: &Node, name: String) -> Contract {
        let columns = COLUMNS.iter().map(|column| optional(column.name, column.about));
        let columns: Vec<_> = columns.chain([GROUPS]).collect();
        let own = self.fields.fields(node, &name, &columns).unwrap_or_default();
        let groups: &'r [Entry] = self.groups;
        let known: Vec<&str> = groups.iter().map(|group| group.key.as_str()).collect();
        let named = get(own, GROUPS.name).map(|node| {
            let find = |word: &str| groups.iter().find(|group| group.key == word);
            self.fields.words(node, GROUPS.name, &known, find)
        });
        let mut parts = Vec::new();
        for group in named.unwrap_or_default() {
            self.used.push(&group.key);
            let what = format!("group `{}`", group.key);
            let columns = &columns[..COLUMNS.len()];
            parts.push(self.fields.fields(&group.node, &what, columns).unwrap_or_default());
        }
        parts.push(own);
        let mut contract = Contract { name, ..Contract::default() };
        for column in &COLUMNS {
            for node in parts.iter().filter_map(|part| get(part, column.name)) {
                (column.read)(self, node, column.name, &mut contract);
            }
        }
        contract
    }

    /// Adds texts to a list, each once.
    fn texts(&mut self, node: &Node, what: &str, to: &mut Vec<String>) {
        for (text, span) in self.fields.texts(node, what) {
            if to.iter().any(|known| known == text) {
                self.twice(text, span, what);
            } else {
                to.push(text.to_owned());
            }
        }
    }

    /// Adds variables or placeholders to a list, each once.
    fn values(&mut self, node: &Node, what: &str, to: &mut Vec<&'static str>) {
        for (text, span) in self.fields.texts(node, what) {
            match self.value(text, span, what) {
                Some(word) if to.contains(&word) => self.twice(text, span, what),
                Some(word) => to.push(word),
                None => {}
            }
        }
    }

    fn value(&mut self, text: &str, span: Span, what: &str) -> Option<&'static str> {
        let word = self.words.iter().find(|word| **word == text).copied();
        if word.is_none() {
            let message = format!("{} is not a value of `{what}`", quoted(text));
            let help = meant(text, self.words);
            self.fields.report(FlowCode::WrongValue, span, message, help);
        }
        word
    }

    fn twice(&mut self, text: &str, span: Span, what: &str) {
        let message = format!("{} is repeated in `{what}`", quoted(text));
        self.fields.report(FlowCode::WrongValue, span, message, "remove it");
    }

    fn files(&mut self, node: &Node, what: &str, to: &mut Contract) {
        for entry in self.fields.map(node, what).unwrap_or_default() {
            let (path, presence) = match entry.key.strip_suffix('?') {
                Some(path) => (path, Presence::Possible),
                None => (entry.key.as_str(), Presence::Certain),
            };
            let Some(why) = self.fields.text(&entry.node, &entry.key) else { continue };
            if !is_path(path, to) {
                let message = format!("{} is not a path that a prompt can include", quoted(path));
                let help =
                    "write a path below the change's folder, with placeholders of this prompt";
                self.fields.report(FlowCode::WrongValue, entry.span, message, help);
            } else if to.file(path).is_some() {
                self.twice(path, entry.span, what);
            } else {
                let (path, why) = (path.to_owned(), why.to_owned());
                to.files.push(SessionFile { path, why, presence });
            }
        }
    }

    fn teaches(&mut self, node: &Node, what: &str, to: &mut Contract) {
        for entry in self.fields.map(node, what).unwrap_or_default() {
            if to.teaches.iter().any(|teaching| teaching.about == entry.key) {
                self.twice(&entry.key, entry.span, what);
            }
            let says = self.phrases(&entry.node, &entry.key);
            to.teaches.push(Teaching { about: entry.key.clone(), says });
        }
    }

    fn phrases(&mut self, node: &Node, what: &str) -> Vec<Phrase> {
        let items = self.fields.list(node, what).iter();
        let phrase = |item: &Node| -> Phrase {
            if matches!(item.value, Value::List(_)) {
                let spellings = self.fields.texts(item, what).into_iter();
                return spellings.map(|(text, _)| text.to_owned()).collect();
            }
            self.fields.text(item, what).map(str::to_owned).into_iter().collect()
        };
        items.map(phrase).filter(|phrase| !phrase.is_empty()).collect()
    }
}

/// Returns whether a template can include a path: it asks only for values that the prompt has.
fn is_path(path: &str, contract: &Contract) -> bool {
    let marker = format!("[[include:{path}]]");
    let parsed = parse(&marker, &Dialect::ROLE);
    let [(Parsed::Include { path, .. }, _)] = parsed.nodes.as_slice() else { return false };
    path.iter().all(|part| match part {
        Part::Text(_) => true,
        Part::Hole(name) => is_name(name) && contract.allows(name),
    })
}

#[cfg(test)]
mod tests {
    use super::read;

    const CONTRACT: &str = include_str!("../../../templates/contract.toml");

    #[test]
    fn what_is_wrong_with_the_file_is_reported_at_its_place() {
        for (old, new, expected) in [
            ("ends = [\"FILES\"]", "ends = [\"FILE\"]", "did you mean `FILES`?"),
            (
                "required = [\"feature_dir\"",
                "required = [\"feature_dri\"",
                "did you mean `feature_dir`?",
            ),
            ("[phases.plan]", "[phases.plam]", "did you mean `plan`?"),
            ("sections = [\"Role\"", "section = [\"Role\"", "did you mean `sections`?"),
            ("groups = [\"phase\"]", "groups = [\"phases\"]", "did you mean `phase`?"),
            ("\"state.json?\" =", "\"[[state.json?\" =", "is not a path that a prompt can include"),
            ("= [\"preference-memory\"]", "= \"preference-memory\"", "is text, not a list"),
            ("[groups.phase]", "[groups.idle]\n[groups.phase]", "no prompt has the group `idle`"),
            ("given = [", "given = ", "this is not TOML"),
        ] {
            let text = CONTRACT.replacen(old, new, 1);
            assert_ne!(text, CONTRACT, "{old}");
            let report = read(&text).expect_err(new).report;
            let line = CONTRACT[..CONTRACT.find(old).expect(old)].lines().count() + 1;
            assert!(report.contains(expected), "{report}");
            let lines = [line - 1, line].map(|line| format!("templates/contract.toml:{line}:"));
            assert!(lines.iter().any(|place| report.contains(place)), "{line}: {report}");
        }
    }
}
