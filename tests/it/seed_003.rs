//! The prompt builder: five layers, one order, one separator, and nothing left of what is empty.

use std::cell::Cell;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::rc::Rc;

use agentd::catalog::CATALOG;
use agentd::models::prompt::{ContextKind, UnifiedPrompt};
use agentd::models::tool::Tool;
use agentd::prompt::memory::{FileMemory, Memory, ProjectMemory};
use agentd::prompt::{PromptBuilder, PromptError, SEPARATOR, Strictness, block};
use agentd::template::{OnMissing, RenderError};
use agentd::{Agent, Phase, Values, Variable};
use proptest::prelude::*;
use serde_json::json;

use crate::envelope::cases;
use crate::support::logged;

const NONE: [(&str, &str); 0] = [];
const TASK_AGENT: [(&str, &str); 2] = [("project_name", "shop"), ("workspace_dir", "/srv/shop")];

/// A memory that says one thing, and counts how often it is asked.
struct Says(&'static str, Rc<Cell<usize>>);

impl ProjectMemory for Says {
    fn recall(&self, project_id: Option<&str>) -> io::Result<Vec<Memory>> {
        self.1.set(self.1.get() + 1);
        let content = format!("{} {}", self.0, project_id.unwrap_or("-"));
        Ok(vec![Memory { name: "profile.md".to_owned(), content }])
    }
}

/// A memory that fails.
struct Fails;

impl ProjectMemory for Fails {
    fn recall(&self, _: Option<&str>) -> io::Result<Vec<Memory>> {
        Err(io::Error::other("the memory is gone"))
    }
}

fn tool(name: &str) -> Tool {
    let (name, description) = (name.to_owned(), "Does something.".to_owned());
    Tool { name, description, input_schema: json!({ "type": "object" }) }
}

fn rendered(name: &str, values: &[(&str, &str)]) -> String {
    let values: HashMap<_, _> =
        values.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let identity = CATALOG.identity(name).expect("an identity");
    identity.render(&values, OnMissing::Empty).expect("rendered").trim_end().to_owned()
}

#[test]
fn seed_003_layer_1_identity_says_who_the_model_is() {
    let mut builder = PromptBuilder::new(None);
    builder.set_identity("task-agent", &TASK_AGENT).expect("an identity");
    assert_eq!(builder.build().0, rendered("task-agent", &TASK_AGENT));
    assert!(builder.build().0.contains("/srv/shop"));
}

#[test]
fn seed_003_identities_supervisor_task_agent_and_hook_executor_are_compiled_in() {
    for (name, alias) in [
        ("supervisor", Some("chat_agent_system")),
        ("task-agent", None),
        ("hook-executor", Some("hook_context")),
    ] {
        let identity = CATALOG.identity(name).expect(name);
        assert_eq!((identity.name, identity.category), (name, "identity"));
        if let Some(alias) = alias {
            assert!(std::ptr::eq(CATALOG.identity(alias).expect(alias), identity));
        }
    }
    assert_eq!(CATALOG.identity("nobody").map(|identity| identity.name), None);
}

#[test]
fn seed_003_layer_2_project_context_comes_from_the_memory() {
    let asked = Rc::new(Cell::new(0));
    let mut builder =
        PromptBuilder::new(Some("shop")).with_memory(Says("A web shop.", Rc::clone(&asked)));
    assert_eq!(builder.build().0, "", "nothing is loaded before it is asked for");
    builder.load_project_context();
    assert_eq!(builder.build().0, "## profile.md\n\nA web shop. shop");
    builder.build();
    assert_eq!(asked.get(), 1);
}

#[test]
fn seed_003_layer_2_reads_profile_and_documentation_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    };
    write("README.md", "The readme {{x}}\n");
    write("profile.md", "The profile\n");
    write("CLAUDE.md", " \n");
    write("shop/CLAUDE.md", "For Claude");
    let context = |id: Option<&str>| {
        let mut builder = PromptBuilder::new(id).with_memory(FileMemory::new(folder.path()));
        logged(|| builder.load_project_context().build().0)
    };
    assert_eq!(context(None).0, "## profile.md\n\nThe profile\n\n## README.md\n\nThe readme {{x}}");
    assert_eq!(context(Some("shop")).0, "## CLAUDE.md\n\nFor Claude");
    assert_eq!(context(Some("other")), (String::new(), vec![]));
    for outside in ["..", "../x", "/etc", ".git", ""] {
        let (text, log) = context(Some(outside));
        assert_eq!((text.as_str(), log.len()), ("", 1), "{outside}: {log:?}");
    }
    let pipe =
        std::process::Command::new("mkfifo").arg(folder.path().join("shop/README.md")).status();
    assert!(pipe.expect("mkfifo runs").success());
    let (text, log) = context(Some("shop"));
    assert_eq!(text, "", "a pipe is not waited for");
    assert!(log[0].1.contains("README.md: not a regular file"), "{log:?}");
    fs::File::create(folder.path().join("profile.md"))
        .and_then(|file| file.set_len(2 << 20))
        .expect("grown");
    let (text, log) = context(None);
    assert_eq!(text, "");
    assert!(log[0].1.contains("profile.md: larger than"), "{log:?}");
}

