//! What each builder puts into its prompt, and where the prompt goes.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use agentd::catalog::TEAM;
use agentd::models::agent::Protocol;
use agentd::models::plan::PlanIndex;
use agentd::prompt::SEPARATOR;
use agentd::prompt::team::{
    Coders, Facts, ReviewerTask, TeamPromptError, TeamSession, build_architect_prompt,
    build_change_prompt, build_coder_whole_plan_prompt, build_fix_prompt,
    build_product_manager_prompt, build_reviewer_prompt, build_reviewer_summary_prompt,
    injection_message, messages_to_send,
};
use agentd::template::{Node, RenderError, TeamPrompt};

use crate::support::logged;

use super::scene::{BUILDERS, Build, FILES, Scene, coder_of_plan_2, text};

#[test]
fn seed_002_every_prompt_names_the_change_s_folder_and_holds_no_marker() {
    let scene = Scene::new();
    let session = scene.session();
    for (words, file, build) in BUILDERS {
        let built = build(&session).unwrap_or_else(|error| panic!("{words:?}: {error}"));
        assert_eq!(built.file, file);
        let folder = session.feature_dir.display().to_string();
        assert!(built.text.contains(&folder), "{words:?}");
        for marker in ["[[placeholder:", "[[include", "[[shared:"] {
            assert!(!built.text.contains(marker), "{words:?}: {marker}");
        }
        assert!(built.text.ends_with('\n') && !built.text.ends_with("\n\n"), "{words:?}");
    }
}

#[test]
fn seed_002_those_who_work_on_the_project_are_told_where_it_is() {
    let scene = Scene::new();
    for build in
        [build_product_manager_prompt as Build, coder_of_plan_2, build_coder_whole_plan_prompt]
    {
        assert!(text(build(&scene.session())).contains("/srv/workspaces/add-login"));
    }
}

#[test]
fn seed_002_prompts_are_self_contained() {
    let scene = Scene::new();
    for (words, _, build) in BUILDERS {
        let built = build(&scene.session()).expect("made");
        let included = built.template.nodes.iter().filter_map(|node| match node {
            Node::Include { path, .. } => match path.as_ref() {
                [agentd::template::Part::Text(path)] => Some(*path),
                _ => None,
            },
            Node::Text(_) | Node::Hole(_) | Node::Fragment(_) => None,
        });
        for path in included {
            let Some((_, line)) = FILES.iter().find(|(name, _)| *name == path) else { continue };
            assert!(built.text.contains(&format!("{line}\n")), "{words:?} lacks {path}");
        }
        assert!(built.text.contains("THE STATE"), "{words:?} lacks the state");
    }
}

#[test]
fn a_prompt_is_its_template_and_then_the_common_ground() {
    let scene = Scene::new();
    for (words, _, build) in BUILDERS {
        let built = build(&scene.session()).expect("made");
        let opening = |text: &str| text.lines().next().expect("a line").to_owned();
        assert_eq!(opening(&built.text), opening(built.template.text), "{words:?}");
        let ground = format!("{SEPARATOR}{}\n", opening(TEAM.get(TeamPrompt::Context).text));
        assert_eq!(built.text.matches(&ground).count(), 1, "{words:?}");
    }
}

#[test]
fn seed_002_an_include_s_path_may_hold_a_value() {
    let scene = Scene::new();
    let second = text(coder_of_plan_2(&scene.session()));
    assert!(second.contains("THE SECOND PLAN") && second.contains("THE SECOND TASK"), "{second}");
    assert!(!second.contains("THE FIRST"), "a coder gets the tasks of its own plan alone");
}

#[test]
fn seed_002_a_coder_of_one_plan_creates_its_marker_last() {
    let scene = Scene::new();
    let prompt = text(coder_of_plan_2(&scene.session()));
    let marker = scene.path("06_implementation/done_2").display().to_string();
    assert!(prompt.contains(&format!("`{marker}`")), "{prompt}");
    assert!(prompt.contains("very last action") && !prompt.contains("done_1"), "{prompt}");
}

#[test]
fn seed_002_a_plan_without_its_tasks_is_no_plan() {
    for missing in ["04_planning/plan_2.md", "04_planning/tasks_2.md"] {
        let scene = Scene::new();
        scene.without(missing);
        for build in [coder_of_plan_2 as Build, build_coder_whole_plan_prompt] {
            if missing.contains("plan_2") && build(&scene.session()).is_ok() {
                continue; // Without its last plan the whole is still whole.
            }
            let error = build(&scene.session()).expect_err("incomplete");
            assert!(
                matches!(&error, TeamPromptError::MissingPlanFile { file } if file == missing),
                "{error}"
            );
        }
    }
}

