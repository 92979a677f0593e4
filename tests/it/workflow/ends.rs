//! Runs that end before the change does: by a signal, by a kill while an agent works, or because the agent failed.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::scene::{ID, Scene, kill};
use crate::process::scene::await_that;
use crate::project::{ended, json, ran};
use crate::support::install;

/// Starts a run whose call in a phase writes a file and hangs, and waits until it does.
fn hanging(scene: &Scene, phase: &str) -> Child {
    scene.script("count PATH/notes/calls\nread\non 1 write half.txt half\non 1 write PATH/notes/written x\non 1 hang\nfrom 2 play");
    let agent = format!("{phase}=scripted");
    let child = scene.run(&["--agent", &agent]).process_group(0).spawn().expect("it starts");
    await_that("the call", || scene.path("notes/written").exists());
    child
}

#[test]
fn a_signal_ends_all_and_the_same_command_goes_on() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let scene = Scene::new();
        let checkout = scene.checkout();
        let child = hanging(&scene, "plan");
        kill_process(Pid::from_child(&child), signal).expect("it runs");
        ended(child).exits(code).says(&format!("`agentd run {ID}` continues"));
        assert_eq!(scene.processes(), [""; 0], "nobody is left");
        assert_eq!(scene.checkout(), checkout);
        let history = scene.history();
        assert_eq!(history.last().map(String::as_str), Some("started plan -"), "{history:?}");
        scene.runs(&["--agent", "plan=scripted", "--until", "plan"]).exits(0);
        assert_eq!(scene.calls(), 2);
        assert_eq!(scene.checkout(), checkout);
    }
}

#[test]
fn a_signal_ends_one_phase_and_the_checks_too() {
    let scene = Scene::new();
    let (mark, go) = (scene.path("notes/checking"), scene.path("notes/go"));
    let check = format!("echo x >{}; test -e {} || sleep 3600", mark.display(), go.display());
    scene.write("user.toml", format!("{}[verify]\ncommands = [{check:?}]\n", scene.sandbox()));
    scene.write("notes/go", "");
    scene.runs(&["--until", "challenge"]).exits(0);
    fs::remove_file(&go).expect("removed");
    fs::remove_file(&mark).expect("removed");
    let checkout = scene.checkout();
    let one = scene.agentd(&["implement", ID, "--agent", "offline"]).spawn().expect("it starts");
    await_that("the check", || mark.exists());
    kill_process(Pid::from_child(&one), Signal::TERM).expect("it runs");
    ended(one).exits(143).says(&format!("`agentd run {ID}` continues"));
    assert_eq!(scene.processes(), [""; 0], "nobody is left");
    assert_eq!(scene.checkout(), checkout);
    scene.write("notes/go", "");
    scene.runs(&[]).exits(0);
    assert_eq!(scene.answers().values().sum::<usize>(), 9);
    assert_eq!(scene.checkout(), checkout);
}

#[test]
fn a_change_that_has_cost_what_it_may_stops_and_goes_on_with_more() {
    let scene = Scene::new();
    scene.script("read\nplay");
    let words = ["--agent", "plan=scripted", "--max-tokens", "1"];
    scene.runs(&words).exits(11).says("tokens");
    assert_eq!(scene.answers().values().sum::<usize>(), 1, "what was begun came to its end");
    scene.runs(&["--agent", "plan=scripted", "--max-tokens", "1000000000"]).exits(0);
}

/// What Claude Code prints at the end of a run that a busy server has ended, which was paid for all the same.
const PAID_FOR: &str = r#"say {"type":"result","subtype":"success","is_error":true,"api_error_status":529,"result":"busy","num_turns":1,"total_cost_usd":0.5,"usage":{"input_tokens":500,"output_tokens":7}}"#;

