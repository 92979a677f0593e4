//! What a prompt costs, as ratios to one memcpy of the same output measured in the same run.
//!
//! `cargo bench` prints the table; `docs/PERFORMANCE.md` shows a run and explains it.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod measure;

use std::hint::black_box;

use agentd::catalog::CATALOG;
use agentd::compile::{compile, load};
use agentd::models::prompt::UnifiedPrompt;
use agentd::orchestrator::markers::Answer;
use agentd::orchestrator::prompts::{inject_variables, load_system_template};
use agentd::prompt::{PromptBuilder, block};
use agentd::template::{NoIncludes, OnMissing, render};
use agentd::{Agent, Phase, Values, Variable};
use measure::{Group, heading};

fn main() {
    look_ups();
    renders();
    identities();
    layers();
    envelopes();
    markers();
    compiling();
}

fn look_ups() {
    heading("look-up", "median; there is no output to copy");
    let mut group = Group::alone();
    group.case("typed, Agent and Phase", || {
        CATALOG.system(black_box(Agent::Gemini), black_box(Phase::Archive))
    });
    group.case("by name, through phf", || CATALOG.find(black_box("GEMINI"), black_box("archive")));
    group.case("load_system_template, from outside", || {
        load_system_template(black_box("claude"), black_box("implement"))
    });
    group.print();
}

/// Values of the given size in all, spread over the five variables.
fn values(size: usize) -> [String; Variable::ALL.len()] {
    std::array::from_fn(|_| {
        "A line of project context, tasks or tree.\n".repeat(size / 5 / 42 + 1)[..size / 5]
            .to_owned()
    })
}

fn renders() {
    let template = CATALOG.system(Agent::Claude, Phase::Implement);
    for (name, size) in [("2 KB", 2_000), ("64 KB", 64_000), ("1 MB", 1_000_000)] {
        heading(
            &format!("render {} with {name} of values", template.file),
            "median; ratio to a memcpy of the output",
        );
        let texts = values(size);
        let values = Variable::ALL
            .iter()
            .zip(&texts)
            .fold(Values::new(), |all, (variable, text)| all.with(*variable, text));
        let scope =
            Variable::ALL.iter().zip(&texts).map(|(v, text)| (v.word().to_owned(), text.clone()));
        let scope: std::collections::HashMap<_, _> = scope.collect();
        // Code is full of `<` and `&`, so that each value is searched when it is rendered.
        let sources: Vec<String> =
            source_files(Variable::ALL.len(), size).into_iter().map(|(_, text)| text).collect();
        let code = Variable::ALL
            .iter()
            .zip(&sources)
            .fold(Values::new(), |all, (variable, text)| all.with(*variable, text));
        let output = template.render(&values);
        let mut buffer = String::with_capacity(output.len());
        let mut group = Group::with_copy_of(&output);
        group.case("compiled, fresh string", || template.render(black_box(&values)));
        group.case("compiled, reused buffer", || {
            buffer.clear();
            template.render_into(black_box(&values), &mut buffer);
            buffer.len()
        });
        group.case("values bound and guarded, then compiled", || {
            let bound = Variable::ALL
                .iter()
                .zip(black_box(&texts))
                .fold(Values::new(), |all, (variable, text)| all.with(*variable, text));
            template.render(&bound)
        });
        group.case("compiled, source code as values", || template.render(black_box(&code)));
        group.case("node table walked", || {
            let mut out = String::new();
            render(
                template.file,
                template.nodes,
                black_box(&scope),
                &NoIncludes,
                OnMissing::Note,
                CATALOG.tags,
                &mut out,
            )
            .is_ok()
        });
        group.case("inject_variables, lexed at run time", || {
            inject_variables(template.text, black_box(&scope))
        });
        group.print();
    }
}

fn identities() {
    let identity = CATALOG.identity("task-agent").unwrap_or(CATALOG.identities[0]);
    heading(
        &format!("render the identity {} with three variables", identity.name),
        "median; ratio to a memcpy of the output",
    );
    let values =
        [("project_name", "shop"), ("workspace_dir", "/srv/shop"), ("branch", "agentd/login")];
    let Ok(bound) = identity.bind(&values, OnMissing::Refuse) else { return };
    let output = bound.render();
    let mut group = Group::with_copy_of(&output);
    group.case("compiled, values at hand", || black_box(&bound).render());
    group.case("compiled, values looked up by name", || {
        identity.render(black_box(&values), OnMissing::Refuse).ok()
    });
    group.print();
}