#[test]
fn seed_003_layer_2_is_empty_without_a_memory_or_when_it_fails() {
    assert_eq!(PromptBuilder::new(Some("shop")).load_project_context().build().0, "");
    let mut builder = PromptBuilder::new(None).with_memory(Fails);
    let (text, log) = logged(|| builder.load_project_context().build().0);
    assert_eq!(text, "");
    assert_eq!(log[0].0, log::Level::Warn);
    assert!(log[0].1.contains("the memory is gone"), "{log:?}");
}

#[test]
#[expect(deprecated, reason = "that it does nothing is what is tested")]
fn seed_003_layer_3_relevant_rules_do_nothing() {
    let mut builder = PromptBuilder::new(None);
    builder.add_context("task", "x");
    let before = builder.build();
    builder.load_relevant_rules("anything");
    assert_eq!(builder.build(), before);
}

#[test]
fn seed_003_layer_4_blocks_have_known_names() {
    let names = [
        block::TASK,
        block::UPSTREAM,
        block::TASK_DEPTH,
        block::HOOK,
        block::SYSTEM_METADATA,
        block::ROLE_INSTRUCTIONS,
    ];
    assert_eq!(
        names,
        ["task", "upstream", "task_depth", "hook", "system_metadata", "role_instructions"]
    );
}

#[test]
fn seed_003_layer_4_blocks_keep_the_order_of_the_calls_and_their_names_are_not_printed() {
    let mut builder = PromptBuilder::new(None);
    builder.add_context(block::UPSTREAM, "second name first").add_context(block::TASK, "then this");
    builder.add_context(block::TASK, "the same name again");
    let (prompt, _) = builder.build();
    assert_eq!(prompt, ["second name first", "then this", "the same name again"].join(SEPARATOR));
}

#[test]
fn seed_003_layer_5_tools_are_checked_and_given_back() {
    let mut builder = PromptBuilder::new(None);
    builder.set_core_tools(vec![tool("a"), tool("b")]).expect("tools");
    assert_eq!(builder.build(), (String::new(), vec![tool("a"), tool("b")]));
    builder.set_tools(vec![tool("c")]).expect("tools");
    assert_eq!(builder.build().1, [tool("c")]);
    let error = builder.set_tools(vec![tool("no name")]).expect_err("a bad name");
    assert!(matches!(error, PromptError::Tool(_)), "{error}");
    assert_eq!(builder.build().1, [tool("c")], "what was wrong has changed nothing");
}