#[test]
fn a_call_that_failed_is_counted_and_not_repeated_once_the_limit_is_reached() {
    for limit in [["--max-tokens", "507"], ["--max-cost", "0.5"]] {
        let scene = Scene::new();
        scene.script(&format!(
            "count PATH/notes/calls\nread\non 1 {PAID_FOR}\non 1 exit 1\nfrom 2 play"
        ));
        scene
            .runs(&[&["--agent", "plan=scripted"], &limit[..]].concat())
            .exits(11)
            .says("is the limit");
        assert_eq!(scene.calls(), 1, "{limit:?}");
        let meta = json(&scene.runs_of("plan")[0].join("meta.json"));
        assert_eq!((&meta["usage"]["input"], &meta["usage"]["output"]), (&500.into(), &7.into()));
        assert!(meta["error"].is_string(), "{meta}");
        let usage = ran(&mut scene.agentd(&["usage", "--json"])).exits(0).json();
        assert_eq!((&usage["calls"], &usage["usage"]["input"]), (&1.into(), &500.into()));
        ran(&mut scene.agentd(&["log", ID])).exits(0).prints("failed: ").prints("0.50");
        let history = scene.history();
        assert_eq!(history.last().map(String::as_str), Some("started plan -"), "no failure");
        scene.runs(&["--agent", "plan=scripted", "--until", "plan"]).exits(0);
    }
}

#[test]
fn files_and_a_verdict_are_not_asked_for_once_the_limit_is_reached() {
    for (first, second) in [
        ("on 1 answer <review>NEEDS_REVISION</review>", "plan-files"),
        ("on 1 answer no verdict\non 2 answer <review>NEEDS_REVISION</review>", "plan-verdict"),
    ] {
        let scene = Scene::new();
        scene.script(&format!("count PATH/notes/calls\nread\n{first}\nfrom 2 play"));
        let with = ["--agent", "plan=scripted", "--until", "plan"];
        scene.runs(&[&with[..], &["--max-tokens", "1"]].concat()).exits(11);
        assert_eq!((scene.calls(), scene.runs_of(second).len()), (1, 0), "{second}");
        scene.runs(&with).exits(0);
        assert_eq!(
            scene.runs_of("plan").len(),
            1,
            "{second}: the answer that was paid for is used"
        );
        assert_eq!(scene.runs_of(second).len(), 1, "{second}");
    }
}

#[test]
fn a_record_of_a_run_that_is_rewritten_or_removed_lifts_no_limit() {
    let scene = Scene::new();
    scene.script(&format!(
        "count PATH/notes/calls\nread\non 1 {PAID_FOR}\non 1 exit 1\nfrom 2 play"
    ));
    let with = ["--agent", "plan=scripted", "--max-tokens", "507"];
    scene.runs(&with).exits(11);
    let spent = ran(&mut scene.agentd(&["usage", "--json"])).exits(0).stdout;
    let meta = scene.runs_of("plan")[0].join("meta.json");
    let text = fs::read_to_string(&meta).expect("a record");
    let mut nothing: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    nothing["usage"] = serde_json::Value::Null;
    for forged in [Some(nothing.to_string()), Some("{\"version\":".to_owned()), None] {
        match forged {
            Some(text) => fs::write(&meta, text).expect("it is written"),
            None => fs::remove_file(&meta).expect("it is removed"),
        }
        scene.runs(&with).exits(11).says("is the limit");
        assert_eq!(ran(&mut scene.agentd(&["usage", "--json"])).exits(0).stdout, spent);
        assert_eq!(scene.calls(), 1);
    }
}

#[test]
fn an_answer_that_was_left_and_cannot_be_taken_down_is_not_asked_for_again() {
    let scene = Scene::new();
    scene.script("count PATH/notes/calls\nread\nplay");
    let with = ["--agent", "plan=scripted", "--until", "plan"];
    scene.runs(&with).exits(0);
    scene.cut_journal("\"event\":\"finished\"");
    let run = &scene.runs_of("plan")[0];
    fs::remove_file(run.join("meta.json")).expect("it is removed");
    fs::remove_file(run.join("response.txt")).expect("it is removed");
    fs::create_dir_all(run.join("response.txt/in-the-way")).expect("it is made");
    scene.runs(&with).exits(10).says("response.txt");
    assert_eq!(scene.calls(), 1);
}

