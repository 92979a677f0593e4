//! Finds tasks in Markdown: list items with a checkbox, outside code, and the lines below them that say more.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::models::task::Task;
use crate::template::LineIndex;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// Everything with a checkbox, in order.
    pub(super) found: Vec<Found>,
    /// What looks like a task but has no checkbox: its line and its text.
    pub(super) strays: Vec<(usize, String)>,
}

/// Something with a checkbox.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The task; without an id where there is none that is well formed.
    pub(super) task: Task,
    /// What follows the checkbox on its line.
    pub(super) head: String,
    /// The byte between the brackets.
    pub(super) checkbox: usize,
}

/// Reads the Markdown once, from beginning to end.
pub(super) fn scan(text: &str) -> Scan {
    let mut walk = Walk::new(text);
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TASKLISTS).into_offset_iter() {
        walk.event(&event, range.start, range.end);
    }
    walk.scan
}

struct Walk<'t> {
    text: &'t str,
    lines: LineIndex<'t>,
    scan: Scan,
    /// For each open list item the task that it belongs to, if any.
    items: Vec<Option<usize>>,
    at: At,
    field: Option<Field>,
    /// How deep the item is that the field began in; what is deeper continues it.
    field_depth: usize,
}

/// Where the walk stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// At the beginning of a paragraph.
    Paragraph,
    /// At the beginning of a list item or heading.
    Title,
    /// At the beginning of a further line.
    Line,
    /// Within a line or a block of code.
    Within,
}

/// What a line below a task belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Title,
    Depends,
    Files,
    Requirements,
    Check,
}

impl<'t> Walk<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            lines: LineIndex::new(text),
            scan: Scan::default(),
            items: Vec::new(),
            at: At::Within,
            field: None,
            field_depth: 0,
        }
    }

    fn event(&mut self, event: &Event<'_>, start: usize, end: usize) {
        match event {
            Event::Start(Tag::Item) => {
                let task = self.items.last().copied().flatten();
                self.items.push(task);
                self.at = At::Title;
                if self.items.len() <= self.field_depth {
                    self.field = None;
                }
            }
            Event::End(TagEnd::Item) => {
                self.items.pop();
                self.at = At::Paragraph;
            }
            Event::TaskListMarker(done) => self.checkbox(*done, end),
            Event::Start(Tag::Heading { .. }) => self.at = At::Title,
            // The first paragraph of a list item is the item's beginning.
            Event::Start(Tag::Paragraph) if self.at != At::Title => self.at = At::Paragraph,
            Event::End(TagEnd::Paragraph) => {
                self.field = None;
                self.at = At::Paragraph;
            }
            Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock) => self.at = At::Within,
            Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::List(_)) => {
                self.at = At::Paragraph;
            }
            Event::SoftBreak | Event::HardBreak => self.at = At::Line,
            Event::Text(_)
            | Event::Code(_)
            | Event::InlineHtml(_)
            | Event::Start(Tag::Emphasis | Tag::Strong | Tag::Link { .. } | Tag::Image { .. }) => {
                self.line(start);
            }
            _ => {}
        }
    }

    fn rest_of_line(&self, at: usize) -> &'t str {
        self.text[at..].split(['\n', '\r']).next().unwrap_or_default().trim()
    }

    fn checkbox(&mut self, done: bool, end: usize) {
        let head = self.rest_of_line(end);
        let (id, title) = id_and_title(head).unwrap_or_default();
        let line = self.lines.position(end).line;
        let task = Task { id, title, done, line, ..Task::default() };
        // The marker is `[ ]`, `[x]` or `[X]`, and ends where the rest of the line begins.
        self.scan.found.push(Found { task, head: head.to_owned(), checkbox: end - 2 });
        if let Some(item) = self.items.last_mut() {
            *item = Some(self.scan.found.len() - 1);
        }
        self.field = Some(Field::Title);
        self.field_depth = usize::MAX;
        self.at = At::Within;
    }

    /// Takes a line of text, if this is the beginning of one.
    fn line(&mut self, start: usize) {
        let at = std::mem::replace(&mut self.at, At::Within);
        if at == At::Within {
            return;
        }
        let line = self.rest_of_line(start);
        match self.items.last().copied().flatten() {
            Some(task) => self.detail(task, line),
            None if is_stray(line, at) => {
                self.scan.strays.push((self.lines.position(start).line, line.to_owned()));
            }
            None => {}
        }
    }

    /// Takes a line below a task: a field, or more of the one before.
    fn detail(&mut self, task: usize, line: &str) {
        let mut value = line;
        if let Some((field, rest)) = field_of(line) {
            (self.field, self.field_depth, value) = (Some(field), self.items.len(), rest);
        }
        let (Some(field), Some(Found { task, .. })) = (self.field, self.scan.found.get_mut(task))
        else {
            return;
        };
        match field {
            Field::Title => task.title.push_str(&format!(" {value}")),
            Field::Depends => task.depends.extend(ids(value)),
            Field::Files => task.files.extend(list(value)),
            Field::Requirements => task.requirements.extend(ids(value)),
            Field::Check => {
                let check = task.check.take().map_or(String::new(), |check| check + " ");
                task.check = Some(check + value).filter(|check| !check.is_empty());
            }
        }
    }
}