#[test]
fn seed_003_template_loading_reads_frontmatter_and_renders_the_body() {
    for identity in CATALOG.identities {
        assert!(!identity.body.contains("---\nname:"), "{}", identity.name);
        assert_ne!(identity.description, "");
        let values: HashMap<_, _> = identity
            .variables
            .iter()
            .map(|v| (v.name.to_owned(), format!("<{{{{{}}}}}>", v.name)))
            .collect();
        let text = identity.render(&values, OnMissing::Refuse).expect("rendered");
        for variable in identity.variables {
            assert!(
                text.contains(&format!("<{{{{{}}}}}>", variable.name)),
                "{}: {}",
                identity.name,
                variable.name
            );
        }
        let mut walked = String::new();
        agentd::template::render(
            identity.name,
            identity.nodes,
            &values,
            &agentd::template::NoIncludes,
            OnMissing::Empty,
            CATALOG.tags,
            &mut walked,
        )
        .expect("walked");
        assert_eq!(text, walked);
    }
}

#[test]
fn seed_003_output_is_the_layers_with_separators() {
    assert_eq!(SEPARATOR, "\n\n---\n\n");
    let mut builder = PromptBuilder::new(None).with_memory(Says("P", Rc::default()));
    builder.add_context("task", "T").load_project_context();
    builder.set_identity("execution-focus", &NONE).expect("rules");
    let parts =
        [rendered("execution-focus", &[]), "## profile.md\n\nP -".to_owned(), "T".to_owned()];
    assert_eq!(builder.build().0, parts.join(SEPARATOR));
}

#[test]
fn seed_003_task_prompt_is_one_flat_string() {
    let mut builder = PromptBuilder::new(None);
    builder.set_identity("task-agent", &TASK_AGENT).expect("an identity");
    builder.add_context("task", "Add login");
    assert_eq!(
        builder.build_task_prompt(),
        rendered("task-agent", &TASK_AGENT) + SEPARATOR + "Add login"
    );
}

#[test]
fn seed_003_method_add_context_section_renders_markdown() {
    let mut builder = PromptBuilder::new(None);
    let data = json!({ "workspace": "/srv", "git": { "branch": "main", "remotes": ["a", "b"] } });
    builder.add_context_section(block::SYSTEM_METADATA, &data).expect("a section");
    builder.add_context_section("nothing", &json!({})).expect("a section");
    assert_eq!(
        builder.build().0,
        "## System Metadata\n\n- **git:**\n  - **branch:** main\n  - **remotes:**\n    - a\n    - b\n- **workspace:** /srv"
    );
}

#[test]
fn seed_003_method_get_template_gives_the_raw_body_or_none() {
    let mut builder = PromptBuilder::new(None);
    let body = builder.get_template("controlled-splitting").expect("read").expect("there");
    assert!(body.contains("{{current_depth}}"));
    assert_eq!(builder.get_template("nobody").expect("no error"), None);
}

#[test]
fn seed_003_method_render_template_gives_text_or_none() {
    let mut builder = PromptBuilder::new(None);
    let text =
        builder.render_template("plan-structure-guide", &[("max_steps", "7")]).expect("rendered");
    assert!(text.expect("there").contains('7'));
    assert_eq!(builder.render_template("nobody", &NONE).expect("no error"), None);
}

#[test]
fn seed_003_depth_root_gets_the_plan_structure_guide() {
    let rules = |data| {
        let mut builder = PromptBuilder::new(None);
        builder.add_context_section(block::TASK_DEPTH, &data).expect("rules");
        builder.build_unified("x").context.remove(0)
    };
    let item = rules(json!({ "depth": 0, "max_depth": 2, "max_steps": 7 }));
    assert_eq!(item.name, block::EXECUTION_RULES);
    assert_eq!(item.content, rendered("plan-structure-guide", &[("max_steps", "7")]));
    assert_eq!(rules(json!({})).content, rendered("plan-structure-guide", &[("max_steps", "20")]));
}

