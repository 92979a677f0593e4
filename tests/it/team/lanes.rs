//! Plans at once whose coders go astray: what is not theirs is not merged, the others' work is, and nothing is lost.

use super::scene::{ID, Scene};
use crate::project::AGENTD;

fn branches(scene: &Scene) -> Vec<String> {
    let list = scene.home.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads/agentd"]);
    let prefix = format!("agentd/{ID}");
    list.lines().map(|line| line.strip_prefix(&prefix).unwrap_or(line).to_owned()).collect()
}

fn tree(scene: &Scene) -> String {
    scene.home.git(&["ls-tree", "-r", "--name-only", &format!("agentd/{ID}")])
}

#[test]
fn seed_002_a_plan_that_writes_what_it_does_not_own_is_quarantined_and_repeated_alone() {
    let scene = Scene::new();
    scene.meddler("stray", "case \"$PWD\" in *.plan-2) echo mine >elsewhere.txt;; esac");
    let ran = scene.run(&["--agent", "coder=stray"]).exits(5);
    let ran = ran.says("plan 2 wrote files that it does not own: elsewhere.txt");
    ran.says("all its changes are on branch `agentd/add-logo.plan-2`");
    assert_eq!(branches(&scene), ["", ".plan-2"], "its branch is kept");
    let kept = scene.home.git(&["show", &format!("agentd/{ID}.plan-2:elsewhere.txt")]);
    assert_eq!(kept, "mine\n");
    let own = tree(&scene);
    assert!(own.contains(&format!("{ID}-1.sh")), "the other is merged: {own}");
    assert!(!own.contains("elsewhere.txt") && !own.contains(&format!("{ID}-2.sh")), "{own}");

    scene.run(&[]).exits(0).prints("waiting");
    let runs = |plan: u32| scene.runs(&format!("-coder-{plan}")).len();
    assert_eq!([1, 2, 3].map(runs), [1, 2, 1], "only that plan is repeated");
    assert_eq!(branches(&scene), ["", ".plan-2.kept-1"]);
    let own = tree(&scene);
    assert!(own.contains(&format!("{ID}-2.sh")) && !own.contains("elsewhere.txt"), "{own}");
}

#[test]
fn a_branch_that_somebody_moves_while_plans_are_carried_out_is_left_as_it_is() {
    let scene = Scene::new();
    let repository = scene.home.root();
    let steps = format!(
        "case \"$PWD\" in *.plan-1) git -C '{0}' update-ref refs/heads/agentd/{ID} \"$(git -C '{0}' \
         -c user.name=Bob -c user.email=b@c.d commit-tree -m meanwhile -p agentd/{ID} agentd/{ID}^{{tree}})\" \
         || exit 9;; esac",
        repository.display()
    );
    scene.meddler("rival", &steps);
    let ran = scene.run(&["--agent", "coder=rival"]).exits(4);
    ran.says(&format!("branch `agentd/{ID}` is at"));
    let subject = scene.home.git(&["log", "-1", "--format=%s", &format!("agentd/{ID}")]);
    assert_eq!(subject, "meanwhile\n", "nothing is merged into it");
    scene.home.git(&["update-ref", &format!("refs/heads/agentd/{ID}"), &format!("agentd/{ID}~1")]);
    scene.run(&[]).exits(0).prints("waiting");
    let runs = |plan: u32| scene.runs(&format!("-coder-{plan}")).len();
    assert_eq!([1, 2, 3].map(runs), [1, 1, 1], "nobody is asked again");
    assert_eq!(branches(&scene), [""]);
}

#[test]
fn tasks_that_a_coder_spoils_are_its_own_copy() {
    let scene = Scene::new();
    let tasks = scene.change("04_planning/tasks_1.md");
    let steps = format!("case \"$PWD\" in *.plan-1) : >'{}'; exit 3;; esac", tasks.display());
    scene.meddler("clumsy", &steps);
    scene.run(&["--agent", "coder=clumsy"]).exits(5).says("plan 1");
    assert!(scene.read("04_planning/tasks_1.md").starts_with("- [ ] Write the test"));
    scene.run(&[]).exits(0).prints("waiting");
    assert!(scene.read("04_planning/tasks_1.md").starts_with("- [x] Write the test"));
    assert_eq!(scene.runs("-coder-2").len(), 1, "the other is not asked again");
}

#[test]
fn what_a_coder_notes_below_its_tasks_neither_loses_its_ticks_nor_has_its_plan_repeated() {
    let scene = Scene::new();
    let tasks = scene.change("04_planning/tasks_");
    let tasks = tasks.display();
    // A box can be drawn in more ways than the planner's, and a note may hang on to the last task.
    let steps = format!(
        "case \"$PWD\" in *.plan-1) sed -i 's/^- \\[x]/* [X]/' '{tasks}1.md';; \
         *.plan-2) printf '%s\\n' '' '- [x] Tidied up' >>'{tasks}2.md';; \
         *) echo 'Note: all tests pass' >>'{tasks}3.md';; esac"
    );
    scene.finisher("noting", &steps);
    let noted = scene.run(&["--agent", "coder=noting"]).exits(0).prints("waiting");
    noted.hides("put back");
    let kept = |name: &str, words: &str| {
        let text = scene.read(name);
        assert!(text.contains(words) && !text.contains("[ ]"), "{name}: {text}");
    };
    kept("04_planning/tasks_1.md", "* [X] Write the test");
    kept("04_planning/tasks_2.md", "- [x] Tidied up");
    kept("04_planning/tasks_3.md", "Note: all tests pass");

    scene.reject("Say more");
    scene.run(&[]).exits(0).prints("waiting").hides("put back");
    let runs = |plan: u32| scene.runs(&format!("-coder-{plan}")).len();
    assert_eq!([1, 2, 3, 4].map(runs), [1, 1, 1, 1], "what is done stays done");
    kept("04_planning/tasks_1.md", "* [X] Write the test");
}

#[test]
fn the_marker_of_an_attempt_does_not_count_for_the_next() {
    let scene = Scene::new();
    let folder = scene.home.path("");
    let folder = folder.display();
    std::fs::write(scene.home.path("busy"), "error 429\n").expect("written");
    let marker = scene.change("06_implementation/done_1");
    let steps = format!(
        "case \"$PWD\" in *.plan-1) if [ ! -e {folder}/once ]; then touch {folder}/once '{}'; \
         exec {AGENTD} offline-agent --speak claude --script {folder}/busy; fi;; esac",
        marker.display()
    );
    scene.hand("hasty", &steps);
    let failed = scene.run(&["--agent", "coder=hasty"]).exits(5);
    failed.says("06_implementation/done_1: the completion marker is missing");
}