#[test]
fn a_verdict_of_the_first_answer_is_none_of_the_answer_about_the_files() {
    let scene = Scene::new();
    scene.script(
        "count PATH/notes/calls\nread\non 1 answer no verdict\non 2 answer <review>PASS</review>\n\
         on 3 exit 1\non 4 answer no verdict either\nfrom 5 answer <review>NEEDS_REVISION</review>",
    );
    let with = ["--agent", "plan=scripted", "--until", "plan"];
    scene.runs(&with).exits(5);
    assert_eq!((scene.calls(), scene.runs_of("plan-verdict").len()), (3, 1));
    scene.cut_journal("\"event\":\"failed\"");
    scene.runs(&with).exits(5);
    assert_eq!((scene.calls(), scene.runs_of("plan-files-verdict").len()), (5, 1));
}

#[test]
fn ctrl_c_that_reaches_git_first_is_an_interruption_too() {
    let scene = Scene::new();
    scene.runs(&["--until", "challenge"]).exits(0);
    let (git, flag) = (scene.path("bin/git"), scene.path("cut-off"));
    let script = "#!/bin/sh\ncase \"$*\" in *\" read-tree \"*) [ ! -e FLAG ] || kill -INT $$ ;; esac\n\
                  PATH=${PATH#*:}\nexec git \"$@\"\n";
    install(&git, script.replace("FLAG", &flag.to_string_lossy()), 0o755);
    scene.write("cut-off", "");
    let folder = git.parent().expect("a folder").display();
    let path = format!("{folder}:/usr/local/bin:/usr/bin:/bin");
    let run = || ran(scene.run(&[]).env("PATH", &path));
    run().exits(130).says(&format!("`agentd run {ID}` continues"));
    let history = scene.history();
    assert!(history.iter().all(|entry| !entry.starts_with("failed")), "{history:?}");
    fs::remove_file(flag).expect("removed");
    run().exits(0);
}

/// Lets checkouts wait for ever: the user's own configuration names a content filter that hangs.
fn with_a_filter_that_hangs(scene: &Scene) -> PathBuf {
    scene.write("repo/.gitattributes", "src/main.rs filter=slow\n");
    scene.git(&["add", ".gitattributes"]);
    let who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
    scene.git(&[&who[..], &["commit", "--quiet", "-m", "Filter", ".gitattributes"]].concat());
    let mark = scene.path("filtering");
    // Some are deaf to the first request.
    let filter = format!("trap '' TERM; echo x >{}; sleep 3600", mark.display());
    scene.write("home/.gitconfig", format!("[filter \"slow\"]\n\tsmudge = {filter:?}\n"));
    mark
}

#[test]
fn ctrl_c_is_answered_at_once_also_while_git_waits_for_something() {
    let scene = Scene::new();
    let mark = with_a_filter_that_hangs(&scene);
    let child = scene.run(&[]).process_group(0).spawn().expect("it starts");
    await_that("git is at work", || mark.exists());
    let start = Instant::now();
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    ended(child).exits(130);
    // A second, and five times that on a busy machine.
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(scene.processes(), [""; 0], "nobody is left");
    fs::remove_file(scene.path("home/.gitconfig")).expect("removed");
    scene.runs(&[]).exits(0);
}

#[test]
fn ctrl_c_at_any_point_is_an_interruption_and_no_failure() {
    let scene = Scene::new();
    let checkout = scene.checkout();
    for _ in 0..60 {
        let before = scene.entries();
        let mut child = scene.run(&[]).process_group(0).spawn().expect("it starts");
        await_that("an entry", || {
            scene.entries() > before || child.try_wait().expect("it can be asked").is_some()
        });
        // A terminal sends it to the whole group, git and all.
        let _ = kill_process_group(Pid::from_child(&child), Signal::INT);
        let ran = ended(child);
        assert_eq!(scene.checkout(), checkout);
        match ran.code {
            // It has not yet started anything, and is ended as any other program is.
            None => {}
            Some(130) => drop(ran.says(&format!("`agentd run {ID}` continues"))),
            Some(_) => {
                ran.exits(0);
                break;
            }
        }
    }
    let history = scene.history();
    assert!(!history.iter().any(|entry| entry.starts_with("failed")), "{history:?}");
    assert_eq!(scene.answers().values().sum::<usize>(), 9);
}