#[test]
fn seed_003_depth_between_gets_controlled_splitting() {
    let mut builder = PromptBuilder::new(None);
    builder
        .add_context_section("task_depth", &json!({ "depth": 1, "max_depth": 3 }))
        .expect("rules");
    let expected = rendered("controlled-splitting", &[("current_depth", "1"), ("max_depth", "3")]);
    assert_eq!(builder.build().0, expected);
}

#[test]
fn seed_003_depth_maximum_gets_execution_focus_also_at_the_root() {
    for data in [
        json!({ "depth": 2, "max_depth": 2 }),
        json!({ "depth": 5, "max_depth": 2 }),
        json!({ "max_depth": 0 }),
    ] {
        let mut builder = PromptBuilder::new(None);
        builder.add_context_section("task_depth", &data).expect("rules");
        assert_eq!(builder.build().0, rendered("execution-focus", &[]), "{data}");
    }
    let error = PromptBuilder::new(None)
        .add_context_section("task_depth", &json!({ "depth": "x" }))
        .map(|_| ());
    assert!(error.expect_err("no number").to_string().contains("`depth`"));
}

#[test]
fn seed_003_rendering_missing_required_variables_fail_when_strict_and_are_empty_otherwise() {
    let mut strict = PromptBuilder::new(None).with_strictness(Strictness::Strict);
    let error = strict
        .set_identity("task-agent", &[("project_name", "shop")])
        .map(|_| ())
        .expect_err("strict");
    let PromptError::Render(RenderError::MissingValue { template, name }) = error else {
        panic!("{error}")
    };
    assert_eq!((template.as_str(), name.as_str()), ("task-agent", "workspace_dir"));
    strict.set_identity("task-agent", &TASK_AGENT).expect("the default serves for `branch`");
    assert!(strict.build().0.contains("the current branch"));
    let mut lenient = PromptBuilder::new(None);
    lenient.set_identity("task-agent", &[("project_name", "shop")]).expect("lenient");
    assert_eq!(
        lenient.build().0,
        rendered("task-agent", &[("project_name", "shop"), ("workspace_dir", "")])
    );
}

#[test]
fn seed_003_invariant_empty_layers_are_omitted() {
    let mut builder = PromptBuilder::new(None);
    builder.add_context("a", "").add_context("b", " \n").add_context("c", "text");
    assert_eq!(builder.build().0, "text");
    assert_eq!(PromptBuilder::new(None).build(), (String::new(), vec![]));
}

#[test]
fn seed_003_invariant_a_missing_template_is_never_an_error() {
    let mut builder = PromptBuilder::new(None).with_strictness(Strictness::Strict);
    let (result, log) = logged(|| builder.set_identity("nobody", &NONE).map(|_| ()));
    assert!(result.is_ok());
    assert!(log[0].1.contains("there is no identity `nobody`"), "{log:?}");
    assert_eq!(builder.build().0, "");
}

#[test]
fn seed_003_unified_layers_become_a_document() {
    let mut builder = PromptBuilder::new(None).with_memory(Says("P", Rc::default()));
    builder
        .add_file("src/a.rs", "fn a() {}")
        .add_context("note", "n")
        .add_thought("t", "hm")
        .add_artifact("REVIEW.md", "r");
    builder.set_tools(vec![tool("look")]).expect("tools");
    let values = Values::new().with(Variable::Tasks, "1.1");
    builder
        .set_phase(Agent::Claude, Phase::Implement, &values)
        .expect("a phase")
        .load_project_context();
    let prompt = builder.build_unified("Add login");
    let system = CATALOG.system(Agent::Claude, Phase::Implement).render(&values);
    assert_eq!(
        prompt.system_prompt,
        Some(system.trim_end().to_owned() + SEPARATOR + "## profile.md\n\nP -")
    );
    let context: Vec<_> =
        prompt.context.iter().map(|item| (item.kind, item.name.as_str())).collect();
    assert_eq!(
        context,
        [
            (ContextKind::File, "src/a.rs"),
            (ContextKind::Artifact, "note"),
            (ContextKind::Thought, "t"),
            (ContextKind::Artifact, "REVIEW.md"),
            (ContextKind::Artifact, "tools"),
        ]
    );
    let tools: Vec<Tool> = serde_json::from_str(&prompt.context[4].content).expect("JSON");
    assert_eq!(tools, [tool("look")]);
    assert_eq!(PromptBuilder::new(None).build_unified("x"), UnifiedPrompt::new("x"));
    let mut empty = PromptBuilder::new(None);
    empty.add_artifact("empty.md", "").add_file("empty.rs", "").add_context("note", "");
    assert_eq!(
        empty.build_unified("x").context.len(),
        2,
        "a file that is empty is there all the same"
    );
    let mut strict = PromptBuilder::new(None).with_strictness(Strictness::Strict);
    assert!(strict.set_phase(Agent::Base, Phase::Plan, &Values::new()).is_err());
}

