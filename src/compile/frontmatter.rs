//! The frontmatter of an identity: who it is and which variables it takes. Everything wrong with it is found in
//! one go, each thing with its place.

use super::code::Code;
use super::diagnostic::Diagnostic;
use super::fields::{FieldReader, Terms, get};
use super::source::FileId;
use crate::template::Span;
use crate::template::lexer::is_name;
use crate::template::parser::is_lower_snake;
use crate::template::values::MOST_VARIABLES;
use crate::text::field::{Field, optional, required};
use crate::text::node::{Entry, Node, Value};
use crate::text::yaml;

/// The kinds of identity templates.
pub const CATEGORIES: [&str; 2] = ["identity", "rules"];

/// What an identity says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontmatter {
    /// Its name, which is also its file's.
    pub name: String,
    /// Other names it answers to.
    pub aliases: Vec<String>,
    /// One of [`CATEGORIES`].
    pub category: String,
    /// What it is for.
    pub description: String,
    /// The variables it takes.
    pub variables: Vec<DeclaredVariable>,
    /// Its name and aliases, and where they stand in the file.
    pub(crate) names: Vec<(String, Span)>,
}

/// A variable that an identity takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredVariable {
    /// Its name.
    pub name: String,
    /// What it is.
    pub description: String,
    /// Whether it must be given.
    pub required: bool,
    /// What stands for it when it is not given.
    pub default: Option<String>,
    /// Where it is declared.
    pub(crate) span: Span,
}

/// Reads the frontmatter that stands at `span` of a file's text.
pub(crate) fn read(
    text: &str,
    span: Span,
    file: FileId,
    found: &mut Vec<Diagnostic>,
) -> Option<Frontmatter> {
    let mut reader = FieldReader { offset: span.start, file, found, terms: TERMS };
    match yaml::parse(span.of(text)) {
        Ok(node) => reader.frontmatter(&node),
        Err(error) => {
            reader.syntax(error);
            None
        }
    }
}

/// How slips in a frontmatter are called.
const TERMS: Terms<Code> = Terms {
    map: "a map",
    syntax: Code::FrontmatterSyntax,
    unknown: Code::FrontmatterKey,
    missing: Code::FrontmatterField,
    wrong: Code::FrontmatterType,
};

const FRONTMATTER: [Field; 5] = [
    required("name", "the name of the file, without its ending"),
    required("category", "identity or rules"),
    required("description", "what the identity is for"),
    required("variables", "the variables that it takes, [] if there are none"),
    optional("aliases", "other names for it"),
];

const VARIABLE: [Field; 4] = [
    required("name", "its name as used in the text"),
    required("description", "what it is"),
    required("required", "true or false: whether it is required"),
    optional("default", "the value that is used if none is given"),
];

impl FieldReader<'_, Code> {
    fn frontmatter(&mut self, node: &Node) -> Option<Frontmatter> {
        let entries = self.fields(node, "the frontmatter", &FRONTMATTER)?;
        let mut frontmatter = Frontmatter::default();
        if let Some(node) = get(entries, "name") {
            frontmatter.name = self.name(node, "name", &mut frontmatter.names);
        }
        for alias in get(entries, "aliases").map(|it| self.list(it, "aliases")).unwrap_or_default()
        {
            frontmatter.aliases.push(self.name(alias, "an alias", &mut frontmatter.names));
        }
        if let Some(node) = get(entries, "category") {
            let find = |word: &str| CATEGORIES.iter().find(|known| **known == word);
            let category = self.word(node, "category", &CATEGORIES, find);
            frontmatter.category = category.copied().unwrap_or_default().to_owned();
        }
        frontmatter.description = self.description(entries);
        if let Some(node) = get(entries, "variables") {
            let list = self.list(node, "variables");
            if let Some(beyond) = list.get(MOST_VARIABLES) {
                let message = format!("an identity has at most {MOST_VARIABLES} variables");
                let help = "remove those that are not needed";
                self.report(Code::FrontmatterType, beyond.span, message, help);
            }
            frontmatter.variables = list.iter().filter_map(|item| self.variable(item)).collect();
        }
        Some(frontmatter)
    }

    fn variable(&mut self, node: &Node) -> Option<DeclaredVariable> {
        let entries = self.fields(node, "this variable", &VARIABLE)?;
        let description = self.description(entries);
        let required = get(entries, "required").and_then(|it| self.flag(it, "required"));
        let default = get(entries, "default").and_then(|it| self.scalar(it));
        let node = get(entries, "name")?;
        let name = self.text(node, "name")?.to_owned();
        if !is_lower_snake(&name) {
            let message = format!("`{name}` is not the name of a variable");
            let help = "use lower-case letters, digits and `_`, starting with a letter";
            self.report(Code::FrontmatterType, node.span, message, help);
        }
        let span = self.place(node.span).span;
        Some(DeclaredVariable {
            name,
            description,
            required: required.unwrap_or_default(),
            default,
            span,
        })
    }

    /// Takes the name of an identity, or another that it answers to; blank ones have been reported.
    fn name(&mut self, node: &Node, what: &str, names: &mut Vec<(String, Span)>) -> String {
        let name = self.text(node, what).unwrap_or_default();
        if !name.is_empty() && !is_name(name) {
            let help = "use lower-case letters, digits, `-` and `_`";
            self.report(Code::FrontmatterType, node.span, format!("`{name}` is not a name"), help);
        }
        names.push((name.to_owned(), self.place(node.span).span));
        name.to_owned()
    }

    fn description(&mut self, entries: &[Entry]) -> String {
        let node = get(entries, "description");
        node.and_then(|it| self.text(it, "description")).unwrap_or_default().to_owned()
    }

    /// Takes a default, which is text however it is written.
    fn scalar(&mut self, node: &Node) -> Option<String> {
        match &node.value {
            Value::Text(text) | Value::Number(text) => Some(text.clone()),
            Value::Bool(value) => Some(value.to_string()),
            Value::Null => Some(String::new()),
            Value::Date | Value::List(_) | Value::Map(_) => {
                self.wrong_type(node, "default", "text")
            }
        }
    }
}
