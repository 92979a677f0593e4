//! A team in a tmux session: what is typed, what is noticed, what survives a crash, and that nobody else is touched.

mod crashes;
mod input;
mod refused;
mod screens;

use std::fs;
use std::process::{Command, Output};

use super::prompts::proposing_architect;
use super::scene::{ID, Scene};
use crate::home::Home;
use crate::project::AGENTD;
use crate::support::skipped;

/// A scene with a folder of its own for tmux, whose servers are gone with it.
struct Live {
    scene: Scene,
}

impl Live {
    /// Gives none, loudly, where there is no tmux.
    fn new() -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            skipped("tmux is not installed, so that live sessions are not tested here");
            return None;
        }
        let home = Home::new();
        let sockets = home.path("tmux");
        fs::create_dir_all(&sockets).expect("made");
        let home = home
            .variable("TMUX_TMPDIR", &sockets.to_string_lossy())
            .variable("OPENAI_API_KEY", "sk-not-for-others");
        Some(Self { scene: Scene::of(home) })
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        let mut tmux = Command::new("tmux");
        tmux.args(arguments).env_remove("TMUX").env("TMUX_TMPDIR", self.scene.home.path("tmux"));
        tmux.output().expect("tmux runs")
    }

    fn sessions(&self, server: &str) -> String {
        let listed = self.tmux(&["-L", server, "list-sessions", "-F", "#{session_name}"]);
        String::from_utf8_lossy(&listed.stdout).into_owned()
    }

    /// Describes an agent whose screen is a shell script; it shows that it has read a line, which is kept in a file.
    fn screen(&self, name: &str, then: &str) {
        self.script(name, "claude", then);
    }

    /// The same for a CLI, as agentd takes it for one.
    fn script(&self, name: &str, cli: &str, then: &str) {
        let script = self.scene.home.path(&format!("{name}.sh"));
        let folder = self.scene.home.path("");
        let folder = folder.display();
        let text = format!(
            "echo ready\nwhile read -r line; do\n  printf '%s\\n' \"$line\" >> {folder}/typed\n  echo working\n{then}\n  \
             printf '%s\\n' \"$line\" | {AGENTD} offline-agent > {folder}/answer 2>&1\n  echo done\ndone\n"
        );
        fs::write(&script, text.replace("FOLDER", &folder.to_string())).expect("written");
        let script = script.to_string_lossy();
        self.scene.config(&format!(
            "[agents.{name}]\ncli = {cli:?}\ncommand = [\"sh\", {script:?}]\nretries = 1\ntimeout = \"60s\"\n"
        ));
    }

    /// Demands that no session is left, and nobody who worked in one.
    fn is_gone(&self) {
        assert_eq!(self.sessions("agentd"), "");
        assert_eq!(self.processes(), [""; 0]);
    }

    fn typed(&self) -> String {
        fs::read_to_string(self.scene.home.path("typed")).unwrap_or_default()
    }

    /// Lists the processes that work for this scene: they have its folder on their command line.
    fn processes(&self) -> Vec<String> {
        let folder = self.scene.home.path("").to_string_lossy().trim_end_matches('/').to_owned();
        let entries = fs::read_dir("/proc").expect("processes").flatten();
        let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
        let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
        lines.filter(|line| line.contains(&folder)).collect()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        for server in ["agentd", "default"] {
            self.tmux(&["-L", server, "kill-server"]);
        }
    }
}

fn message(live: &Live, prompt: &str) -> String {
    format!("Read and follow the instructions in {}", live.scene.prompt_file(prompt).display())
}

#[test]
fn seed_002_a_whole_change_goes_through_tmux_and_the_user_s_own_server_is_untouched() {
    let Some(live) = Live::new() else { return };
    assert!(live.tmux(&["new-session", "-d", "-s", "mine"]).status.success());
    let scene = &live.scene;
    let ran = scene.run(&["--tmux", "--keep-session"]).exits(0);
    ran.prints("tmux -L agentd attach -t =agentd-add-logo").hides("closed, with every agent in it");
    assert_eq!(live.sessions("agentd"), format!("agentd-{ID}\n"));

    let windows = live.tmux(&["-L", "agentd", "list-windows", "-a", "-F", "#{window_name}"]);
    let windows = String::from_utf8_lossy(&windows.stdout).into_owned();
    let expected =
        ["control", "architect", "research-code-scripts", "planner", "coder-1", "coder-2"];
    for name in expected.iter().chain(&["coder-3", "reviewer", "coder"]) {
        assert!(windows.lines().any(|window| window == *name), "{name} is not in {windows}");
    }
    let control =
        ["-L", "agentd", "capture-pane", "-p", "-S", "-", "-t", "=agentd-add-logo:control"];
    let control = live.tmux(&control);
    let control = String::from_utf8_lossy(&control.stdout).into_owned();
    assert!(control.contains("decides how the change is built"), "{control}");

    let run = &scene.runs("-planner")[0];
    let shown = scene.read(&format!("runs/{run}/screen.txt"));
    let typed = format!("> {}\n", message(&live, "04_planning/planner_prompt.md"));
    assert!(shown.contains(&typed), "{typed} is not in {shown}");
    let left = fs::read_dir(scene.change("runs/live")).expect("a folder").flatten();
    let orders = left.filter(|entry| entry.path().extension().is_some_and(|it| it == "json"));
    assert_eq!(orders.count(), 0, "an environment lies about");
    assert!(!live.processes().is_empty(), "the agents stay where they are to be kept");

    scene.home.agentd(&["approve", ID]).exits(0).prints("closed, with every agent in it");
    live.is_gone();
    assert_eq!(live.sessions("default"), "mine\n");
}