#[test]
fn seed_002_the_whole_plan_embeds_every_plan_and_its_tasks() {
    let scene = Scene::new();
    let prompt = text(build_coder_whole_plan_prompt(&scene.session()));
    let at = |line: &str| prompt.find(line).unwrap_or_else(|| panic!("{line} is not in it"));
    assert!(at("THE OVERVIEW") < at("THE FIRST PLAN"));
    assert!(at("THE FIRST PLAN") < at("THE FIRST TASK"));
    assert!(at("THE FIRST TASK") < at("THE SECOND PLAN"));
    assert!(at("THE SECOND PLAN") < at("THE SECOND TASK"));
    for marker in ["06_implementation/done_1`", "06_implementation/done_2`"] {
        at(marker);
    }
    assert!(prompt.contains("as soon as that plan is finished"));
}

#[test]
fn the_whole_plan_counts_from_one_without_a_gap_in_the_order_of_numbers() {
    let scene = Scene::new();
    for number in 3..=11 {
        scene.file(&format!("04_planning/plan_{number}.md"), format!("PLAN NUMBER {number}."));
        scene.file(&format!("04_planning/tasks_{number}.md"), "- [ ] x");
    }
    scene.file("04_planning/plan_01.md", "NOT A PLAN");
    scene.file("04_planning/plan_x.md", "NOT A PLAN");
    let prompt = text(build_coder_whole_plan_prompt(&scene.session()));
    assert!(prompt.find("PLAN NUMBER 9.") < prompt.find("PLAN NUMBER 10."), "9 comes before 10");
    assert!(!prompt.contains("NOT A PLAN"));

    scene.without("04_planning/plan_3.md");
    let error = build_coder_whole_plan_prompt(&scene.session()).expect_err("a gap");
    assert!(error.to_string().contains("`04_planning/plan_3.md`"), "{error}");
    fs::remove_dir_all(scene.path("04_planning")).expect("removed");
    let error = build_coder_whole_plan_prompt(&scene.session()).expect_err("no plan at all");
    assert!(error.to_string().contains("`04_planning/plan_1.md`"), "{error}");
}

#[test]
fn those_who_judge_get_every_plan_that_is_there_and_open_what_is_too_long() {
    let scene = Scene::new();
    let build = |session: &TeamSession| build_reviewer_prompt(session, ReviewerTask::Review);
    for build in [build as Build, build_fix_prompt] {
        let prompt = text(build(&scene.session()));
        let at = |line: &str| prompt.find(line).unwrap_or_else(|| panic!("{line} is not in it"));
        let lines = ["THE FIRST PLAN", "THE FIRST TASK", "THE SECOND PLAN", "THE SECOND TASK"];
        assert!(lines.map(at).is_sorted());
        assert!(prompt.contains("THE REQUEST") && prompt.contains("find it with `git log`"));
    }
    let facts = Facts { base: Some("c0ffee".to_owned()), ..Facts::default() };
    let known = text(build_fix_prompt(&TeamSession { facts, ..scene.session() }));
    assert!(
        known.contains("in `/srv/workspaces/add-login`")
            && known.contains("`git diff c0ffee...HEAD`")
    );

    scene.file("04_planning/plan_1.md", "LONG ".repeat(60_000));
    scene.without("04_planning/tasks_2.md");
    let (prompt, log) = logged(|| text(build_fix_prompt(&scene.session())));
    assert!(prompt.contains(
        "### Sub-plan 1 (04_planning/plan_1.md)\n\nIt is too long to be included here: open the file.\n\n### Tasks"
    ));
    assert!(prompt.contains("THE FIRST TASK") && prompt.contains("THE SECOND PLAN"));
    assert!(!prompt.contains("LONG ") && !prompt.contains("Tasks of sub-plan 2"));
    assert!(
        log.iter().any(|(_, line)| line.contains("`04_planning/plan_1.md` is too large")),
        "{log:?}"
    );
    assert!(
        text(build_coder_whole_plan_prompt(&Scene::new().session())).contains("THE SECOND TASK")
    );
}

#[test]
fn one_coder_takes_as_many_plans_as_a_schedule_can_have() {
    let scene = Scene::new();
    for number in 1..=PlanIndex::LARGEST + 1 {
        scene.file(&format!("04_planning/plan_{number}.md"), format!("PLAN NUMBER {number}."));
        scene.file(&format!("04_planning/tasks_{number}.md"), "- [ ] x");
    }
    let prompt = text(build_coder_whole_plan_prompt(&scene.session()));
    assert!(prompt.contains("PLAN NUMBER 999.") && !prompt.contains("PLAN NUMBER 1000."));
}

#[test]
fn seed_002_only_work_that_passed_is_summed_up() {
    let scene = Scene::new();
    let prompt = text(build_reviewer_summary_prompt(&scene.session()));
    assert!(
        prompt.contains("THE REVIEW") && prompt.contains("08_completion/summary.md"),
        "{prompt}"
    );
    for review in
        ["VERDICT: FAIL\n", "", "Good.\nVERDICT: PASS\n", "VERDICT: PASSED\n", "# VERDICT: PASS"]
    {
        scene.file("07_review/review.md", review);
        let error = build_reviewer_summary_prompt(&scene.session()).expect_err(review);
        assert!(matches!(error, TeamPromptError::NotPassed), "{error}");
    }
    for review in ["\nVERDICT: PASS\n", "VERDICT:PASS", "**VERDICT: PASS**\n"] {
        scene.file("07_review/review.md", review);
        text(build_reviewer_summary_prompt(&scene.session()));
    }
    scene.without("07_review/review.md");
    assert!(build_reviewer_summary_prompt(&scene.session()).is_err());
}

