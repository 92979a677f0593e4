//! What must always hold of the template language, whatever the text.

use std::collections::BTreeMap;
use std::time::Duration;

use agentd::catalog::CATALOG;
use agentd::models::prompt::UnifiedPrompt;
use agentd::orchestrator::prompts::inject_variables;
use agentd::template::lexer::lex;
use agentd::template::{Dialect, NoIncludes, Node, OnMissing, parse, render};
use agentd::{Values, Variable};
use proptest::prelude::*;
use rustix::time::{ClockId, clock_gettime};

use crate::envelope::cases;

fn source() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "{{",
        "}}",
        "{",
        "}",
        "{{{{",
        "[[",
        "]]",
        "[",
        "]",
        "[[[[",
        "TASKS",
        "tasks",
        "shared",
        "shared:",
        "include:",
        "include-optional:",
        "placeholder:",
        "inclde:",
        "name",
        ":",
        " ",
        "\n",
        "\r\n",
        "---",
        "---\n",
        "é",
        "x",
        "{{TASKS}}",
        "[[shared:x]]",
        "[[placeholder:x]]",
        "[[include:[[placeholder:x]]]]",
        "{{ name }}",
    ]);
    let anything = prop_oneof![9 => pieces.prop_map(str::to_owned), 1 => any::<String>()];
    prop::collection::vec(anything, 0..20).prop_map(|parts| parts.concat())
}

fn dialects() -> Vec<Dialect<'static>> {
    vec![Dialect::SYSTEM, Dialect::ROLE, Dialect::IDENTITY, Dialect::extension(&["x", "name"])]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(2_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lexing_is_lossless_in_every_dialect(source in source()) {
        for dialect in dialects() {
            let mut at = 0;
            for token in lex(&source, &dialect) {
                prop_assert_eq!(token.span.start, at);
                prop_assert!(token.span.end > at);
                at = token.span.end;
            }
            prop_assert_eq!(at, source.len());
        }
    }

    #[test]
    fn text_without_openers_is_itself(source in "[^{\\[]{0,40}") {
        for dialect in [Dialect::SYSTEM, Dialect::ROLE, Dialect::extension(&[])] {
            let parsed = parse(&source, &dialect);
            prop_assert!(parsed.faults.is_empty());
            let text: String = parsed.nodes.iter().map(|(node, _)| match node {
                Node::Text(text) => *text,
                other => panic!("{other:?}"),
            }).collect();
            prop_assert_eq!(&text, &source);
        }
    }

    #[test]
    fn an_extension_without_names_is_all_text(source in source()) {
        let parsed = parse(&source, &Dialect::extension(&[]));
        prop_assert!(parsed.faults.is_empty());
        prop_assert!(parsed.nodes.iter().all(|(node, _)| matches!(node, Node::Text(_))));
    }

    #[test]
    fn compiled_walked_and_injected_prompts_are_equal(values in prop::collection::vec(prop::option::of(source()), 5)) {
        let given: BTreeMap<String, String> = Variable::ALL.iter().zip(&values)
            .filter_map(|(variable, value)| Some((variable.word().to_owned(), value.clone()?)))
            .collect();
        let compiled_values = Variable::ALL.iter().zip(&values).fold(Values::new(), |all, (variable, value)| {
            value.as_ref().map_or(all, |value| all.with(*variable, value))
        });
        for template in CATALOG.templates {
            let compiled = template.render(&compiled_values);
            let mut walked = String::new();
            let missing = render(template.file, template.nodes, &given, &NoIncludes, OnMissing::Note, CATALOG.tags, &mut walked);
            prop_assert_eq!(&compiled, &walked);
            prop_assert_eq!(&compiled, &inject_variables(template.text, &given));
            let missing: Vec<_> = missing.expect("rendered").into_iter().map(str::to_owned).collect();
            let expected: Vec<_> = template.missing(&compiled_values).map(|v| v.word().to_owned()).collect();
            prop_assert_eq!(missing, expected);
        }
    }

    #[test]
    fn values_come_out_as_they_went_in(value in source()) {
        // What the guard does about tags has tests of its own, in `frames`.
        let value = value.replace('<', "(");
        let scope = BTreeMap::from([("x".to_owned(), value.clone())]);
        let parsed = parse("<[[placeholder:x]]>", &Dialect::ROLE);
        let mut out = String::new();
        let nodes = parsed.nodes.iter().map(|(node, _)| node);
        render("t", nodes, &scope, &NoIncludes, OnMissing::Refuse, CATALOG.tags, &mut out)
            .expect("rendered");
        prop_assert_eq!(out, format!("<{value}>"));
    }
}

