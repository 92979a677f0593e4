//! Turns tokens into nodes. Every fault is collected; a faulty marker leaves no node behind.

use std::borrow::Cow;

use super::dialect::{Braces, Dialect, Directive};
use super::lexer::{Token, TokenKind, is_name, lex};
use super::node::{Node, Part};
use super::span::Span;

/// A parsed source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed<'s> {
    /// The nodes with their places, in order.
    pub nodes: Vec<(Node<'s>, Span)>,
    /// What is wrong, in order.
    pub faults: Vec<Fault>,
    /// The YAML of the frontmatter.
    pub frontmatter: Option<Span>,
}

/// A marker that is not right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The marker.
    pub span: Span,
    /// The part that carries the author's intent: the name between the delimiters.
    pub inner: Span,
}

/// What can be wrong with a marker on its own, before anything is known of the names it uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The closer does not come before the end of the line.
    Unclosed,
    /// The name is not one: empty, spaced, of the wrong characters.
    Malformed,
    /// The marker belongs to another dialect.
    Foreign,
    /// There is no such directive.
    UnknownDirective,
}

/// Parses `source` in the given dialect.
///
/// ```
/// use agentd::template::{Dialect, Node, parse};
///
/// let parsed = parse("Do {{TASKS}} {{{{now}}", &Dialect::SYSTEM);
/// let nodes: Vec<_> = parsed.nodes.into_iter().map(|(node, _)| node).collect();
/// assert_eq!(
///     nodes,
///     [Node::Text("Do "), Node::Hole("TASKS"), Node::Text(" "), Node::Text("{{"), Node::Text("now}}")]
/// );
/// ```
pub fn parse<'s>(source: &'s str, dialect: &Dialect<'_>) -> Parsed<'s> {
    let mut parsed = Parsed::default();
    for token in lex(source, dialect) {
        let span = token.span;
        if let TokenKind::Frontmatter { yaml } = token.kind {
            parsed.frontmatter = Some(yaml);
            continue;
        }
        match node(source, token, dialect) {
            Ok(node) => parsed.nodes.push((node, span)),
            Err((kind, inner)) => parsed.faults.push(Fault { kind, span, inner }),
        }
    }
    parsed
}

/// Makes the node of one token, or says what is wrong with it and where its name stands.
pub(crate) fn node<'s>(
    source: &'s str,
    token: Token,
    dialect: &Dialect<'_>,
) -> Result<Node<'s>, (FaultKind, Span)> {
    let span = token.span;
    match token.kind {
        TokenKind::Text | TokenKind::Frontmatter { .. } => Ok(Node::Text(span.of(source))),
        TokenKind::Escape => Ok(Node::Text(&source[span.start + 2..span.end])),
        TokenKind::Brace { inner } => brace(source, inner, dialect).map_err(|kind| (kind, inner)),
        TokenKind::Bracket { word, argument } => {
            bracket(source, span, word, argument, dialect).map_err(|kind| (kind, word))
        }
        TokenKind::Unclosed => Err((FaultKind::Unclosed, Span::new(span.start + 2, span.end))),
    }
}

fn brace<'s>(source: &'s str, inner: Span, dialect: &Dialect<'_>) -> Result<Node<'s>, FaultKind> {
    let trimmed = inner.of(source).trim_matches([' ', '\t']);
    // Only identities allow blanks inside the braces; nowhere does a name of the other case fit.
    let (name, is_own, is_other) = match dialect.braces {
        Braces::Lower => (trimmed, is_lower_snake(trimmed), is_upper_snake(trimmed)),
        Braces::Upper | Braces::Text => {
            let name = inner.of(source);
            (name, is_upper_snake(name), is_lower_snake(trimmed))
        }
    };
    match (is_own, is_other) {
        (true, _) => Ok(Node::Hole(name)),
        (false, true) => Err(FaultKind::Foreign),
        (false, false) => Err(FaultKind::Malformed),
    }
}

