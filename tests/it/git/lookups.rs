//! One git answers all questions about refs and objects, and its answers are those of this moment.

use std::fs;
use std::process::Command;

use agentd::engine::git::{Git, Repository};

use super::scene::Scene;
use crate::support::install;

#[test]
fn a_branch_is_looked_up_anew_each_time_wherever_git_keeps_it() {
    let scene = Scene::new();
    let repository = scene.repository();
    let first = repository.head().unwrap();
    let side = || repository.branch_commit("side").unwrap();
    assert_eq!(side(), None);
    scene.git(&["branch", "side"]);
    assert_eq!(side().as_ref(), Some(&first));
    scene.write("more", "more");
    let second = scene.commit("more");
    assert_eq!(repository.head().unwrap(), second);
    scene.git(&["branch", "--force", "side"]);
    scene.git(&["pack-refs", "--all", "--prune"]);
    scene.git(&["gc", "--quiet", "--prune=now"]);
    assert_eq!(side().as_ref(), Some(&second));
    scene.git(&["branch", "--delete", "--force", "side"]);
    assert_eq!(side(), None);
    assert_eq!(repository.branch_commit("no\nname").unwrap(), None);
    assert_eq!(repository.head().unwrap(), second, "it answers on");
}

#[test]
fn one_git_answers_until_somebody_ends_it_and_then_another_does() {
    let scene = Scene::new();
    let (program, log) = (scene.path("bin/git"), scene.path("answering"));
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *cat-file*) echo $$ >>'{}';; esac\nPATH=\"${{PATH#*:}}\" exec git \"$@\"\n",
        log.display()
    );
    install(&program, script, 0o755);
    let mut environment = scene.environment();
    let mut path = scene.path("bin:").into_os_string();
    path.push(std::env::var_os("PATH").unwrap());
    environment.push(("PATH".into(), path));
    let repository = Repository::find(&scene.root(), &Git::new(environment)).unwrap();
    let answering = || fs::read_to_string(&log).unwrap_or_default();
    assert_eq!(answering(), "", "none is started before it is needed");
    let head = repository.head().unwrap();
    assert!(repository.clone().branch_exists("main").unwrap());
    assert_eq!(answering().lines().count(), 1);
    let ended = Command::new("kill").args(["-9", answering().trim()]).status().unwrap();
    assert!(ended.success());
    assert_eq!(repository.head().unwrap(), head);
    assert_eq!(answering().lines().count(), 2);
    let last = answering().lines().last().unwrap().to_owned();
    drop(repository);
    assert!(!fs::exists(format!("/proc/{last}")).unwrap(), "none is left");
}

#[test]
fn a_repository_that_is_gone_is_an_error_and_no_missing_branch() {
    let scene = Scene::new();
    let repository = scene.repository();
    fs::rename(scene.root().join(".git"), scene.path("moved")).unwrap();
    let error = repository.branch_commit("main").unwrap_err();
    assert!(error.to_string().contains("not a git repository"), "{error}");
}
