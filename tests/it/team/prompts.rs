//! What the agents of a team are told in the course of a whole change.

use super::scene::{ID, Scene};
use crate::project::AGENTD;

impl Scene {
    /// Reads the prompt of the only run, or of the run with this place, of those whose names end like this.
    fn prompt(&self, ending: &str, place: usize) -> String {
        let runs = self.runs(ending);
        let run = runs.get(place).unwrap_or_else(|| panic!("no run {place} of {ending}: {runs:?}"));
        self.read(&format!("runs/{run}/prompt.md"))
    }
}

/// Every kind of run of a change that fails its first review, is fixed, and is then asked to be changed, with the role
/// of its agent.
const RUNS: [(&str, &str); 10] = [
    ("-architect", "architect"),
    ("-research-code-scripts", "code-researcher"),
    ("-planner", "planner"),
    ("-coder-1", "coder"),
    ("-coder-2", "coder"),
    ("-coder-3", "coder"),
    ("-review", "reviewer"),
    ("-fix", "coder"),
    ("-summary", "reviewer"),
    ("-change", "planner"),
];

#[test]
fn what_a_project_wants_of_a_role_is_in_every_prompt_of_that_role_and_in_no_other() {
    let scene = Scene::new();
    for role in ["architect", "code-researcher", "planner", "coder", "reviewer"] {
        let wish = format!("Please the {role}");
        scene.home.agentd(&["preferences", "add", role, &wish]).exits(0);
        let rules = scene.home.read(&format!("agentd/prompts/agents/{role}.md"));
        let rules = format!("RULES OF {role}.\n\n{rules}");
        scene.home.write(&format!("agentd/prompts/agents/{role}.md"), &rules);
    }
    for command in ["review", "fix", "summary", "change"] {
        let path = format!("agentd/prompts/commands/{command}.md");
        scene.home.write(&path, &format!("RULES FOR {command}.\n"));
    }
    scene.run(&[]).exits(0).prints("waiting");
    scene.reject("Say more");
    scene.run(&[]).exits(0).prints("waiting");

    for (run, role) in RUNS {
        let prompt = scene.prompt(run, 0);
        assert_eq!(prompt.matches(&format!("RULES OF {role}.\n")).count(), 1, "{run}");
        assert_eq!(prompt.matches(&format!("- Please the {role}\n")).count(), 1, "{run}");
        assert_eq!(prompt.matches("RULES OF ").count(), 1, "{run}");
        assert_eq!(prompt.matches("Please the ").count(), 1, "{run}");
        let command = run.trim_start_matches('-');
        let is_command = ["review", "fix", "summary", "change"].contains(&command);
        assert_eq!(prompt.matches("RULES FOR ").count(), usize::from(is_command), "{run}");
        if is_command {
            let own = prompt.find(&format!("RULES FOR {command}.\n")).expect("its own");
            assert!(prompt.find("RULES OF ").is_some_and(|of_role| of_role < own), "{run}");
        }
    }
}

/// The prompts whose agents may propose preferences.
const PROPOSING: [&str; 4] = ["-architect", "-planner", "-review", "-change"];

#[test]
fn where_nobody_is_there_no_prompt_speaks_of_asking_anybody() {
    let scene = Scene::new();
    scene.config("[team]\nproduct_manager = true\n");
    scene.run(&[]).exits(0).prints("waiting");
    scene.reject("Say more");
    scene.run(&[]).exits(0).prints("waiting");
    let runs = RUNS.iter().map(|(run, _)| *run).chain(["-product-manager"]);
    for run in runs {
        let prompt = scene.prompt(run, 0);
        assert_eq!(prompt.matches("**Nobody answers.** The run is unattended").count(), 1, "{run}");
        for words in ["propose the candidates", "the only question", "One question only"] {
            assert!(!prompt.contains(words), "{run}: {words}");
        }
        let proposes = PROPOSING.contains(&run) || run == "-product-manager";
        assert_eq!(prompt.contains("pending until a person approves"), proposes, "{run}");
    }
}

#[test]
fn preferences_that_nobody_could_approve_wait_for_a_person() {
    let scene = Scene::new();
    let steps = proposing_architect(&scene.home, &scene.change(""));
    scene.hand("proposing", &steps);
    scene.run(&["--agent", "architect=proposing", "--until", "architect"]).exits(0);
    scene
        .home
        .agentd(&["preferences", "pending"])
        .exits(0)
        .prints("coder: Name tests after their rule");
    scene.home.agentd(&["preferences", "list"]).exits(0).hides("Name tests after their rule");
}