fn bracket<'s>(
    source: &'s str,
    span: Span,
    word: Span,
    argument: Option<Span>,
    dialect: &Dialect<'_>,
) -> Result<Node<'s>, FaultKind> {
    let directive = Directive::from_word(word.of(source)).ok_or(FaultKind::UnknownDirective)?;
    if !dialect.knows(directive) {
        return Err(FaultKind::Foreign);
    }
    let argument = argument.filter(|_| word.start == span.start + 2).ok_or(FaultKind::Malformed)?;
    let argument = argument.of(source);
    match directive {
        Directive::Placeholder if is_name(argument) => Ok(Node::Hole(argument)),
        Directive::Shared if is_name(argument) => Ok(Node::Fragment(argument)),
        Directive::Placeholder | Directive::Shared => Err(FaultKind::Malformed),
        Directive::Include => include(argument, true),
        Directive::IncludeOptional => include(argument, false),
    }
}

/// Parses the path of an include, which may hold placeholders and nothing else that is live.
fn include(argument: &str, required: bool) -> Result<Node<'_>, FaultKind> {
    const OPEN: &str = "[[placeholder:";
    let mut rest = argument.trim();
    let mut path = Vec::new();
    while !rest.is_empty() {
        let text = &rest[..rest.find("[[").unwrap_or(rest.len())];
        if !text.is_empty() {
            path.push(Part::Text(text));
            rest = &rest[text.len()..];
            continue;
        }
        let (name, after) = rest
            .strip_prefix(OPEN)
            .and_then(|rest| rest.split_once("]]"))
            .ok_or(FaultKind::Malformed)?;
        if !is_name(name) {
            return Err(FaultKind::Malformed);
        }
        path.push(Part::Hole(name));
        rest = after;
    }
    if path.is_empty() {
        return Err(FaultKind::Malformed);
    }
    Ok(Node::Include { path: Cow::Owned(path), required })
}

fn is_upper_snake(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        && name.bytes().next().is_some_and(|first| first.is_ascii_uppercase())
}