#[test]
fn edits_that_were_not_finished_are_kept_as_a_patch_and_taken_back() {
    let scene = Scene::new();
    let child = hanging(&scene, "implement");
    kill(child);
    scene.runs(&["--agent", "implement=scripted"]).exits(0);
    let run = &scene.runs_of("implement")[0];
    let patch = fs::read_to_string(run.join("partial.patch")).expect("a patch");
    assert!(patch.contains("half.txt") && patch.contains("+half"), "{patch}");
    let tree = scene.git(&["ls-tree", "-r", "--name-only", &format!("agentd/{ID}")]);
    assert!(!tree.contains("half.txt"), "{tree}");
    await_that("the end of all that was started", || scene.processes().is_empty());
}

#[test]
fn a_change_goes_on_after_its_runs_were_lost() {
    let scene = Scene::new();
    kill(hanging(&scene, "implement"));
    await_that("the end of all that was started", || scene.processes().is_empty());
    fs::remove_dir_all(scene.state().join("runs")).expect("removed");
    scene.runs(&[]).exits(0);
    let tree = scene.git(&["ls-tree", "-r", "--name-only", &format!("agentd/{ID}")]);
    assert!(!tree.contains("half.txt"), "{tree}");
}

#[test]
fn an_agent_that_outlives_its_agentd_is_waited_for_before_anything_goes_on() {
    let scene = Scene::new();
    // It has half a second to end once agentd is gone, and makes use of it.
    scene.script(
        "count PATH/notes/calls\nread\nstubborn\non 1 write PATH/notes/written x\non 1 wait 300\non 1 write late.txt late\n\
         on 1 hang\nfrom 2 play",
    );
    let mut first = scene.run(&["--agent", "implement=scripted"]);
    let child = first.spawn().expect("it starts");
    await_that("the call", || scene.path("notes/written").exists());
    kill(child);
    scene.runs(&["--agent", "implement=scripted"]).exits(0);
    let patch = scene.runs_of("implement")[0].join("partial.patch");
    let patch = fs::read_to_string(patch).expect("a patch");
    assert!(patch.contains("late.txt"), "{patch}");
    let tree = scene.git(&["ls-tree", "-r", "--name-only", &format!("agentd/{ID}")]);
    assert!(!tree.contains("late.txt"), "{tree}");
}

#[test]
fn edits_that_were_not_finished_are_taken_back_for_another_agent_too_whose_answer_then_counts() {
    let scene = Scene::new();
    let child = hanging(&scene, "implement");
    kill(child);
    scene.runs(&["--until", "implement"]).exits(0);
    assert_eq!(scene.calls(), 1, "another agent has done it");
    let tree = scene.git(&["ls-tree", "-r", "--name-only", &format!("agentd/{ID}")]);
    assert!(!tree.contains("half.txt"), "{tree}");
    let answers = scene.answers();
    scene.cut_journal("\"event\":\"finished\",\"step\":\"implement\"");
    scene.runs(&["--until", "implement"]).exits(0);
    assert_eq!(scene.answers(), answers, "its answer is used");
}

