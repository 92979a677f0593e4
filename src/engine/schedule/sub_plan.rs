//! Reads what a plan's own file says: the files that it owns and the plans that it needs. Markdown in, faults out.

use pulldown_cmark::{Event, Parser, Tag, TagEnd, TextMergeWithOffset};

use super::code::ScheduleCode;
use crate::compile::{Diagnostic, FileId, Place};
use crate::models::plan::{OwnedPattern, Placed, PlanIndex};
use crate::template::Span;
use crate::text::outline::{Outline, mask, outline_once};

/// The most files that one plan may list.
const MOST_OWNED: usize = 500;

const SCOPE: &str = "Scope";
const OWNED: &str = "Owned files/modules";
const DEPENDENCIES: &str = "Dependencies";
const ISOLATION: &str = "Isolation";

/// The sections that every plan has, and what is asked for in each.
pub const SECTIONS: [(&str, &str); 4] = [
    (SCOPE, "what to build, and what not"),
    (OWNED, "a list, each item with one path or glob in back-ticks"),
    (DEPENDENCIES, "a list of plans, such as `- plan_1`, or `none`"),
    (ISOLATION, "why no other plan changes these files meanwhile"),
];

/// What a plan says of itself.
#[derive(Debug)]
pub(super) struct SubPlan {
    pub(super) file: FileId,
    pub(super) owned: Vec<Placed<OwnedPattern>>,
    pub(super) dependencies: Vec<Placed<PlanIndex>>,
}

/// Reads a plan; `change` is the folder that none may own.
pub(super) fn read(
    text: &str,
    file: FileId,
    change: &str,
    found: &mut Vec<Diagnostic<ScheduleCode>>,
) -> SubPlan {
    let mut outline = outline_once(text);
    let unclosed = std::mem::take(&mut outline.unclosed);
    if !unclosed.is_empty() {
        // So that one slip does not hide the rest of the file.
        outline = outline_once(&mask(text, &unclosed));
    }
    let mut reader = Reader { text, file, change, outline, found };
    for fence in unclosed {
        let help = "close it with a fence of the same length, on its own line";
        reader.report(ScheduleCode::UnclosedFence, fence, "the code block is never closed", help);
    }
    let [_, owned, dependencies, _] = SECTIONS.map(|(title, asks)| reader.section(title, asks));
    let owned = owned.map_or_else(Vec::new, |section| reader.owned(&section));
    let dependencies = dependencies.map_or_else(Vec::new, |section| reader.dependencies(&section));
    SubPlan { file, owned, dependencies }
}

/// A section that holds something.
struct Section {
    heading: Span,
    body: Span,
}

struct Reader<'r> {
    text: &'r str,
    file: FileId,
    change: &'r str,
    outline: Outline,
    found: &'r mut Vec<Diagnostic<ScheduleCode>>,
}