#[cfg(feature = "compiler")]
mod project {
    use agentd::prompt::project::{ProjectPromptError, ProjectPrompts};

    use super::*;

    const MINE: &str = "---\nname: task-agent\ncategory: identity\ndescription: ours\nvariables:\n  - name: who\n    \
                        description: someone\n    required: true\n---\nI am {{ who }}.\n";

    fn write(folder: &tempfile::TempDir, path: &str, text: &str) {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    #[test]
    fn seed_003_templates_of_the_project_serve_first_and_are_cached_until_reload() {
        let folder = tempfile::tempdir().expect("a folder");
        write(&folder, "identities/task-agent.md", MINE);
        let mut builder =
            PromptBuilder::new(None).with_project_prompts(ProjectPrompts::new(folder.path()));
        let render = |builder: &mut PromptBuilder| {
            builder
                .render_template("task-agent", &[("who", "{{who}}")])
                .expect("rendered")
                .expect("there")
        };
        assert_eq!(render(&mut builder), "I am {{who}}.");
        write(&folder, "identities/task-agent.md", &MINE.replace("I am", "We are"));
        assert_eq!(render(&mut builder), "I am {{who}}.", "cached");
        builder.reload();
        assert_eq!(render(&mut builder), "We are {{who}}.");
        assert_eq!(
            builder.get_template("task-agent").expect("read"),
            Some("We are {{ who }}.\n".to_owned())
        );
        let ours = builder.render_template("execution-focus", &NONE).expect("rendered");
        assert_eq!(
            ours,
            Some(rendered("execution-focus", &[])),
            "the compiled-in one serves when there is none"
        );
        let strict = PromptBuilder::new(None).with_strictness(Strictness::Strict);
        let mut strict = strict.with_project_prompts(ProjectPrompts::new(folder.path()));
        assert!(strict.render_template("task-agent", &NONE).is_err());
    }

    #[test]
    fn seed_003_templates_of_the_project_are_held_to_the_same_rules() {
        let folder = tempfile::tempdir().expect("a folder");
        write(&folder, "identities/task-agent.md", &MINE.replace("{{ who }}", "{{ whoo }}"));
        write(&folder, "identities/supervisor.md", "No frontmatter.\n");
        let mut builder =
            PromptBuilder::new(None).with_project_prompts(ProjectPrompts::new(folder.path()));
        for (name, expected) in [
            (
                "task-agent",
                "error[undeclared-variable]: the variable `whoo` is used but not declared",
            ),
            ("supervisor", "error[missing-frontmatter]"),
            ("chat_agent_system", "error[missing-frontmatter]"),
        ] {
            let error = builder.set_identity(name, &NONE).map(|_| ()).expect_err(name);
            assert!(matches!(error, PromptError::Project(ProjectPromptError::Invalid { .. })));
            assert!(error.to_string().contains(expected), "{error}");
        }
        assert_eq!(builder.get_template("../identities/task-agent").expect("no name"), None);
    }

    #[test]
    fn seed_003_phases_of_the_project_join_layer_2_as_plain_text() {
        let folder = tempfile::tempdir().expect("a folder");
        write(&folder, "phases/plan.md", "Ask for {{TASKS}} and [[include:/etc/passwd]].\n");
        let builder = PromptBuilder::new(None).with_memory(Says("P", Rc::default()));
        let mut builder = builder.with_project_prompts(ProjectPrompts::new(folder.path()));
        builder
            .set_phase(Agent::Base, Phase::Plan, &Values::new())
            .expect("a phase")
            .load_project_context();
        let system = builder.build_unified("x").system_prompt.expect("a system prompt");
        let layer_2 = "## profile.md\n\nP -\n\nAsk for {{TASKS}} and [[include:/etc/passwd]].";
        assert!(system.ends_with(&format!("{SEPARATOR}{layer_2}")), "{system}");
        builder.set_phase(Agent::Base, Phase::Review, &Values::new()).expect("a phase");
        let system = builder.build_unified("x").system_prompt.expect("a system prompt");
        assert!(
            system.ends_with("## profile.md\n\nP -"),
            "the addition of the phase before is gone"
        );
    }
}

/// A call on a builder.
#[derive(Clone, Debug)]
enum Call {
    Identity,
    Project,
    Context(String),
    Tools,
}

fn make(calls: &[Call]) -> PromptBuilder {
    let mut builder = PromptBuilder::new(None).with_memory(Says("PROJECT", Rc::default()));
    for call in calls {
        match call {
            Call::Identity => drop(builder.set_identity("execution-focus", &NONE)),
            Call::Project => drop(builder.load_project_context()),
            Call::Context(text) => drop(builder.add_context("block", text)),
            Call::Tools => drop(builder.set_tools(vec![tool("t")])),
        }
    }
    builder
}

fn calls() -> impl Strategy<Value = Vec<Call>> {
    let text = prop::sample::select(vec!["", " ", "one", "two\n", "---"]);
    let call = prop_oneof![
        1 => Just(Call::Identity),
        1 => Just(Call::Project),
        1 => Just(Call::Tools),
        4 => text.prop_map(|text| Call::Context(text.to_owned())),
    ];
    prop::collection::vec(call, 0..10)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn seed_003_invariant_layer_order_never_depends_on_the_order_of_calls(calls in calls(), swaps in any::<u64>()) {
        let rank = |call: &Call| match call { Call::Identity => 0, Call::Project => 1, Call::Context(_) => 2, Call::Tools => 3 };
        let mut sorted = calls.clone();
        sorted.sort_by_key(rank);
        let mut rotated = sorted.clone();
        // Blocks keep their own order, so only calls of different layers change places.
        for at in 0..rotated.len().saturating_sub(1) {
            if swaps >> (at % 64) & 1 == 1 && rank(&rotated[at]) != rank(&rotated[at + 1]) {
                rotated.swap(at, at + 1);
            }
        }
        prop_assert_eq!(make(&sorted).build(), make(&calls).build());
        prop_assert_eq!(make(&sorted).build(), make(&rotated).build());
    }

    #[test]
    fn seed_003_invariant_an_empty_block_changes_nothing(calls in calls(), at in 0_usize..10) {
        let mut with = calls.clone();
        with.insert(at.min(calls.len()), Call::Context(" \n".to_owned()));
        prop_assert_eq!(make(&with).build(), make(&calls).build());
        prop_assert_eq!(make(&with).build_unified("x"), make(&calls).build_unified("x"));
    }

    #[test]
    fn seed_003_invariant_building_twice_gives_the_same(calls in calls()) {
        let builder = make(&calls);
        prop_assert_eq!(builder.build(), builder.build());
        prop_assert_eq!(builder.build_task_prompt(), builder.build().0);
    }
}