/// Returns whether `name` is one as identities know them: `[a-z][a-z0-9_]*`.
pub fn is_lower_snake(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        && name.bytes().next().is_some_and(|first| first.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes<'s>(source: &'s str, dialect: &Dialect<'_>) -> Vec<Node<'s>> {
        let parsed = parse(source, dialect);
        assert_eq!(parsed.faults, [], "{source}");
        parsed.nodes.into_iter().map(|(node, _)| node).collect()
    }

    fn fault(source: &str, dialect: &Dialect<'_>) -> FaultKind {
        let parsed = parse(source, dialect);
        assert_eq!(parsed.faults.len(), 1, "{source}: {parsed:?}");
        parsed.faults[0].kind
    }

    #[test]
    fn each_dialect_knows_its_own_markers() {
        assert_eq!(nodes("{{TASKS}}", &Dialect::SYSTEM), [Node::Hole("TASKS")]);
        assert_eq!(nodes("[[shared:a-b]]", &Dialect::SYSTEM), [Node::Fragment("a-b")]);
        assert_eq!(nodes("{{X}}", &Dialect::ROLE), [Node::Text("{{X}}")]);
        assert_eq!(nodes("[[placeholder:x_1]]", &Dialect::ROLE), [Node::Hole("x_1")]);
        assert_eq!(nodes("{{ max_steps }}", &Dialect::IDENTITY), [Node::Hole("max_steps")]);
    }

    #[test]
    fn text_that_only_looks_like_a_marker_is_text() {
        for text in [
            "[[bin]]",
            "[[ -f x ]]",
            "[[:alpha:]]",
            "a[[1]]",
            "[[[[1]]]]",
            "}} ]] {x} [y]",
            "[[NOTE: x]]",
        ] {
            assert_eq!(nodes(text, &Dialect::SYSTEM), [Node::Text(text)], "{text}");
        }
    }

    #[test]
    fn a_doubled_opener_is_text() {
        let render = |source, dialect| {
            let parts = nodes(source, dialect).into_iter().map(|node| match node {
                Node::Text(text) => text.to_owned(),
                other => format!("{other:?}"),
            });
            parts.collect::<String>()
        };
        assert_eq!(render("{{{{X}}", &Dialect::SYSTEM), "{{X}}");
        assert_eq!(render("{{{{{{X}}", &Dialect::SYSTEM), "{{Hole(\"X\")");
        assert_eq!(render("[[[[include:x]]", &Dialect::ROLE), "[[include:x]]");
        assert_eq!(render("[[[[inclde:x]]", &Dialect::SYSTEM), "[[inclde:x]]");
    }

    #[test]
    fn include_paths_are_trimmed_and_may_hold_placeholders() {
        let part = |path| Node::Include { path: Cow::Owned(path), required: true };
        assert_eq!(
            nodes("[[include: a/b.md ]]", &Dialect::ROLE),
            [part(vec![Part::Text("a/b.md")])]
        );
        assert_eq!(
            nodes("[[include:[[placeholder:plan_file]]]]", &Dialect::ROLE),
            [part(vec![Part::Hole("plan_file")])]
        );
        assert_eq!(
            nodes("[[include:a/[[placeholder:n]].md]]", &Dialect::ROLE),
            [part(vec![Part::Text("a/"), Part::Hole("n"), Part::Text(".md")])]
        );
    }

    #[test]
    fn faults_are_told_apart() {
        use FaultKind::{Foreign, Malformed, Unclosed, UnknownDirective};
        let (system, role, identity) = (&Dialect::SYSTEM, &Dialect::ROLE, &Dialect::IDENTITY);
        assert_eq!(fault("{{TASKS\n}}", system), Unclosed);
        assert_eq!(fault("[[shared:x\n", system), Unclosed);
        assert_eq!(fault("{{ TASKS }}", system), Malformed);
        assert_eq!(fault("{{TASKS-1}}", system), Malformed);
        assert_eq!(fault("{{}}", system), Malformed);
        assert_eq!(fault("{{{X}}", system), Malformed);
        assert_eq!(fault("{{tasks}}", system), Foreign);
        assert_eq!(fault("[[placeholder:x]]", system), Foreign);
        assert_eq!(fault("{{TASKS}}", identity), Foreign);
        assert_eq!(fault("[[shared:x]]", identity), Foreign);
        assert_eq!(fault("[[inclde:x]]", role), UnknownDirective);
        assert_eq!(fault("[[note:x]]", role), UnknownDirective);
        assert_eq!(fault("[[Shared:x]]", system), UnknownDirective);
        assert_eq!(fault("[[share]]", role), UnknownDirective);
        assert_eq!(fault("[[shared]]", role), Malformed);
        assert_eq!(fault("[[ shared:x]]", role), Malformed);
        assert_eq!(fault("[[shared:A B]]", role), Malformed);
        assert_eq!(fault("[[include:]]", role), Malformed);
        assert_eq!(fault("[[include:[[shared:x]]]]", role), Malformed);
    }

    #[test]
    fn an_extension_knows_only_allowed_placeholders() {
        let allowed = ["plan_file"];
        let dialect = Dialect::extension(&allowed);
        assert_eq!(nodes("[[placeholder:plan_file]]", &dialect), [Node::Hole("plan_file")]);
        for text in [
            "[[placeholder:project_instructions]]",
            "[[include:/etc/passwd]]",
            "[[[[x:y",
            "{{TASKS",
            "[[placeholder:plan_file",
        ] {
            assert_eq!(nodes(text, &dialect), [Node::Text(text)]);
        }
        assert_eq!(
            nodes("[[[[placeholder:plan_file]]]]", &dialect),
            [Node::Text("[["), Node::Hole("plan_file"), Node::Text("]]")]
        );
    }

    #[test]
    fn frontmatter_is_set_apart_and_must_end() {
        let source = "---\nname: x\n---\nHello {{name}}\n";
        let parsed = parse(source, &Dialect::IDENTITY);
        assert_eq!(parsed.frontmatter.map(|yaml| yaml.of(source)), Some("name: x\n"));
        assert_eq!(parsed.nodes[0].0, Node::Text("Hello "));
        assert_eq!(fault("---\nname: x\n", &Dialect::IDENTITY), FaultKind::Unclosed);
        assert_eq!(parse(source, &Dialect::ROLE).frontmatter, None);
    }
}