#[test]
fn seed_002_the_replanning_prompt_keeps_the_contract_of_planning() {
    let prompt = text(build_change_prompt(&Scene::new().session()));
    for word in [
        "THE WISHES",
        "submit_subplan",
        "submit_execution_plan",
        "execution_plan.yaml",
        "plan_<N>.md",
    ] {
        let spelt = prompt.contains(word) || prompt.contains(&word.replace("<N>", "N"));
        assert!(spelt, "{word}");
    }
}

#[test]
fn seed_002_a_missing_value_names_template_and_placeholder() {
    use agentd::template::{NoIncludes, OnMissing, Tags, render};
    let template = TEAM.get(TeamPrompt::Role(agentd::template::Role::Coder));
    let scope = [("feature_dir", "/c"), ("project_dir", "/p")];
    let error = render(
        template.file,
        template.nodes,
        &scope,
        &NoIncludes,
        OnMissing::Refuse,
        &Tags::PROTOCOL,
        &mut String::new(),
    )
    .expect_err("values are missing");
    let RenderError::MissingValue { template, name } = &error else { panic!("{error}") };
    assert_eq!((template.as_str(), name.as_str()), ("agents/coder.md", "plan_file"));
}

#[test]
fn seed_002_agents_are_told_which_file_to_read() {
    let scene = Scene::new();
    let session = scene.session();
    let built = build_architect_prompt(&session).expect("made");
    let path = built.write(&session).expect("written");
    assert_eq!(path, scene.path("02_architecting/architect_prompt.md"));
    assert_eq!(fs::read_to_string(&path).expect("a file"), built.text);
    let message = injection_message(&path);
    assert_eq!(message, format!("Read and follow the instructions in {}", path.display()));
    assert!(!message.contains('\n'));
}

#[test]
fn a_prompt_is_written_whole_into_its_phase_and_nowhere_else() {
    let scene = Scene::new();
    let session = scene.session();
    for (words, file, build) in BUILDERS {
        let built = build(&session).expect("made");
        for _ in 0..2 {
            built.write(&session).unwrap_or_else(|error| panic!("{words:?}: {error}"));
        }
        let written = fs::read_to_string(scene.path(file)).expect("a file");
        assert_eq!(written, built.text, "{words:?}");
    }
    let outside = tempfile::tempdir().expect("a folder");
    fs::remove_dir_all(scene.path("05_design")).expect("removed");
    symlink(outside.path(), scene.path("05_design")).expect("linked");
    let designer =
        BUILDERS.iter().find(|(_, file, _)| file.starts_with("05_design")).expect("one").2;
    let error =
        designer(&session).and_then(|built| built.write(&session)).expect_err("it leads out");
    assert!(error.to_string().contains("leads out"), "{error}");
    assert_eq!(fs::read_dir(outside.path()).expect("a folder").count(), 0);
}

#[test]
fn seed_002_copilot_s_single_coder_gets_a_fleet_before_its_prompt() {
    let file = Path::new("/c/06_implementation/coder_prompt.md");
    let message = injection_message(file);
    let sent = |protocol, coders| messages_to_send(file, &protocol, coders);
    assert_eq!(sent(Protocol::Copilot, Coders::Single), ["/fleet", message.as_str()]);
    assert_eq!(sent(Protocol::Copilot, Coders::OnePerPlan), [message.as_str()]);
    for protocol in [Protocol::Claude, Protocol::Gemini, Protocol::Codex, Protocol::Offline] {
        assert_eq!(sent(protocol, Coders::Single), [message.as_str()]);
    }
}

#[test]
fn paths_that_cannot_stand_in_a_prompt_are_refused() {
    let scene = Scene::new();
    for project_dir in ["relative/path", "/two\nlines"] {
        let session = TeamSession { project_dir: project_dir.into(), ..scene.session() };
        let error = build_architect_prompt(&session).expect_err("no such path");
        assert!(matches!(error, TeamPromptError::Path(_)), "{error}");
    }
}

#[test]
fn values_that_look_like_markers_stay_as_they_are() {
    let scene = Scene::new();
    let secret = scene.secret();
    let project_dir =
        format!("/srv/[[include:{secret}]] {{{{TASKS}}}} [[placeholder:feature_dir]]");
    let session = TeamSession { project_dir: project_dir.clone().into(), ..scene.session() };
    let prompt = text(coder_of_plan_2(&session));
    assert!(prompt.contains(&project_dir), "{prompt}");
    assert!(!prompt.contains("THE SECRET"));
}
