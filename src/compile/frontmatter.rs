//! The frontmatter of an identity: who it is and which variables it takes. Everything wrong with it is found in
//! one go, each thing with its place.

use super::code::Code;
use super::diagnostic::{Diagnostic, Place};
use super::fields::{FieldCodes, FieldReader};
use super::source::FileId;
use super::yaml::{self, Node, Value};
use crate::template::Span;
use crate::template::lexer::is_name;
use crate::template::nearest::nearest;
use crate::template::parser::is_lower_snake;
use crate::template::values::MOST_VARIABLES;

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
    let mut reader = FieldReader { offset: span.start, file, found, codes: CODES };
    match yaml::parse(span.of(text)) {
        Ok(node) => reader.frontmatter(node),
        Err(error) => {
            let help = error.help.map(str::to_owned);
            reader.report(Code::FrontmatterSyntax, error.span, error.message, help);
            None
        }
    }
}

/// How slips in a frontmatter are called.
const CODES: FieldCodes<Code> = FieldCodes {
    unknown: Code::FrontmatterKey,
    missing: Code::FrontmatterField,
    wrong: Code::FrontmatterType,
};

impl FieldReader<'_, Code> {
    fn frontmatter(&mut self, node: Node) -> Option<Frontmatter> {
        let keys = ["name", "aliases", "category", "description", "variables"];
        let whole = node.span;
        let entries = self.map(node, "the frontmatter")?;
        self.keys(
            &entries,
            &keys,
            &["name", "category", "description", "variables"],
            whole,
            "the frontmatter",
        );
        let mut frontmatter = Frontmatter::default();
        for entry in entries {
            match entry.key.as_str() {
                "name" => {
                    let span = self.moved(entry.node.span);
                    frontmatter.name = self.text(entry.node, "name");
                    frontmatter.names.push((frontmatter.name.clone(), span));
                }
                "category" => frontmatter.category = self.category(entry.node),
                "description" => frontmatter.description = self.text(entry.node, "description"),
                "aliases" => {
                    for alias in self.list(entry.node, "aliases") {
                        let span = self.moved(alias.span);
                        let name = self.text(alias, "an alias");
                        frontmatter.names.push((name.clone(), span));
                        frontmatter.aliases.push(name);
                    }
                }
                "variables" => {
                    let list = self.list(entry.node, "variables");
                    if let Some(beyond) = list.get(MOST_VARIABLES) {
                        let message = format!("an identity has at most {MOST_VARIABLES} variables");
                        self.report(Code::FrontmatterType, beyond.span, message, None);
                    }
                    let variables = list.into_iter().filter_map(|item| self.variable(item));
                    frontmatter.variables = variables.collect();
                }
                _ => {}
            }
        }
        self.names(&frontmatter);
        Some(frontmatter)
    }

    fn variable(&mut self, node: Node) -> Option<DeclaredVariable> {
        let whole = node.span;
        let entries = self.map(node, "a variable")?;
        let keys = ["name", "description", "required", "default"];
        self.keys(&entries, &keys, &keys[..3], whole, "this variable");
        let mut variable = DeclaredVariable {
            name: String::new(),
            description: String::new(),
            required: false,
            default: None,
            span: self.moved(whole),
        };
        for entry in entries {
            match entry.key.as_str() {
                "name" => {
                    variable.span = self.moved(entry.node.span);
                    let span = entry.node.span;
                    variable.name = self.text(entry.node, "name");
                    if !variable.name.is_empty() && !is_lower_snake(&variable.name) {
                        let message = format!("`{}` is not a variable's name", variable.name);
                        let help = "write it in small letters, digits and `_`, a letter first";
                        self.report(Code::FrontmatterType, span, message, Some(help.to_owned()));
                    }
                }
                "description" => variable.description = self.text(entry.node, "description"),
                "required" => match entry.node.value {
                    Value::Bool(required) => variable.required = required,
                    other => self.wrong_type("required", "true or false", &other, entry.node.span),
                },
                "default" => variable.default = self.scalar(entry.node),
                _ => {}
            }
        }
        (!variable.name.is_empty()).then_some(variable)
    }

    fn names(&mut self, frontmatter: &Frontmatter) {
        for (name, span) in frontmatter.names.iter().filter(|(name, _)| !name.is_empty()) {
            if !is_name(name) {
                let place = Place { file: self.file, span: *span };
                self.found.push(
                    Diagnostic::new(
                        Code::FrontmatterType,
                        place,
                        format!("`{name}` is not a name"),
                    )
                    .help("write it in small letters, digits, `-` and `_`"),
                );
            }
        }
    }

    fn category(&mut self, node: Node) -> String {
        let span = node.span;
        let category = self.text(node, "category");
        if !category.is_empty() && !CATEGORIES.contains(&category.as_str()) {
            let help = match nearest(&category, CATEGORIES) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the categories are {}", CATEGORIES.join(" and ")),
            };
            let message = format!("there is no category `{category}`");
            self.report(Code::FrontmatterType, span, message, Some(help));
        }
        category
    }

    /// Takes a default, which is text however it is written.
    fn scalar(&mut self, node: Node) -> Option<String> {
        match node.value {
            Value::Text(text) | Value::Number(text) => Some(text),
            Value::Bool(value) => Some(value.to_string()),
            Value::Null => Some(String::new()),
            other @ (Value::List(_) | Value::Map(_)) => {
                self.wrong_type("default", "text", &other, node.span);
                None
            }
        }
    }
}
