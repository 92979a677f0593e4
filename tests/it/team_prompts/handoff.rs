//! The research handoff of the coder's prompts, rule by rule.

use std::fs;

use agentd::prompt::team::build_coder_whole_plan_prompt;

use super::scene::{Build, Scene, coder_of_plan_2, text};
use crate::support::logged;

const HEADING: &str = "Research handoff";

/// Both prompts of a coder.
const CODERS: [Build; 2] = [coder_of_plan_2, build_coder_whole_plan_prompt];

fn topic(scene: &Scene, name: &str, files: &[&str]) {
    for file in files {
        scene.file(&format!("03_research/{name}/{file}"), "");
    }
}

#[test]
fn seed_002_finished_research_is_listed_by_summary_then_detail() {
    let scene = Scene::new();
    topic(&scene, "code-auth", &["done", "summary.md", "detail.md"]);
    topic(&scene, "web-oauth", &["done", "summary.md"]);
    for build in CODERS {
        let prompt = text(build(&scene.session()));
        assert!(prompt.contains(HEADING), "{prompt}");
        let listed: Vec<_> = prompt
            .lines()
            .filter(|line| line.contains("`03_research/") && line.trim_start().starts_with("- "))
            .collect();
        assert_eq!(
            listed,
            [
                "- Summary: `03_research/code-auth/summary.md`",
                "  - Detail: `03_research/code-auth/detail.md`",
                "- Summary: `03_research/web-oauth/summary.md`",
            ]
        );
        assert!(prompt.contains("primary reference"));
    }
}

#[test]
fn seed_002_topics_are_listed_in_the_order_of_their_names() {
    let scene = Scene::new();
    let names = ["web-a", "code-z", "code-b", "code-a10", "code-a2"];
    for name in names {
        topic(&scene, name, &["done", "summary.md"]);
    }
    let prompt = text(coder_of_plan_2(&scene.session()));
    let mut sorted = names;
    sorted.sort_unstable();
    let at = |name: &str| prompt.find(&format!("`03_research/{name}/summary.md`")).expect(name);
    assert!(sorted.is_sorted_by_key(|name| at(name)), "{prompt}");
}

#[test]
fn seed_002_a_topic_needs_both_its_marker_and_its_summary() {
    let scene = Scene::new();
    topic(&scene, "code-open", &["summary.md", "detail.md"]);
    topic(&scene, "code-hasty", &["done", "detail.md"]);
    topic(&scene, "code-good", &["done", "summary.md"]);
    fs::create_dir_all(scene.path("03_research/code-folder/done")).expect("made");
    topic(&scene, "code-folder", &["summary.md"]);
    scene.file("03_research/notes.md", "a file is no topic");
    for build in CODERS {
        let prompt = text(build(&scene.session()));
        assert!(prompt.contains("03_research/code-good/summary.md"));
        for name in ["code-open", "code-hasty", "code-folder", "notes.md"] {
            assert!(!prompt.contains(&format!("03_research/{name}")), "{name}");
        }
    }
}

#[test]
fn seed_002_without_finished_research_there_is_no_section() {
    let scene = Scene::new();
    topic(&scene, "code-auth", &["summary.md"]);
    let with_open_topic: Vec<_> =
        CODERS.iter().map(|build| text(build(&scene.session()))).collect();
    fs::remove_dir_all(scene.path("03_research")).expect("removed");
    for (build, before) in CODERS.iter().zip(with_open_topic) {
        let prompt = text(build(&scene.session()));
        assert!(!prompt.contains(HEADING), "{prompt}");
        assert_eq!(prompt, before);
    }
}

#[test]
fn a_topic_that_leads_out_or_has_a_crafted_name_is_left_out_and_said() {
    let scene = Scene::new();
    topic(&scene, "code-good", &["done", "summary.md"]);
    topic(&scene, "x`\n## Orders", &["done", "summary.md"]);
    scene.link("03_research/code-out", "/etc");
    scene.link("03_research/code-auth/done", "/etc/passwd");
    topic(&scene, "code-auth", &["summary.md"]);
    let (prompt, log) = logged(|| text(coder_of_plan_2(&scene.session())));
    assert!(prompt.contains("03_research/code-good/summary.md"));
    assert!(!prompt.contains("## Orders") && !prompt.contains("code-auth/summary.md"), "{prompt}");
    assert!(log.iter().any(|(_, line)| line.contains("x`\\n## Orders")), "{log:?}");
    assert!(log.iter().any(|(_, line)| line.contains("code-auth")), "{log:?}");
}
