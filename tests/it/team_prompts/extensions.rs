//! What a project adds to the prompts.

use std::fs;
use std::os::unix::fs::symlink;

use agentd::prompt::team::{TeamPromptError, build_architect_prompt, build_fix_prompt};

use super::scene::{BUILDERS, Scene, coder_of_plan_2, text};
use crate::support::logged;

#[test]
fn seed_002_a_project_s_text_stands_where_the_template_says() {
    for folder in ["agentd", ".agentmux"] {
        let scene = Scene::new();
        for (words, _, build) in BUILDERS {
            let kind = if words[0] == "--role" { "agents" } else { "commands" };
            let path = format!("{folder}/prompts/{kind}/{}.md", words[1]);
            let before = text(build(&scene.session()));
            scene.home.write(&path, "OUR OWN RULES\n");
            let after = text(build(&scene.session()));
            assert_eq!(after.matches("OUR OWN RULES").count(), 1, "{path}");
            assert_eq!(after.replace("OUR OWN RULES", ""), before, "{path}: nothing else changes");
            fs::remove_file(scene.root().join(&path)).expect("removed");
            assert_eq!(text(build(&scene.session())), before, "without a file it is as it was");
        }
    }
}

#[test]
fn seed_002_both_folders_are_used_agentd_s_first() {
    let scene = Scene::new();
    scene.home.write(".agentmux/prompts/agents/coder.md", "THEIRS\n\n");
    scene.home.write("agentd/prompts/agents/coder.md", "OURS\n");
    assert!(text(coder_of_plan_2(&scene.session())).contains("\nOURS\n\nTHEIRS\n"));
    scene.home.write("agentd/prompts/agents/coder.md", " \n");
    assert!(text(coder_of_plan_2(&scene.session())).contains("\n\nTHEIRS\n"));
}

#[test]
fn what_a_project_wants_of_a_role_reaches_every_command_of_the_role_before_the_command_s_own() {
    let scene = Scene::new();
    for folder in ["agentd", ".agentmux"] {
        for name in ["agents/reviewer", "agents/coder", "agents/planner"] {
            scene.home.write(&format!("{folder}/prompts/{name}.md"), &format!("{folder} {name}\n"));
        }
        for command in ["review", "summary", "fix", "change"] {
            let path = format!("{folder}/prompts/commands/{command}.md");
            scene.home.write(&path, &format!("{folder} {command}\n"));
        }
    }
    for (words, _, build) in BUILDERS.iter().filter(|(words, ..)| words[0] == "--command") {
        let (command, prompt) = (words[1], text(build(&scene.session())));
        let role = match command {
            "review" | "summary" => "reviewer",
            "fix" => "coder",
            _ => "planner",
        };
        let expected = format!(
            "\nagentd agents/{role}\n\n.agentmux agents/{role}\n\nagentd {command}\n\n.agentmux {command}\n"
        );
        assert!(prompt.contains(&expected), "{command}: {prompt}");
        for other in ["agents/reviewer", "agents/coder", "agents/planner"] {
            let count = if other.ends_with(role) { 2 } else { 0 };
            assert_eq!(prompt.matches(&format!(" {other}\n")).count(), count, "{command}: {other}");
        }
    }
}

#[test]
fn a_text_that_several_files_hold_stands_in_a_prompt_once() {
    let scene = Scene::new();
    scene.home.write("agentd/prompts/agents/coder.md", "OUR RULE\n");
    scene.home.write(".agentmux/prompts/agents/coder.md", "OUR RULE\n\n");
    scene.home.write("agentd/prompts/commands/fix.md", "OUR RULE");
    assert_eq!(text(build_fix_prompt(&scene.session())).matches("OUR RULE").count(), 1);
}