impl Reader<'_> {
    fn section(&mut self, title: &str, asks: &str) -> Option<Section> {
        let headings = self.outline.sections(title);
        let Some(first) = headings.first().copied() else {
            let help = format!("write a heading of level 2, `## {title}`, and below it: {asks}");
            let first_line = self.text.lines().next().map_or(0, str::len);
            let message = format!("section `{title}` is missing");
            self.report(ScheduleCode::MissingSection, Span::new(0, first_line), &message, &help);
            return None;
        };
        let heading = self.outline.headings[first].span;
        for again in headings.iter().skip(1) {
            let place = self.place(self.outline.headings[*again].span);
            let message = format!("section `{title}` is repeated");
            let diagnostic = Diagnostic::new(ScheduleCode::DuplicateSection, place, message)
                .label(self.place(heading), "the first one")
                .help("merge them");
            self.found.push(diagnostic);
        }
        if !self.outline.has_content(first) {
            let message = format!("section `{title}` is empty");
            let help = format!("write below the heading: {asks}");
            self.report(ScheduleCode::EmptySection, heading, &message, &help);
            return None;
        }
        let next = self.outline.headings[first + 1..].iter().find(|other| other.level <= 2);
        let end = next.map_or(self.text.len(), |next| next.span.start);
        Some(Section { heading, body: Span::new(heading.end, end) })
    }

    fn owned(&mut self, section: &Section) -> Vec<Placed<OwnedPattern>> {
        const HELP: &str = "write an item for each: - `src/auth/login.rs`";
        let items = read_list(self.text, section.body).items;
        if items.is_empty() {
            let message = format!("section `{OWNED}` contains no list");
            self.report(ScheduleCode::OwnedFiles, section.heading, &message, HELP);
        }
        if let Some(beyond) = items.get(MOST_OWNED) {
            let message = format!("a plan lists at most {MOST_OWNED} files");
            let help = "own folders or globs instead of single files";
            self.report(ScheduleCode::OwnedFiles, beyond.span, &message, help);
        }
        let mut owned = Vec::new();
        for item in items.iter().take(MOST_OWNED) {
            match item.code.as_slice() {
                [one] => owned.extend(self.pattern(*one)),
                [] => {
                    let message = "this item names no path in back-ticks";
                    self.report(ScheduleCode::OwnedFiles, item.span, message, HELP);
                }
                [_, second, ..] => {
                    let message = "this item has more than one path in back-ticks";
                    self.report(ScheduleCode::OwnedFiles, *second, message, HELP);
                }
            }
        }
        owned
    }

    fn pattern(&mut self, code: Span) -> Option<Placed<OwnedPattern>> {
        let text = code.of(self.text).trim_matches('`').trim();
        match text.parse::<OwnedPattern>() {
            Ok(pattern) if pattern.names(self.change) => {
                let message = format!("`{text}` is the change's own folder, or contains it");
                let help = "no plan may own it: agentd keeps plans and markers there";
                self.report(ScheduleCode::Path, code, &message, help);
                None
            }
            Ok(pattern) => Some(Placed::at(code, pattern)),
            Err(fault) => {
                let message = format!("`{}` {fault}", text.escape_debug());
                self.report(ScheduleCode::Path, code, &message, fault.help());
                None
            }
        }
    }

    fn dependencies(&mut self, section: &Section) -> Vec<Placed<PlanIndex>> {
        const HELP: &str = "write an item for each plan, - plan_1, or the word none";
        let list = read_list(self.text, section.body);
        if list.items.is_empty() {
            if !is_none(&list.prose) {
                let message = format!("section `{DEPENDENCIES}` is neither a list nor `none`");
                self.report(ScheduleCode::Dependencies, section.heading, &message, HELP);
            }
            return Vec::new();
        }
        let mut dependencies = Vec::new();
        for item in &list.items {
            if item.references.is_empty() && !(is_none(&item.words) && list.items.len() == 1) {
                let message = "this item names no plan";
                self.report(ScheduleCode::Dependencies, item.span, message, HELP);
            }
            for reference in &item.references {
                let word = reference.of(self.text);
                if let Some(index) = PlanIndex::of_word(word) {
                    dependencies.push(Placed::at(*reference, index));
                } else {
                    let message = format!("`{word}` is not a plan");
                    let help = "plans are called `plan_1`, `plan_2` and so on";
                    self.report(ScheduleCode::Dependencies, *reference, &message, help);
                }
            }
        }
        dependencies
    }

    const fn place(&self, span: Span) -> Place {
        Place { file: self.file, span }
    }

    fn report(&mut self, code: ScheduleCode, span: Span, message: &str, help: &str) {
        self.found.push(Diagnostic::new(code, self.place(span), message).help(help));
    }
}

/// Returns whether words are `none`, whatever follows.
fn is_none(words: &str) -> bool {
    let mut words = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.next().is_some_and(|word| word.eq_ignore_ascii_case("none"))
}

/// What a section lists, and what it says beside that.
#[derive(Default)]
struct List {
    items: Vec<Item>,
    prose: String,
}

/// An item of a list that holds no items of its own.
#[derive(Default)]
struct Item {
    /// Its first line.
    span: Span,
    /// What stands in back-ticks, with them.
    code: Vec<Span>,
    /// The words that begin as the names of plans do.
    references: Vec<Span>,
    words: String,
    is_parent: bool,
}

fn read_list(text: &str, body: Span) -> List {
    let mut list = List::default();
    let mut open: Vec<Item> = Vec::new();
    // Merged, since the parser takes words apart at every `_`.
    let events = TextMergeWithOffset::new(Parser::new(body.of(text)).into_offset_iter());
    for (event, range) in events {
        let span = Span::new(body.start + range.start, body.start + range.end);
        match event {
            Event::Start(Tag::Item) => {
                if let Some(parent) = open.last_mut() {
                    parent.is_parent = true;
                }
                let line = span.of(text).lines().next().unwrap_or_default().trim_end();
                let span = Span::new(span.start, span.start + line.len());
                open.push(Item { span, ..Item::default() });
            }
            Event::End(TagEnd::Item) => list.items.extend(open.pop().filter(Item::counts)),
            Event::Text(words) | Event::Code(words) if open.is_empty() => {
                list.prose.push_str(&words);
            }
            Event::Code(_) => {
                if let Some(item) = open.last_mut() {
                    item.code.push(span);
                    item.take_words(text, span);
                }
            }
            Event::Text(_) => {
                if let Some(item) = open.last_mut() {
                    item.take_words(text, span);
                }
            }
            _ => {}
        }
    }
    list
}

impl Item {
    /// An item with items below it and nothing in back-ticks is a title for them.
    fn counts(&self) -> bool {
        !self.is_parent || !self.code.is_empty() || !self.references.is_empty()
    }

    fn take_words(&mut self, text: &str, span: Span) {
        self.words.push_str(span.of(text));
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut start = None;
        let end = (span.of(text).len(), ' ');
        for (at, character) in span.of(text).char_indices().chain([end]) {
            match start {
                None if is_word(character) => start = Some(at),
                Some(from) if !is_word(character) => {
                    let word = Span::new(span.start + from, span.start + at);
                    if word.of(text).starts_with("plan_") {
                        self.references.push(word);
                    }
                    start = None;
                }
                None | Some(_) => {}
            }
        }
    }
}