#[test]
fn an_answer_is_of_no_use_without_the_workspace_with_the_code_that_it_speaks_of() {
    let scene = Scene::new();
    scene.runs(&["--until", "implement"]).exits(0);
    let tree = || scene.git(&["ls-tree", "-r", &format!("agentd/{ID}")]);
    let done = tree();
    scene.lose_the_desk("\"event\":\"finished\",\"step\":\"implement\"");
    scene.runs(&["--until", "implement"]).exits(0);
    assert_eq!(scene.runs_of("implement").len(), 2, "the agent is asked again");
    assert_eq!(tree(), done, "its code is there");
    // Had agentd been gone again before that call, the first answer would still be of no use.
    scene.cut_journal("\"event\":\"finished\",\"step\":\"implement\"");
    fs::remove_dir_all(&scene.runs_of("implement")[1]).expect("it is removed");
    let branch = format!("refs/heads/agentd/{ID}");
    scene.git(&["update-ref", &branch, &format!("{branch}~1")]);
    let desk = scene.workspace();
    fs::remove_dir_all(desk.join("agentd-demo")).expect("its code is gone");
    scene.runs(&["--until", "implement"]).exits(0);
    assert_eq!(scene.runs_of("implement").len(), 2, "the agent is asked again");
    assert_eq!(tree(), done, "its code is there");
}

#[test]
fn the_answer_to_a_second_request_counts_also_when_it_was_not_taken_down() {
    let scene = Scene::new();
    scene.script(
        "count PATH/notes/calls\nread\non 1 answer <review>NEEDS_REVISION</review>\nfrom 2 play",
    );
    let with = ["--agent", "plan=scripted", "--until", "plan"];
    scene.runs(&with).exits(0);
    assert_eq!((scene.calls(), scene.runs_of("plan-files").len()), (2, 1), "files were asked for");
    let history = scene.history();
    scene.cut_journal("\"event\":\"finished\"");
    scene.runs(&with).exits(0);
    assert_eq!((scene.calls(), scene.history()), (2, history));
}

#[test]
fn a_workspace_whose_setting_up_was_cut_off_is_set_up_anew() {
    let scene = Scene::new();
    let (mark, go) = (scene.path("notes/set-up"), scene.path("notes/go"));
    let command = format!(
        "echo x >>{}; while test ! -e {}; do sleep 0.05; done",
        mark.display(),
        go.display()
    );
    let config = scene.read("user.toml");
    scene.write("user.toml", format!("{config}\n[workspace]\nsetup = [{command:?}]\n"));
    let child = scene.run(&[]).spawn().expect("it starts");
    await_that("the command that sets it up", || mark.exists());
    kill(child);
    scene.write("notes/go", "");
    scene.runs(&[]).exits(0);
    assert_eq!(
        fs::read_to_string(mark).expect("text"),
        "x\n".repeat(6),
        "twice before the change, once for the code and not for its second round, once for the checks of each commit, and \
         once more for their clean run"
    );
}

#[test]
fn an_attempt_that_failed_is_not_recovered_from_its_answer() {
    let scene = Scene::new();
    scene.script(
        "count PATH/notes/calls\nread\non 1 answer no verdict\non 2 answer none either\nfrom 3 play",
    );
    let with = ["--agent", "plan=scripted", "--until", "plan"];
    scene.runs(&with).exits(7);
    assert_eq!(scene.calls(), 2, "the answer, and the verdict that it lacks");
    let history = scene.history();
    assert_eq!(history.last().map(String::as_str), Some("failed plan -"), "{history:?}");
    scene.runs(&with).exits(0);
    assert_eq!(scene.calls(), 3);
}

#[test]
fn the_checkout_is_as_it_was_after_an_agent_failed_or_wrote_where_it_must_not() {
    for (script, code) in [
        ("read\nwrite stray.txt x\nerror 401", 5),
        ("read\nwrite stray.txt x\nplay", 0),
        ("read\ndie 9", 5),
    ] {
        let scene = Scene::new();
        let checkout = scene.checkout();
        scene.script(script);
        scene.runs(&["--agent", "plan=scripted", "--until", "plan"]).exits(code);
        assert_eq!(scene.checkout(), checkout);
        // Nothing of it is in the way of another agent.
        scene.runs(&["--until", "challenge"]).exits(0);
        assert_eq!(scene.checkout(), checkout);
    }
}
