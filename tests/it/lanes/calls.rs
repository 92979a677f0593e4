//! How often git is called for a plan: with many plans at once that is what they wait for.

use std::fs;

use agentd::engine::git::{Git, Repository};

use super::scene::{Agents, Team, setup};
use crate::support::install;

/// Runs plans with a `git` that takes down how often it is called.
fn calls(plans: u32) -> usize {
    let mut team = Team::new();
    let (program, log) = (team.git.path("bin/git"), team.git.path("calls"));
    let script = format!(
        "#!/bin/sh\necho \"$@\" >>'{}'\nPATH=\"${{PATH#*:}}\" exec git \"$@\"\n",
        log.display()
    );
    install(&program, script, 0o755);
    let mut environment = team.git.environment();
    for (name, value) in &mut environment {
        if name == "PATH" {
            let mut path = program.parent().unwrap().as_os_str().to_owned();
            path.push(":");
            path.push(&*value);
            *value = path;
        }
    }
    let repository = Repository::find(&team.git.root(), &Git::new(environment.clone())).unwrap();
    team.setup = setup(&repository, &team.git.path("state"), environment);
    team.run(1..=plans, &Agents::writing(1..=plans)).unwrap();
    assert_eq!(team.subjects().len(), plans as usize);
    assert_eq!(team.branches(), [""; 0], "all is cleared away");
    fs::read_to_string(&log).unwrap().lines().count()
}

#[test]
fn git_is_called_fifteen_times_at_most_for_a_plan() {
    let (one, five) = (calls(1), calls(5));
    assert!(one > 10, "each call is taken down: {one}");
    let each = (five - one) / 4;
    assert!(each <= 15, "{each} calls a plan; {one} for one, {five} for five");
}
