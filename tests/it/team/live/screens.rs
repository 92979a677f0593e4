//! Screens that do what screens do: they go, take too long, ask something, or stand still.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{Live, message};

impl Live {
    /// Gives every agent that was described less time.
    fn hurry(&self, time: &str) {
        let path = self.scene.home.path("home/.config/agentd/config.toml");
        let config = fs::read_to_string(&path).expect("there").replace("\"60s\"", time);
        fs::write(Path::new(&path), config).expect("written");
    }
}

#[test]
fn an_agent_that_goes_is_started_again_and_told_again() {
    let Some(live) = Live::new() else { return };
    live.screen("brittle", "  [ -e FOLDER/once ] || { touch FOLDER/once; exit 3; }");
    let more = ["--tmux", "--agent", "architect=brittle", "--until", "architect"];
    live.scene.run(&more).exits(0);
    let line = format!("{}\n", message(&live, "02_architecting/architect_prompt.md"));
    assert_eq!(live.typed(), line.repeat(2));
}

#[test]
fn an_agent_that_takes_too_long_is_ended_with_all_that_it_started() {
    let Some(live) = Live::new() else { return };
    live.screen(
        "sleepy",
        "  (setsid sleep 3600.1 FOLDER &) 2>/dev/null; setsid tail -f FOLDER/typed &\n  sleep 3600",
    );
    live.hurry("\"8s\"");
    let more = ["--tmux", "--agent", "architect=sleepy", "--until", "architect"];
    live.scene.run(&more).exits(6);
    live.is_gone();
}

#[test]
fn an_agent_that_asks_something_is_never_answered_and_its_window_is_named() {
    let Some(live) = Live::new() else { return };
    let script = live.scene.home.path("asking.sh");
    let got = live.scene.home.path("got");
    let text =
        "stty -echo -icanon -icrnl\necho 'Do you trust this folder?'\necho '> 1. Yes'\nexec cat > ";
    fs::write(&script, format!("{text}{}\n", got.display())).expect("written");
    let script = script.to_string_lossy();
    live.scene.config(&format!(
        "[agents.asking]\ncli = \"gemini\"\ncommand = [\"sh\", {script:?}]\ntimeout = \"10s\"\n"
    ));
    let ran = live.scene.run(&["--tmux", "--agent", "architect=asking"]).exits(5);
    let window = "tmux -L agentd attach -t =agentd-add-logo:architect";
    let ran = ran.prints(&format!("is idle: attach with `{window}`"));
    let ran = ran.says("agent `asking` does not accept input in its window `architect`");
    ran.says(window).says("screen.txt` holds what it showed");
    let run = &live.scene.runs("-architect")[0];
    let shown = live.scene.read(&format!("runs/{run}/screen.txt"));
    assert!(shown.contains("Do you trust this folder?"), "{shown}");
    assert_eq!(fs::read_to_string(got).expect("it got something"), "Read", "no Enter, and no path");
    live.is_gone();
}

#[test]
fn a_screen_that_stands_still_is_told_of_while_its_agent_has_time() {
    let Some(live) = Live::new() else { return };
    live.screen("still", "  echo 'Shall I go on?'; read -r yes; exit 7");
    live.hurry("\"8s\"");
    let more = ["--tmux", "--agent", "architect=still", "--json"];
    let ran = live.scene.run(&more).exits(6);
    let events = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let still: Vec<_> = events.filter(|event| event["event"] == "stands-still").collect();
    assert_eq!(still.len(), 1, "it is told once: {still:?}");
    assert_eq!(still[0]["window"], "architect");
    live.is_gone();
}

#[test]
fn an_agent_that_is_silent_for_too_long_is_ended() {
    let Some(live) = Live::new() else { return };
    live.screen("silent", "  while :; do sleep 0.05; done");
    live.hurry("\"60s\"\nidle_timeout = \"1s\"");
    let ran = live.scene.run(&["--tmux", "--agent", "architect=silent"]).exits(6);
    ran.says("was silent for 1 s");
    live.is_gone();
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let Some(live) = Live::new() else { return };
    // Whether it is there is known only with the `PATH` that it gets.
    live.scene.config(
        "[agents.none]\ncli = \"claude\"\ncommand = [\"no-such-cli\"]\nretries = 0\nenv = { PATH = \"/usr/bin:/bin\" }\n",
    );
    let ran = live.scene.run(&["--tmux", "--agent", "architect=none"]).exits(5);
    ran.says("cannot start `no-such-cli`");
    live.is_gone();
}

#[test]
fn an_agent_that_knows_settings_from_files_only_sees_the_server_and_the_user_s_own_stay() {
    let Some(live) = Live::new() else { return };
    let settings = live.scene.home.path("home/.gemini/settings.json");
    fs::create_dir_all(settings.parent().expect("a folder")).expect("made");
    fs::write(&settings, r#"{ "ui": "mine" }"#).expect("written");
    let look = "  cat \"$GEMINI_CLI_HOME/.gemini/settings.json\" > FOLDER/saw";
    live.script("viewer", "gemini", look);
    live.scene.run(&["--tmux", "--agent", "architect=viewer", "--until", "architect"]).exits(0);
    let saw = fs::read_to_string(live.scene.home.path("saw")).expect("it looked");
    let saw: Value = serde_json::from_str(&saw).expect("JSON");
    assert_eq!(saw["ui"], "mine");
    assert_eq!(saw["mcpServers"]["agentd"]["args"][0], "mcp");
    assert_eq!(fs::read_to_string(&settings).expect("there"), r#"{ "ui": "mine" }"#);
    let left = fs::read_dir(live.scene.change("runs/live/architect")).expect("a folder").flatten();
    let left: Vec<_> = left.map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["own"], "what stood in for the user's folder is gone");
}
