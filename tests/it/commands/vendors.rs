//! One vendor for what the flow would rather have two do: a warning, or a change that does not begin.

use super::scene::{ID, Scene};
use crate::project::AGENTD;

const REFUSE: &str = "[project]\nsame_vendor = \"refuse\"\n";

/// Makes a repository whose user has agents of two vendors: `maker` and `twin` are of one, `other` is of another.
fn of_two_vendors() -> Scene {
    let scene = Scene::bare();
    for (name, cli) in [("maker", "claude"), ("twin", "claude"), ("other", "codex")] {
        scene.config(&format!(
            "[agents.{name}]\ncli = \"{cli}\"\ncommand = [{AGENTD:?}, \"offline-agent\", \"--speak\", \"{cli}\"]\n"
        ));
    }
    scene
}

#[test]
fn one_vendor_for_author_and_judge_is_refused_before_anything_is_begun() {
    let scene = of_two_vendors();
    let twins = ["--flow", "quick", "--agent", "implement=maker", "--agent", "review=twin"];
    let warned = scene.agentd(&[&["run", "warned", "x"][..], &twins].concat()).exits(0);
    warned.prints(
        "vendors    `maker` does implement and `twin`, of the same vendor, review: a judge from another vendor finds other mistakes\n",
    );
    scene.config(REFUSE);
    scene
        .run(&twins)
        .exits(4)
        .says("`maker` does implement and `twin`, of the same vendor, review")
        .says("`[project] same_vendor` refuses that")
        .says("`--agent review=NAME`");
    assert!(!scene.change("").exists(), "nothing was begun");
    let one = ["--flow", "quick", "--agent", "maker"];
    scene.run(&one).exits(4).says("`maker` does implement and review");
    // A run that does not come to the judge needs none.
    let ran = scene.run(&[&one[..], &["--until", "implement"]].concat()).exits(0);
    ran.prints("implement  every task COMPLETED");
    let others = ["--agent", "implement=maker", "--agent", "review=other"];
    scene.run(&others).exits(0).prints("archived   ");
}

/// Whoever wrote the code that is judged counts, whatever the configuration says of the step now.
#[test]
fn the_agent_that_did_the_step_counts_and_not_only_the_one_that_would_do_it() {
    let scene = of_two_vendors();
    scene.config(REFUSE);
    let by = |implement: &str, review: &str, more: &[&str]| {
        let agents = [format!("implement={implement}"), format!("review={review}")];
        let [implement, review] = &agents;
        scene.run(&[&["--flow", "quick", "--agent", implement, "--agent", review], more].concat())
    };
    by("maker", "other", &["--until", "implement"]).exits(0);
    by("other", "twin", &[]).exits(4).says("`maker` does implement");
    let review = scene.agentd(&["review", ID, "--agent", "twin"]).exits(4);
    review.says("`maker` does implement");
    by("maker", "other", &[]).exits(0).prints("archived   ");
}

#[test]
fn a_reviewer_of_a_team_is_of_another_vendor_than_the_coders() {
    let scene = of_two_vendors();
    let words = ["--flow", "team", "--agent", "maker"];
    let warned = scene.run(&[&words[..], &["--until", "architect"]].concat()).exits(0);
    warned.prints("vendors    `maker` does coders and review: a judge from another vendor finds");
    scene.config(REFUSE);
    scene.run(&words).exits(4).says("`maker` does coders and review").says("--agent reviewer=NAME");
    scene.run(&[&words[..], &["--agent", "reviewer=other"]].concat()).exits(0).prints("waiting ");
}

#[test]
fn a_project_makes_it_stricter_without_trust_and_laxer_only_with_it() {
    let scene = of_two_vendors();
    let words = ["--flow", "quick", "--agent", "maker"];
    scene.home.write("agentd/config.toml", REFUSE);
    scene.run(&words).exits(4).says("`[project] same_vendor` refuses that");
    scene.home.write("agentd/config.toml", &REFUSE.replace("refuse", "warn"));
    scene.config(REFUSE);
    scene.run(&words).exits(4).says("not trusted").says("project.same_vendor");
    scene.agentd(&["trust", "--yes"]).exits(0);
    scene.run(&words).exits(0).prints("vendors    `maker` does implement and review");
}

#[test]
fn the_doctor_says_which_judge_is_refused() {
    let scene = of_two_vendors();
    scene.config("[phases]\nplan = \"maker\"\nimplement = \"maker\"\nchallenge = \"twin\"\nreview = \"other\"\narchive = \"maker\"\n");
    let words = ["doctor", "--wait", "5"];
    scene.agentd(&words).prints("; same vendor as its author, `maker`");
    scene.config(REFUSE);
    let doctor = scene.agentd(&words).exits(5);
    doctor
        .prints("same vendor as its author, `maker`, which `[project] same_vendor` refuses")
        .says("no usable agent for challenge (twin)");
}