/// Describes an agent that runs the command for the diff if its prompt gives one, keeps what that prints as `diff.N`, and
/// then does what the offline agent does.
fn looker(scene: &Scene) {
    let folder = scene.home.path("");
    let folder = folder.display();
    let steps = format!(
        "message=$(cat)\n\
         command=$(sed -n 's/^`\\(git diff .*\\)`$/\\1/p' \"${{message#*instructions in }}\")\n\
         [ -z \"$command\" ] || $command >{folder}/diff.$(find {folder} -maxdepth 1 -name 'diff.*' | wc -l) || exit 9\n\
         printf '%s\\n' \"$message\" | {AGENTD} offline-agent --speak claude\nexit"
    );
    scene.meddler("looker", &steps);
}

#[test]
fn a_review_and_a_fix_hold_all_that_they_speak_of_and_the_command_that_shows_the_diff() {
    let scene = Scene::new();
    let base = scene.home.git(&["rev-parse", "HEAD"]).trim().to_owned();
    looker(&scene);
    scene
        .run(&["--agent", "reviewer=looker", "--agent", "coder=looker"])
        .exits(0)
        .prints("waiting");

    let [first, second] = [0, 1].map(|round| scene.prompt("-review", round));
    let [fix, summary] = ["-fix", "-summary"].map(|run| scene.prompt(run, 0));
    for (run, prompt) in [("first", &first), ("second", &second), ("fix", &fix)] {
        let mut last = 0;
        for plan in 1..=3 {
            for (name, words) in
                [("plan", format!("Script {plan}")), ("tasks", "- [x] Write the test".to_owned())]
            {
                let heading = format!("(04_planning/{name}_{plan}.md)\n\n<{name}_md>\n");
                let (_, after) = prompt.split_once(&heading).expect(run);
                let (text, _) = after.split_once(&format!("\n</{name}_md>\n")).expect(run);
                assert!(text.contains(&words), "{run}: {name} {plan}: {text}");
                let at = prompt.len() - after.len();
                assert!(at > last, "{run}: {name} {plan} is not in its order");
                last = at;
            }
        }
        assert!(prompt.contains("<requirements_md>\nAdd a logo\n"), "{run}");
        assert!(prompt.contains("<architecture_md>\n# "), "{run}");
    }
    let finding = "an empty word is not refused";
    assert!(!first.contains(finding) && first.contains("<review_md>\n\n</review_md>"), "{first}");
    assert!(second.contains(finding) && fix.contains(finding));
    for prompt in [&first, &second, &fix, &summary] {
        assert_eq!(prompt.matches(&format!("`git diff {base}...HEAD`")).count(), 1, "{prompt}");
    }

    let branch = format!("agentd/{ID}");
    let before = scene.home.git(&["diff", &base, &format!("{branch}~1")]);
    let whole = scene.home.git(&["diff", &base, &branch]);
    assert!(before.contains("-1.sh") && before != whole);
    let seen = |number: u32| {
        let path = scene.home.path(&format!("diff.{number}"));
        std::fs::read_to_string(path).expect("it looked")
    };
    assert_eq!([seen(0), seen(1)], [before.clone(), before], "the first review and the fix");
    assert_eq!([seen(2), seen(3)], [whole.clone(), whole], "the second review and the summary");
}