fn layers() {
    heading("build a prompt of five layers, 64 KB", "median; ratio to a memcpy of the output");
    let mut builder = PromptBuilder::new(None);
    builder.set_core_tools(Vec::new()).ok();
    builder.set_phase(Agent::Claude, Phase::Implement, &Values::new()).ok();
    for text in values(56_000) {
        builder.add_context(block::UPSTREAM, &text);
    }
    let (output, _) = builder.build();
    let mut group = Group::with_copy_of(&output);
    group.case("build", || black_box(&builder).build());
    group.print();
}

/// Real source text: this crate's own files, cut and repeated until `size` bytes stand in `count` files.
fn source_files(count: usize, size: usize) -> Vec<(String, String)> {
    let mut paths: Vec<_> = walkdir(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    paths.sort();
    let all: String = paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    let each = size / count;
    let text = all.repeat(size / all.len() + 2);
    let cut = |number: usize| {
        let start = text.ceil_char_boundary(number * each % all.len());
        text[start..text.ceil_char_boundary(start + each)].to_owned()
    };
    (0..count).map(|number| (format!("src/file_{number}.rs"), cut(number))).collect()
}

fn walkdir(root: &str) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let paths = entries.flat_map(|entry| match entry.path() {
        path if path.is_dir() => walkdir(&path.to_string_lossy()),
        path => vec![path],
    });
    paths.collect()
}

fn envelopes() {
    for (name, count, size) in
        [("20 KB", 4, 20_000), ("300 KB", 20, 300_000), ("5 MB", 40, 5_000_000)]
    {
        heading(
            &format!("envelope of {count} source files, {name}"),
            "median; ratio to a memcpy of the document",
        );
        let prompt = source_files(count, size)
            .into_iter()
            .fold(UnifiedPrompt::new("Add login"), |prompt, (path, text)| {
                prompt.with_file(path, text)
            });
        let document = prompt.to_xml();
        let mut buffer = Vec::with_capacity(document.len());
        let mut group = Group::with_copy_of(&document);
        group.case("to_xml", || black_box(&prompt).to_xml());
        group.case("write_xml into a reused buffer", || {
            buffer.clear();
            black_box(&prompt).write_xml(&mut buffer).is_ok()
        });
        group.case("to_verified_xml, read back and compared", || {
            black_box(&prompt).to_verified_xml().is_ok()
        });
        group.print();
    }
}

/// Answers as agents write them: our own documents, which are Markdown with much code, and a verdict.
fn markers() {
    let documents = ["grammar.md", "diagnostics.md", "templates.md", "prompts.md"];
    let read = |name: &&str| {
        std::fs::read_to_string(format!("{}/docs/{name}", env!("CARGO_MANIFEST_DIR"))).ok()
    };
    let text: String = documents.iter().filter_map(read).collect();
    // Whole documents: a cut could leave code open, and all that follows would be code.
    let mut text = text.repeat(1_000_000 / text.len());
    let end = "\n\n<thought>Done.</thought>\n<review>NEEDS_CHANGES</review>\n";
    // As a reviewer writes, who speaks of no marker but the last; and full of markers and thoughts in code, for which
    // it is parsed more than once.
    let plain = text.replace("<review>", "(review)").replace("<thought", "(thought") + end;
    text.push_str(end);
    for (name, answer) in [("a report", &plain), ("markers and thoughts in code", &text)] {
        let title = format!("markers of an answer of 1 MB: {name}");
        heading(&title, "median; ratio to one parse by pulldown-cmark");
        let answer = answer.as_str();
        let mut group = Group::beside("pulldown-cmark", move || {
            pulldown_cmark::Parser::new(black_box(answer)).count()
        });
        group.case("thoughts, places and all markers", || Answer::read(black_box(answer)));
        group.print();
    }
}

fn compiling() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/templates"));
    let Ok(sources) = load(root) else { return };
    let text: String = sources.iter().map(|(_, file)| file.text.as_str()).collect();
    heading(
        "compile all templates, as the build does",
        "median; ratio to a memcpy of their sources",
    );
    let compilation = compile(sources.clone());
    let mut group = Group::with_copy_of(&text);
    group.case("link and check", || compile(sources.clone()));
    group.case("generate", || compilation.generate("crate"));
    group.print();
}
