//! The envelope: any text in any slot comes back as it was, by a reader that shares nothing with ours, and the document
//! shows exactly the tags that were put in.

use agentd::models::prompt::{ContextItem, ContextKind, UnifiedPrompt};

use super::texts;

/// The input is the instructions, the system prompt if there is one, then names and contents in turn.
pub(crate) fn check(input: &[u8]) {
    let mut texts = texts(input).into_iter();
    let mut prompt = UnifiedPrompt::new(texts.next().unwrap_or_default());
    prompt.system_prompt = texts.next();
    let kinds = [ContextKind::File, ContextKind::Artifact, ContextKind::Thought];
    for kind in kinds.into_iter().cycle() {
        let Some(name) = texts.next() else { break };
        prompt = prompt.with_item(kind, name, texts.next().unwrap_or_default());
    }
    check_prompt(&prompt);
}

/// Holds the document of a prompt to all that it promises.
pub(crate) fn check_prompt(prompt: &UnifiedPrompt) {
    let (xml, written) = prompt.to_verified_xml().expect("it reads back");
    let expected = carried_prompt(prompt);
    assert_eq!(UnifiedPrompt::from_xml(&xml).expect("well formed"), expected, "{xml}");
    assert_eq!(Reader { rest: &xml }.document(), expected, "{xml}");
    assert_eq!(written.bytes, xml.len());
    assert_eq!(written.replaced, replaced(prompt, &expected), "{xml}");

    let mut streamed = Vec::new();
    assert_eq!(prompt.write_xml(&mut streamed).expect("written"), written);
    assert_eq!(streamed, xml.as_bytes());

    // The system prompt may show response markers, so the rest is counted without it.
    let without_system = UnifiedPrompt { system_prompt: None, ..prompt.clone() };
    let shown = without_system.to_xml();
    assert_eq!(tags_seen(&shown, &OWN), tags_meant(&without_system), "{shown}");
    let structural = ["prompt", "system_prompt", "context", "file", "artifact", "instructions"];
    let thoughts = prompt.context.iter().filter(|item| item.kind == ContextKind::Thought).count();
    assert_eq!(tags_seen(&xml, &structural), tags_meant(prompt) - 2 * thoughts, "{xml}");
}

/// Counts what a lenient eye takes for one of our tags: `<`, fillers, the name in any case, a boundary.
/// It looks at characters one by one and knows nothing of CDATA.
pub(crate) fn tags_seen(document: &str, names: &[&str]) -> usize {
    let characters: Vec<char> = document.chars().collect();
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.:".contains(c);
    let starts_tag = |at: usize| {
        let mut i = at + 1;
        while i < characters.len() && (characters[i] == '/' || characters[i].is_whitespace()) {
            i += 1;
        }
        let word: String = characters[i..].iter().take_while(|c| is_name(**c)).collect();
        names.contains(&word.to_ascii_lowercase().as_str())
    };
    (0..characters.len()).filter(|at| characters[*at] == '<' && starts_tag(*at)).count()
}

/// The names of our tags, of the markers that agents answer with, and of some frames of templates.
pub(crate) const OWN: [&str; 13] = [
    "prompt",
    "system_prompt",
    "context",
    "file",
    "artifact",
    "thought",
    "instructions",
    "review",
    "task_status",
    "blocked",
    "thinking",
    "open_tasks",
    "requirements_md",
];

/// Says how many tags a prompt's document has: two for each element.
pub(crate) fn tags_meant(prompt: &UnifiedPrompt) -> usize {
    2 * (3 + usize::from(prompt.system_prompt.is_some()) + prompt.context.len())
}

fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Gives a text as XML can carry it.
fn carried(text: &str) -> String {
    text.chars().map(|c| if is_allowed(c) { c } else { '\u{fffd}' }).collect()
}

fn carried_prompt(prompt: &UnifiedPrompt) -> UnifiedPrompt {
    let item = |item: &ContextItem| ContextItem {
        kind: item.kind,
        name: carried(&item.name),
        content: carried(&item.content),
    };
    UnifiedPrompt {
        system_prompt: prompt.system_prompt.as_deref().map(carried),
        context: prompt.context.iter().map(item).collect(),
        instructions: carried(&prompt.instructions),
    }
}

/// Counts the characters in which two prompts differ.
fn replaced(prompt: &UnifiedPrompt, other: &UnifiedPrompt) -> usize {
    let texts = |prompt: &UnifiedPrompt| -> String {
        let items =
            prompt.context.iter().flat_map(|item| [item.name.clone(), item.content.clone()]);
        items.chain(prompt.system_prompt.clone()).chain([prompt.instructions.clone()]).collect()
    };
    texts(prompt).chars().zip(texts(other).chars()).filter(|(a, b)| a != b).count()
}

/// Reads what a document says, one piece after the other, and takes nothing that is not exactly as it must be.
struct Reader<'d> {
    rest: &'d str,
}

impl Reader<'_> {
    fn document(mut self) -> UnifiedPrompt {
        self.must("<prompt>\n");
        let system_prompt = self.may("<system_prompt>").then(|| self.text("</system_prompt>\n"));
        self.must("<context>\n");
        let mut context = Vec::new();
        while !self.may("</context>\n") {
            context.push(self.item());
        }
        self.must("<instructions>");
        let instructions = self.text("</instructions>\n");
        self.must("</prompt>\n");
        assert_eq!(self.rest, "", "something follows the document");
        UnifiedPrompt { system_prompt, context, instructions }
    }

    fn item(&mut self) -> ContextItem {
        let kinds = [
            (ContextKind::File, "<file path='", "</file>\n"),
            (ContextKind::Artifact, "<artifact name='", "</artifact>\n"),
            (ContextKind::Thought, "<thought name='", "</thought>\n"),
        ];
        let found = kinds.into_iter().find(|(_, open, _)| self.may(open));
        let (kind, _, close) = found.unwrap_or_else(|| panic!("no item: {}", self.rest));
        let mut name = String::new();
        while !self.may("'>") {
            let c = self.character();
            assert!(!['<', '\t', '\n', '\r'].contains(&c), "{c:?} in an attribute");
            name.push(if c == '&' { self.entity() } else { c });
        }
        ContextItem { kind, name, content: self.text(close) }
    }

    /// Reads text up to a closing tag, which is taken too.
    fn text(&mut self, close: &str) -> String {
        let mut text = String::new();
        while !self.may(close) {
            if self.may("<![CDATA[") {
                while !self.may("]]>") {
                    text.push(self.character());
                }
                continue;
            }
            assert!(!self.rest.starts_with("]]>"), "the end of a section that never began");
            match self.character() {
                '<' => panic!("a tag within text: <{}", self.rest),
                '&' => text.push(self.entity()),
                c => text.push(c),
            }
        }
        text
    }

    fn entity(&mut self) -> char {
        let (name, rest) = self.rest.split_once(';').expect("an entity ends");
        self.rest = rest;
        match name {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "apos" => '\'',
            "quot" => '"',
            "#9" => '\t',
            "#10" => '\n',
            "#13" => '\r',
            other => panic!("no entity of ours: &{other};"),
        }
    }

    fn character(&mut self) -> char {
        let c = self.rest.chars().next().expect("the document goes on");
        assert!(is_allowed(c), "{c:?} is forbidden in XML");
        self.rest = &self.rest[c.len_utf8()..];
        c
    }

    fn may(&mut self, literal: &str) -> bool {
        let after = self.rest.strip_prefix(literal);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn must(&mut self, literal: &str) {
        assert!(self.may(literal), "{literal:?} is missing before {:?}", self.rest);
    }
}