/// Asserts that doubling the input does not much more than double the time: T(2n)/T(n) <= 2.5, by the best of
/// several measurements, each of enough runs to be measured. What this thread computed is measured, so that a busy
/// machine does not count. The sizes stay within the caches, whose edges would look like growth.
pub(crate) fn assert_linear(what: &str, make: impl Fn(usize) -> String, run: impl Fn(&str)) {
    assert_linear_from(32_000, what, make, run);
}

/// Asserts the same of an input of this size.
pub(crate) fn assert_linear_from(
    size: usize,
    what: &str,
    make: impl Fn(usize) -> String,
    run: impl Fn(&str),
) {
    let (small, large) = (make(size), make(2 * size));
    let time = |text: &str, runs: u32| {
        let start = computed();
        (0..runs).for_each(|_| run(text));
        computed().saturating_sub(start)
    };
    let runs = (0..30)
        .map(|power| 1 << power)
        .find(|runs| time(&small, *runs) > Duration::from_micros(500));
    let runs = runs.unwrap_or(1);
    let best =
        |text: &str| (0..7).map(|_| time(text, runs)).min().unwrap_or_default().as_secs_f64();
    let ratio = (0..5).map(|_| best(&large) / best(&small)).find(|ratio| *ratio <= 2.5);
    assert!(ratio.is_some(), "{what}: T(2n)/T(n) stays above 2.5");
}

/// Says for how long this thread has computed.
pub(crate) fn computed() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.try_into().expect("a time since the thread began")
}

#[test]
fn lexing_takes_linear_time_on_every_kind_of_text() {
    let generators: [(&str, &str); 9] = [
        ("prose", "A line of prose with {braces} and [brackets].\n"),
        ("holes on one line", "{{TASKS}} "),
        ("open braces on one line", "{{ "),
        ("triple braces", "{{{"),
        ("open brackets on one line", "[[ "),
        ("directives on one line", "[[shared:x]] "),
        ("unclosed directives on one line", "[[include:[[placeholder:x "),
        ("closers", "}}]]"),
        ("near misses", "[[shard "),
    ];
    for (what, piece) in generators {
        for dialect in dialects() {
            let make = |size: usize| piece.repeat(size / piece.len());
            assert_linear(&format!("{what}, {}", dialect.name), make, |text| {
                std::hint::black_box(lex(text, &dialect));
            });
        }
    }
}

#[test]
fn the_envelope_takes_linear_time_on_every_kind_of_text() {
    for piece in [
        "plain text and more of it\n",
        "Vec<File> ",
        "<",
        "]]>",
        "< < <",
        "]",
        "</ / / /",
        "\u{feff}é",
        "\0",
    ] {
        let make = |size: usize| piece.repeat(size / piece.len());
        assert_linear(piece, make, |text| {
            std::hint::black_box(UnifiedPrompt::new(text).to_xml());
        });
    }
}

#[test]
fn rendering_takes_linear_time() {
    let template = CATALOG.templates[0];
    assert_linear(
        "render",
        |size| "value ".repeat(size / 6),
        |text| {
            std::hint::black_box(
                template.render(&Values::new().with(Variable::ProjectContext, text)),
            );
        },
    );
}
