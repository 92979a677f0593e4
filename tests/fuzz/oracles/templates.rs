//! The template language and its compiler: no byte is lost, a value never becomes a marker, any text can be written
//! as text, and a fault has a place in its file.

use agentd::compile::{Compilation, FileId, Folder, Place, Sources, compile, link_one, report};
use agentd::template::lexer::{Token, TokenKind, lex};
use agentd::template::{
    Dialect, IncludeFault, Includes, Node, OnMissing, Scope, Span, Tags, Value as Filled, parse,
    render,
};

use super::{parts, texts};

/// The input is a source and a value; as files, a system template, two fragments, an identity and a role's prompt.
pub(crate) fn check(input: &[u8]) {
    let texts = texts(input);
    let source = &texts[0];
    let value = Value(texts.get(1).map_or("{{TASKS}} [[include:/etc/passwd]]", String::as_str));
    for dialect in [Dialect::SYSTEM, Dialect::ROLE, Dialect::IDENTITY, Dialect::extension(&["x"])] {
        let tokens = lex(source, &dialect);
        tokens_cover(source, &tokens);
        parsing_leaves_nothing_out(source, &dialect, &tokens);
        values_are_copied(source, &dialect, &tokens, value);
        any_text_can_be_written(source, &dialect);
    }
    let extended = rendered(source, &Dialect::extension(&["x"]), value);
    assert_eq!(extended, source.replace("[[placeholder:x]]", value.0), "{source:?}");
    files_are_compiled(&parts(input));
    one_file_is_linked(source);
}

fn tokens_cover(source: &str, tokens: &[Token]) {
    let mut at = 0;
    for Token { kind, span } in tokens {
        assert_eq!(span.start, at, "{source:?}");
        assert!(span.end > at && source.is_char_boundary(span.end), "{source:?}: {span:?}");
        at = span.end;
        let inner = match kind {
            TokenKind::Text | TokenKind::Escape | TokenKind::Unclosed => Vec::new(),
            TokenKind::Brace { inner } => vec![*inner],
            TokenKind::Bracket { word, argument } => {
                [Some(*word), *argument].into_iter().flatten().collect()
            }
            TokenKind::Frontmatter { yaml } => vec![*yaml],
        };
        assert!(inner.iter().all(|inner| lies_within(*inner, *span)), "{source:?}: {kind:?}");
    }
    assert_eq!(at, source.len());
}

fn parsing_leaves_nothing_out(source: &str, dialect: &Dialect<'_>, tokens: &[Token]) {
    let parsed = parse(source, dialect);
    let mut spans: Vec<Span> = parsed.nodes.iter().map(|(_, span)| *span).collect();
    spans.extend(parsed.faults.iter().map(|fault| fault.span));
    let is_body = |token: &&Token| !matches!(token.kind, TokenKind::Frontmatter { .. });
    spans.sort();
    assert_eq!(spans, tokens.iter().filter(is_body).map(|token| token.span).collect::<Vec<_>>());
    for fault in &parsed.faults {
        assert!(lies_within(fault.inner, fault.span), "{source:?}: {fault:?}");
    }
}

fn lies_within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.start <= inner.end && inner.end <= outer.end
}

/// Puts a text together from tokens, each marker that is right becoming the value, and compares.
fn values_are_copied(source: &str, dialect: &Dialect<'_>, tokens: &[Token], value: Value<'_>) {
    let parsed = parse(source, dialect);
    if parsed.nodes.iter().any(|(node, _)| matches!(node, Node::Fragment(_))) {
        return;
    }
    let is_fault = |token: &Token| parsed.faults.iter().any(|fault| fault.span == token.span);
    let mut expected = String::new();
    for token in tokens.iter().filter(|token| !is_fault(token)) {
        match token.kind {
            TokenKind::Text => expected.push_str(token.span.of(source)),
            TokenKind::Escape => expected.push_str(&token.span.of(source)[..2]),
            TokenKind::Brace { .. } | TokenKind::Bracket { .. } => expected.push_str(value.0),
            TokenKind::Unclosed => panic!("an open marker is no fault: {source:?}"),
            TokenKind::Frontmatter { .. } => {}
        }
    }
    assert_eq!(rendered(source, dialect, value), expected, "{source:?}");
}

