//! How a prompt reaches an agent: the message names a file, which is there whenever the message is sent; or the prompt is
//! the message.

use std::fs;

use super::scene::Scene;
use crate::project::AGENTD;

/// Describes an agent that keeps what it reads; its first call takes the prompt's file away and fails for a passing reason.
fn forgetful(scene: &Scene) {
    let folder = scene.home.path("");
    let folder = folder.display();
    let script = scene.home.path("forgetful.sh");
    let text = format!(
        "message=$(cat)\nprintf '%s\\n' \"$message\" >> {folder}/read\n\
         if [ ! -e {folder}/once ]; then\n  touch {folder}/once\n  rm -f \"$AGENTD_OUTBOX\"/02_architecting/architect_prompt.md\n  \
         echo 'error 429' > {folder}/script\n  exec {AGENTD} offline-agent --speak claude --script {folder}/script\nfi\n\
         printf '%s\\n' \"$message\" | exec {AGENTD} offline-agent --speak claude\n"
    );
    fs::write(&script, text).expect("written");
    let script = script.to_string_lossy();
    scene.config(&format!(
        "[agents.forgetful]\ncli = \"claude\"\ncommand = [\"sh\", {script:?}]\nretries = 1\n"
    ));
}

fn architect(scene: &Scene) -> String {
    scene.run(&["--agent", "architect=forgetful", "--until", "architect"]).exits(0);
    assert_eq!(scene.runs("-architect").len(), 2, "it was asked twice");
    assert!(scene.read("02_architecting/architecture.md").starts_with('#'));
    fs::read_to_string(scene.home.path("read")).expect("it has read")
}

#[test]
fn seed_002_the_file_that_a_message_names_is_there_whenever_it_is_sent() {
    let scene = Scene::new();
    forgetful(&scene);
    let read = architect(&scene);
    let file = scene.prompt_file("02_architecting/architect_prompt.md");
    let message = format!("Read and follow the instructions in {}\n", file.display());
    assert_eq!(read, message.repeat(2), "that, and nothing else, is sent");
    let run = &scene.runs("-architect")[1];
    let kept = scene.read(&format!("runs/{run}/prompt.md"));
    assert_eq!(fs::read_to_string(file).expect("it is there"), kept);
}

#[test]
fn seed_002_the_prompt_itself_is_sent_where_that_is_asked_for() {
    let scene = Scene::new();
    forgetful(&scene);
    scene.config("[team]\ndelivery = \"stdin\"\n");
    let read = architect(&scene);
    assert!(!read.contains("Read and follow the instructions in"), "{read}");
    let run = &scene.runs("-architect")[0];
    let prompt = scene.read(&format!("runs/{run}/prompt.md"));
    assert_eq!(read.matches(prompt.trim_end()).count(), 2, "{read}");
}