#[test]
fn a_person_at_the_screens_is_asked_about_preferences_alone_and_what_is_approved_is_kept_at_once() {
    let Some(live) = Live::new() else { return };
    let scene = &live.scene;
    let steps = proposing_architect(&scene.home, &scene.change(""));
    let steps = scene.in_outbox(&steps, "$AGENTD_OUTBOX");
    live.screen("proposing", &format!("{steps}; continue"));
    scene.run(&["--tmux", "--agent", "architect=proposing"]).exits(0).prints("waiting");

    let prompt = |run: &str| scene.read(&format!("runs/{}/prompt.md", scene.runs(run)[0]));
    for run in ["-architect", "-planner", "-review"] {
        let prompt = prompt(run);
        assert_eq!(prompt.matches("**One question only.** A person sees").count(), 1, "{run}");
        assert_eq!(prompt.matches("propose the candidates to the person").count(), 1, "{run}");
        for words in ["Nobody answers", "unattended", "pending until"] {
            assert!(!prompt.contains(words), "{run}: {words}");
        }
    }
    for run in ["-coder-1", "-fix", "-summary"] {
        let prompt = prompt(run);
        assert!(
            prompt.contains("**Nobody answers.**") && !prompt.contains("One question"),
            "{run}"
        );
    }
    scene.home.agentd(&["preferences", "pending"]).exits(0).prints("no preference is pending");
    scene.home.agentd(&["preferences", "list"]).exits(0).prints("Name tests after their rule");
    let coder = prompt("-coder-1");
    assert!(coder.contains("- Name tests after their rule\n"), "the next coder has it: {coder}");
}

#[test]
fn seed_002_a_session_ends_with_the_run_and_the_next_run_opens_another() {
    let Some(live) = Live::new() else { return };
    let until = |step| live.scene.run(&["--tmux", "--until", step]).exits(0);
    for step in ["architect", "planner"] {
        until(step).prints("closed, with every agent in it");
        live.is_gone();
    }
    let first = &live.scene.runs("-architect");
    assert_eq!(first.len(), 1, "{first:?}");
}

#[test]
fn a_change_whose_project_asks_for_tmux_needs_no_option() {
    let Some(live) = Live::new() else { return };
    live.scene.config("[team]\ndelivery = \"tmux\"\n");
    live.scene.run(&["--until", "architect"]).exits(0).prints("tmux -L agentd attach");
    live.scene.run(&["--until", "planner", "--keep-session"]).exits(0);
    assert_eq!(live.sessions("agentd"), format!("agentd-{ID}\n"));
    live.scene.home.agentd(&["cancel", ID]).exits(0);
    live.is_gone();
}

#[test]
fn the_demo_is_shown_in_tmux_and_leaves_nobody_behind() {
    let Some(live) = Live::new() else { return };
    let folder = live.scene.home.path("demo");
    let folder = folder.to_string_lossy();
    let demo = live.scene.home.agentd(&["demo", &folder, "--flow", "team", "--tmux"]).exits(0);
    demo.prints("tmux -L agentd attach -t =agentd-add-greeting").prints("archived");
    live.is_gone();
}

#[test]
fn seed_002_copilot_is_told_to_spread_the_work_before_it_is_told_what_to_read() {
    let Some(live) = Live::new() else { return };
    let script = live.scene.home.path("copilot.sh");
    fs::write(&script, format!("exec {AGENTD} offline-agent --interactive\n")).expect("written");
    let script = script.to_string_lossy();
    live.scene.config(&format!(
        "[team]\nsingle_coder = true\n[agents.fleet]\ncli = \"copilot\"\ncommand = [\"sh\", {script:?}]\n"
    ));
    live.scene.run(&["--tmux", "--agent", "coder=fleet", "--until", "coders"]).exits(0);
    let run = &live.scene.runs("-coders")[0];
    let shown = live.scene.read(&format!("runs/{run}/screen.txt"));
    let fleet = shown.find("> /fleet\nNoted: /fleet\n").expect("it was typed and noted");
    let read = shown.find(&message(&live, "06_implementation/coder_prompt.md")).expect("typed");
    assert!(fleet < read, "{shown}");
    assert!(live.scene.change("06_implementation/done_3").is_file());
}