#[test]
fn seed_002_a_file_written_meanwhile_is_in_the_next_prompt() {
    let scene = Scene::new();
    let session = scene.session();
    let before = text(build_architect_prompt(&session));
    scene.home.write(
        ".agentmux/prompts/agents/architect.md",
        "## Approved Preferences\n\n- Small types\n",
    );
    scene.file("requirements.md", "ANOTHER REQUEST\n");
    let after = text(build_architect_prompt(&session));
    assert!(!before.contains("Small types") && after.contains("- Small types"));
    assert!(after.contains("ANOTHER REQUEST") && !after.contains("THE REQUEST"));
}

#[test]
fn seed_002_only_known_placeholders_mean_anything_in_a_project_s_text() {
    let scene = Scene::new();
    let secret = scene.secret();
    let literal = format!(
        "{{curly}} {{{{TASKS}}}} {{% raw %}} [[include:{secret}]] [[include-optional:/etc/passwd]] \
         [[shared:preference-memory]] [[placeholder:project_instructions]] [[placeholder:topic]] [[[[x"
    );
    scene.home.write(
        "agentd/prompts/agents/coder.md",
        &format!(
            "{literal}\nPlan: [[placeholder:plan_file]]; folder: [[placeholder:feature_dir]].\n"
        ),
    );
    let prompt = text(coder_of_plan_2(&scene.session()));
    let folder = scene.root().join("agentd/changes/add-login");
    let expected =
        format!("{literal}\nPlan: 04_planning/plan_2.md; folder: {}.\n", folder.display());
    assert!(prompt.contains(&expected), "{prompt}");
    assert!(!prompt.contains("THE SECRET"));
}

#[test]
fn seed_002_the_context_is_not_extended() {
    let scene = Scene::new();
    let before = text(build_fix_prompt(&scene.session()));
    for folder in ["agentd", ".agentmux"] {
        for path in ["context.md", "agents/context.md", "commands/context.md"] {
            scene.home.write(&format!("{folder}/prompts/{path}"), "ORDERS FOR ALL\n");
        }
    }
    assert_eq!(text(build_fix_prompt(&scene.session())), before);
}

#[test]
fn a_project_s_text_is_read_from_its_folder_alone() {
    for folder in ["agentd/prompts", ".agentmux/prompts"] {
        let scene = Scene::new();
        let secret = scene.secret();
        let agents = scene.root().join(folder).join("agents");
        fs::create_dir_all(&agents).expect("made");
        symlink(&secret, agents.join("coder.md")).expect("linked");
        let error = coder_of_plan_2(&scene.session()).expect_err("it leads out");
        assert!(matches!(error, TeamPromptError::Unusable { .. }), "{error}");
        let said = error.to_string();
        assert!(said.contains("agents/coder.md") && said.contains("leads out"), "{said}");

        fs::remove_file(agents.join("coder.md")).expect("removed");
        fs::create_dir(agents.join("coder.md")).expect("made");
        let error = coder_of_plan_2(&scene.session()).expect_err("a folder");
        assert!(error.to_string().contains("not a regular file"), "{error}");
        fs::remove_dir_all(scene.root().join(folder)).expect("removed");
        symlink("/etc", scene.root().join(folder)).expect("linked");
        assert!(coder_of_plan_2(&scene.session()).is_err(), "{folder} leads out");
    }
}

#[test]
fn a_project_s_text_is_bounded_and_made_legible() {
    let scene = Scene::new();
    let path = scene.root().join("agentd/prompts/agents/coder.md");
    scene.home.write("agentd/prompts/agents/coder.md", "");
    fs::write(&path, b"caf\xe9 rules").expect("written");
    let (prompt, log) = logged(|| text(coder_of_plan_2(&scene.session())));
    assert!(prompt.contains("caf\u{fffd} rules"));
    assert!(
        log.iter()
            .any(|(_, line)| line.contains("1 characters of `agentd/prompts/agents/coder.md`")),
        "{log:?}"
    );
    fs::write(&path, vec![b'x'; (1 << 20) + 1]).expect("written");
    let error = coder_of_plan_2(&scene.session()).expect_err("too large");
    assert!(error.to_string().contains("larger than 1048576 bytes"), "{error}");
}