/// Reads `1.1 Title`; the id may be in bold or code, and a colon, full stop or dash may follow it.
pub(crate) fn id_and_title(head: &str) -> Option<(String, String)> {
    let plain = if head.starts_with("**") { head.replacen("**", "", 2) } else { head.to_owned() };
    let (word, title) = plain.split_once(char::is_whitespace).unwrap_or((&plain, ""));
    let id = word.trim_matches(['*', '_', '`', ':', '.']);
    let title = title.trim_start_matches([':', '-', '–', '—', ' ']).trim();
    is_id(id).then(|| (id.to_owned(), title.to_owned()))
}

fn is_id(word: &str) -> bool {
    let number =
        |part: &str| (1..10).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    word.split_once('.').is_some_and(|(group, task)| number(group) && number(task))
}

/// Returns whether a line looks like a task whose checkbox was forgotten or is not well formed.
fn is_stray(line: &str, at: At) -> bool {
    let mut rest = line.trim_start_matches(['-', '*', '+', ' ']);
    if let Some((_, after)) = rest.strip_prefix('[').and_then(|inside| inside.split_once(']')) {
        rest = after.trim_start();
    }
    let is_task = id_and_title(rest).is_some_and(|(_, title)| !title.is_empty());
    // A paragraph may well begin with a number; with what looks like a bullet or a box before it, it is a task.
    match at {
        At::Title => is_task,
        At::Paragraph => is_task && rest.len() < line.len(),
        At::Line | At::Within => false,
    }
}

fn field_of(line: &str) -> Option<(Field, &str)> {
    let (name, value) = line.split_once(':')?;
    let marks = |c: char| c == '*' || c == '_' || c.is_whitespace();
    let field = match name.trim_matches(marks).to_ascii_lowercase().as_str() {
        "depends" | "depends on" => Field::Depends,
        "files" => Field::Files,
        "requirements" => Field::Requirements,
        "check" => Field::Check,
        _ => return None,
    };
    let bold = name.starts_with('*') || name.starts_with('_');
    Some((field, if bold { value.trim_start_matches(marks) } else { value.trim_start() }))
}

/// Splits a list of ids; `none` is none.
fn ids(value: &str) -> Vec<String> {
    let words = value.split(|c: char| c == ',' || c == ';' || c.is_whitespace());
    let words = words.map(|word| word.trim_matches(['`', '.'])).filter(|word| !word.is_empty());
    words.take_while(|word| !is_none(word)).map(str::to_owned).collect()
}

/// Splits a list of names at its commas; `none` is none.
fn list(value: &str) -> Vec<String> {
    let names = value.split(',').map(|name| name.trim().trim_matches('`'));
    names.filter(|name| !name.is_empty() && !is_none(name)).map(str::to_owned).collect()
}

fn is_none(word: &str) -> bool {
    ["none", "nothing", "-", "–"].contains(&word.to_ascii_lowercase().as_str())
}
