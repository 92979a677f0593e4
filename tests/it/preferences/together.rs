//! Many at once, and killed at any point: not a bullet is lost, and a file is always whole.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use agentd::prompt::preferences::{Origin, apply_preference_entries, pending, propose};

use super::{OURS, entry};
use crate::home::Home;
use crate::project::AGENTD;

#[test]
fn seed_002_a_hundred_appends_at_once_give_a_hundred_bullets() {
    const PROCESSES: usize = 25;
    let home =
        Home::new().with_git().file(OURS, "# Coder\n\n## Approved Preferences\n\n## Style\n");
    let barrier = Barrier::new(100);
    let append = |number: usize| {
        let bullet = format!("Rule {number}");
        barrier.wait();
        if number < PROCESSES {
            drop(home.agentd(&["preferences", "add", "coder", &bullet]).exits(0));
        } else {
            let applied = apply_preference_entries(&home.root(), &[entry("coder", &bullet)]);
            assert_eq!(applied.expect("applied").written.len(), 1);
        }
    };
    thread::scope(|scope| (0..100).for_each(|number| drop(scope.spawn(move || append(number)))));
    let text = home.read(OURS);
    let bullets: BTreeSet<_> = text.lines().filter(|line| line.starts_with("- ")).collect();
    let expected: BTreeSet<_> = (0..100).map(|number| format!("- Rule {number}")).collect();
    assert_eq!(bullets, expected.iter().map(String::as_str).collect());
    assert_eq!(text.lines().count(), 100 + 6, "{text}");
    assert!(
        text.starts_with("# Coder\n\n## Approved Preferences\n\n- ")
            && text.ends_with("\n\n## Style\n")
    );
    let status = home.git(&["status", "--porcelain", "-uall"]);
    assert_eq!(status, format!("?? {OURS}\n"), "no lock is left behind");
}

#[test]
fn of_a_hundred_who_propose_the_same_one_is_heard_and_others_are_not_lost() {
    let project = tempfile::tempdir().expect("a folder");
    let barrier = Barrier::new(100);
    let propose = |number: usize| {
        let from = Origin { change: format!("change-{number}").parse().expect("an id"), run: None };
        let entries = [entry("coder", "The same"), entry("coder", &format!("Rule {number}"))];
        barrier.wait();
        propose(project.path(), &entries, &from, 0).expect("proposed").known.len()
    };
    let propose = &propose;
    let known: usize = thread::scope(|scope| {
        let all: Vec<_> = (0..100).map(|number| scope.spawn(move || propose(number))).collect();
        all.into_iter().map(|one| one.join().expect("proposed")).sum()
    });
    assert_eq!(known, 99);
    assert_eq!(pending(project.path()).expect("listed").len(), 101);
}

#[test]
fn whenever_it_is_killed_the_file_is_the_old_or_the_new_one() {
    let home = Home::new().with_git().file(OURS, "# Coder\n\n## Approved Preferences\n\n- First\n");
    let mut text = home.read(OURS);
    for number in 0..40 {
        let mut command = Command::new(AGENTD);
        command.args(["preferences", "add", "coder", &format!("Rule {number}")]);
        command.current_dir(home.root()).env("HOME", home.path("home"));
        let mut child = command.stdout(Stdio::null()).spawn().expect("it starts");
        // Each one gets a little further than the one before; the first ones do nothing yet, the last ones all.
        thread::sleep(Duration::from_micros(500 * number));
        child.kill().expect("killed");
        child.wait().expect("it ends");
        let now = home.read(OURS);
        assert!(now == text || now == format!("{text}- Rule {number}\n"), "{text}\n{now}");
        text = now;
    }
    home.agentd(&["preferences", "add", "coder", "Last"]).exits(0);
    assert_eq!(home.read(OURS), format!("{text}- Last\n"));
    let status = home.git(&["status", "--porcelain", "-uall"]);
    assert_eq!(status, format!("?? {OURS}\n"), "the next one clears up");
}