#[test]
fn one_coder_for_all_plans_gets_them_in_the_order_of_the_schedule_with_what_may_go_at_once() {
    let schedule = |groups: &str| {
        format!(
            "{{\"version\": 1, \"groups\": [{groups}], \"needs_design\": false, \"needs_docs\": false, \
             \"doc_files\": [], \"review_strategy\": {{\"severity\": \"low\", \"focus\": []}}}}"
        )
    };
    let group = |id: &str, mode: &str, plans: &[u32]| {
        let plan =
            |plan: &u32| format!("{{\"file\": \"plan_{plan}.md\", \"name\": \"Script {plan}\"}}");
        let plans: Vec<_> = plans.iter().map(plan).collect();
        format!(
            "{{\"group_id\": \"{id}\", \"mode\": \"{mode}\", \"plans\": [{}]}}",
            plans.join(", ")
        )
    };
    let orders = [
        (
            [group("a", "parallel", &[2, 1]), group("b", "serial", &[3])].join(", "),
            "1. Plans 2, 1: parallel, so they may be carried out at the same time\n2. Plan 3\n",
        ),
        (
            group("all", "serial", &[2, 1, 3]),
            "1. Plans 2, 1, 3: serial, so one after another in this order\n",
        ),
    ];
    for (groups, listed) in orders {
        let scene = Scene::new();
        scene.config("[team]\nsingle_coder = true\n");
        let file = scene.change("04_planning/execution_plan.yaml");
        scene.finisher(
            "ordering",
            &format!("cat >'{}' <<'END'\n{}\nEND", file.display(), schedule(&groups)),
        );
        scene.run(&["--agent", "planner=ordering", "--until", "coders"]).exits(0);
        let prompt = scene.prompt("-coders", 0);
        assert!(
            prompt.contains("### The schedule\n\nCarry out these groups in this order."),
            "{prompt}"
        );
        assert!(prompt.contains(&format!("\n{listed}\n### Sub-plan 2 ")), "{prompt}");
        let at = |words: &str| {
            prompt.find(words).unwrap_or_else(|| panic!("{words} is not in {prompt}"))
        };
        for name in
            ["plan_N.md)\n\n<plan_md>", "tasks_N.md)\n\n<tasks_md>", "06_implementation/done_N`"]
        {
            let at = [2, 1, 3].map(|plan: u32| at(&name.replace('N', &plan.to_string())));
            assert!(at.is_sorted(), "{name}: {at:?}");
        }
        assert!(
            prompt.contains("Plans of a parallel group may be carried out at the\nsame time"),
            "{prompt}"
        );
        assert!(!prompt.contains("in the order of their phases"), "{prompt}");
        let printed =
            scene.home.agentd(&["prompt", "--role", "coder", "--whole", "--change", ID]).exits(0);
        assert!(
            printed.stdout.contains(&format!("\n{listed}\n### Sub-plan 2 ")),
            "{}",
            printed.stdout
        );
    }
}

#[test]
fn a_coder_whose_work_did_not_count_is_told_what_it_wrote_and_why() {
    let scene = Scene::new();
    scene.meddler("stray", "case \"$PWD\" in *.plan-2) echo mine >elsewhere.txt;; esac");
    scene.run(&["--agent", "coder=stray"]).exits(5).says("plan 2 wrote files that it does not own");
    let foreseen = scene.run(&["--dry-run"]).exits(0);
    let printed =
        scene.home.agentd(&["prompt", "--role", "coder", "--plan", "2", "--change", ID]).exits(0);
    scene.run(&[]).exits(0).prints("waiting");

    let heading = "### An earlier attempt at this plan did not count\n";
    for (run, place) in [("-coder-1", 0), ("-coder-2", 0), ("-coder-3", 0)] {
        assert!(!scene.prompt(run, place).contains(heading), "{run}: it was the first");
    }
    let again = scene.prompt("-coder-2", 1);
    for prompt in [&again, &foreseen.stdout, &printed.stdout] {
        assert_eq!(prompt.matches(heading).count(), 1, "{prompt}");
        assert!(
            prompt.contains("<files_not_owned>\nelsewhere.txt\n</files_not_owned>\n"),
            "{prompt}"
        );
        let (_, after) = prompt.split_once("\n`git diff ").expect("a command");
        let (commits, _) = after.split_once('`').expect("its end");
        let commits: Vec<_> = commits.split(' ').collect();
        let wrote = scene.home.git(&[&["diff", "--name-only"], commits.as_slice()].concat());
        let own = format!("agentd-demo/{ID}-2");
        assert_eq!(wrote, format!("{own}.sh\n{own}.test.sh\nelsewhere.txt\n"));
    }
}

/// Writes an architecture with a preference beside the project, and returns the step of a shell that hands it in.
pub(super) fn proposing_architect(home: &crate::home::Home, change: &std::path::Path) -> String {
    let text = "All is simple.";
    let architecture = serde_json::json!({
        "solution_overview": text, "components": [{ "name": "one", "responsibility": text }],
        "interfaces_and_contracts": text, "data_models": text, "cross_cutting_concerns": text,
        "technology_choices": text, "risks_and_mitigations": text,
        "preferences": [{ "target_role": "coder", "bullet": "- Name tests after their rule" }],
    });
    let file = home.path("architecture.json");
    std::fs::write(&file, architecture.to_string()).expect("written");
    let handed = change.join("02_architecting/architecture.yaml");
    format!("cp '{}' '{}'", file.display(), handed.display())
}