/// Doubles every opener that means something, after which the source must be the text itself.
fn any_text_can_be_written(text: &str, dialect: &Dialect<'_>) {
    if dialect.name == "extension" || text.starts_with("---") {
        return;
    }
    let mut source = String::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let opener = text[at..].get(..2).filter(|opener| ["{{", "[["].contains(opener));
        if let Some(opener) = opener.filter(|_| is_live(&text[at..], dialect)) {
            source.push_str(opener);
            source.push_str(opener);
            at += opener.len();
        } else {
            source.push(c);
            at += c.len_utf8();
        }
    }
    let parsed = parse(&source, dialect);
    assert_eq!(parsed.faults, [], "{text:?} as {source:?}");
    assert_eq!(rendered(&source, dialect, Value("a value")), text, "{source:?}");
}

/// Says whether the opener that a text begins with means something; no marker goes beyond its line.
fn is_live(text: &str, dialect: &Dialect<'_>) -> bool {
    let line = text.split_inclusive('\n').next().unwrap_or(text);
    match lex(line, dialect)[0].kind {
        TokenKind::Brace { .. } | TokenKind::Bracket { .. } | TokenKind::Unclosed => true,
        // Of `[[[[` only the second half is live, and its turn comes; of `{{{{` both are.
        TokenKind::Escape => line.starts_with("{{"),
        TokenKind::Text | TokenKind::Frontmatter { .. } => false,
    }
}

fn rendered(source: &str, dialect: &Dialect<'_>, value: Value<'_>) -> String {
    let parsed = parse(source, dialect);
    let mut out = String::new();
    let nodes = parsed.nodes.iter().map(|(node, _)| node);
    let missing = render("fuzz", nodes, &value, &value, OnMissing::Refuse, &Tags::NONE, &mut out);
    assert_eq!(missing.expect("there is a value for everything"), Vec::<&str>::new());
    out
}

/// One value for every name, and every file.
#[derive(Clone, Copy)]
struct Value<'v>(&'v str);

impl Scope for Value<'_> {
    fn value(&self, _name: &str) -> Option<Filled<'_>> {
        Some(self.0.into())
    }
}

impl Includes for Value<'_> {
    fn read(&self, _path: &str) -> Result<Option<String>, IncludeFault> {
        Ok(Some(self.0.to_owned()))
    }
}

/// Compiles a folder of templates: what is wrong with it is said in the right place, and the same each time.
fn files_are_compiled(files: &[&[u8]]) {
    let names = [
        "system/BASE-plan.md",
        "shared/a.md",
        "shared/b.md",
        "identities/x.md",
        "agents/planner.md",
    ];
    let compiled = || {
        let mut sources = Sources::new("templates");
        for (name, bytes) in names.iter().zip(files) {
            sources.add(name, bytes.to_vec());
        }
        compile(sources)
    };
    let compilation = compiled();
    let lines = faults_have_places(&compilation);
    assert_eq!(lines, report::cargo(&compiled()));
}

fn faults_have_places(compilation: &Compilation) -> String {
    let Compilation { sources, diagnostics, .. } = compilation;
    for diagnostic in diagnostics {
        let labels = diagnostic.labels.iter().map(|(place, _)| *place);
        for Place { file, span } in labels.chain([diagnostic.place]) {
            let text = &sources.get(file).text;
            assert!(text.get(span.start..span.end).is_some(), "{diagnostic:?} in {text:?}");
        }
    }
    let shown = report::human(compilation, report::Colors::Off);
    assert_eq!(shown.is_empty(), diagnostics.is_empty());
    let lines = report::cargo(compilation);
    assert_eq!(lines.lines().count(), diagnostics.len(), "a line each:\n{lines}");
    assert!(lines.lines().all(|line| line.starts_with("cargo::")), "{lines}");
    lines
}

/// Links a text that uses no fragment, which changes nothing.
fn one_file_is_linked(source: &str) {
    let mut sources = Sources::new("templates");
    let bytes = source.as_bytes().to_vec();
    let file: FileId = sources.add_as(Folder::System, "x.md", "templates/x.md".to_owned(), bytes);
    let (linked, compilation) = link_one(sources, file, &Dialect::SYSTEM);
    faults_have_places(&compilation);
    let text = &compilation.sources.get(file).text;
    if compilation.diagnostics.is_empty() {
        assert_eq!((linked.text.as_str(), linked.complete), (text.as_str(), true));
        for token in lex(text, &Dialect::SYSTEM) {
            assert_eq!(linked.place(token.span), Place { file, span: token.span });
        }
    }
}
