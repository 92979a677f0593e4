//! What a change may cost, and what fits into a prompt.

use std::fs;

use super::scene::{ID, Scene};

#[test]
fn a_limit_on_the_cost_is_refused_where_a_price_is_not_known() {
    let scene = Scene::bare();
    for name in ["gemini", "claude"] {
        scene.config(&format!("[agents.{name}]\ncommand = [\"true\"]\n"));
    }
    scene.config("[agents.codex]\ncommand = [\"true\"]\nmodel = \"unheard-of\"\n");
    scene.run(&["--max-cost", "1"]).exits(4).says("whose price is unknown").says("[prices.");
    assert!(!scene.change("").exists(), "that is said before anything is made");
    for (option, value) in
        [("--max-cost", "0"), ("--max-cost", "nan"), ("--max-cost", "x"), ("--max-tokens", "0")]
    {
        scene.run(&[option, value]).exits(2);
    }
    scene.config("[limits]\nmax_cost_usd = 2.0\n");
    scene.run(&[]).exits(4).says("whose price is unknown");
    // A price settles it; what fails then is the agent.
    scene.run(&["--agent", "claude", "--until", "plan"]).exits(5);
}

#[test]
fn a_limit_on_the_cost_works_with_the_default_agents_and_says_how_it_counts() {
    let scene = Scene::bare();
    for name in ["codex", "claude"] {
        scene.config(&format!("[agents.{name}]\ncommand = [\"true\"]\n"));
    }
    let ran = scene.run(&["--max-cost", "5"]).exits(5);
    ran.prints("cost       codex is counted as gpt-5.6");
}

#[test]
fn a_change_stops_at_its_limit_and_goes_on_with_a_larger_one() {
    let scene = Scene::new();
    scene.agent("paid", "read\nplay");
    scene
        .run(&["--agent", "paid", "--max-tokens", "1"])
        .exits(11)
        .prints("plan       PASS")
        .says("1 tokens is the limit")
        .says("--max-tokens");
    assert_eq!(scene.runs(), ["001-plan"]);
    scene.run(&["--agent", "paid", "--max-cost", "0.02"]).exits(11).says("0.02 USD is the limit");
    assert_eq!(scene.runs(), ["001-plan", "002-challenge"]);
    let ran = scene.run(&["--agent", "paid"]).exits(0);
    ran.prints("tokens  ").prints("0.0900 USD");
    scene.agentd(&["usage"]).exits(0).prints("add-login     9 calls").prints("0.0900 USD");
    scene
        .agentd(&["usage", "--by", "phase"])
        .exits(0)
        .prints("challenge     2 calls")
        .prints("0.0200 USD");
    scene.agentd(&["usage", "--by", "agent"]).exits(0).prints("paid     9 calls");
}

#[test]
fn what_was_spent_is_in_the_journal_and_no_record_of_a_run_lifts_a_limit() {
    let scene = Scene::new();
    scene.agent("paid", "read\nplay");
    let limited = ["--agent", "paid", "--max-cost", "0.02"];
    scene.run(&limited).exits(11).says("0.02 USD is the limit");
    let runs = scene.runs();
    assert_eq!(runs, ["001-plan", "002-challenge"]);
    for run in &runs {
        let meta = scene.change(&format!("runs/{run}/meta.json"));
        let mut record: serde_json::Value =
            serde_json::from_slice(&fs::read(&meta).expect("a record")).expect("JSON");
        record["usage"] = serde_json::Value::Null;
        fs::write(meta, record.to_string()).expect("written");
    }
    scene.run(&limited).exits(11).says("0.02 USD is the limit");
    for run in &runs {
        fs::remove_dir_all(scene.change("runs").join(run)).expect("removed");
    }
    scene.run(&limited).exits(11).says("0.02 USD is the limit");
    let usage = scene.agentd(&["status", ID, "--json"]).exits(0).json()["usage"].clone();
    assert_eq!(usage["cost_usd"], 0.02);
    // Runs go on behind those that are gone, so that none is taken for one that was counted.
    scene.run(&["--agent", "paid", "--until", "plan"]).exits(0);
    assert_eq!(scene.runs(), ["002-gone", "003-plan"]);
    scene.run(&["--agent", "paid", "--max-cost", "0.03"]).exits(11).says("0.03 USD is the limit");
}

#[test]
fn what_does_not_fit_is_left_out_in_order_and_said_in_the_prompt_and_in_the_log() {
    let scene = Scene::new();
    for number in 0..300 {
        scene.home.write(&format!("src/file_{number}.txt"), "");
    }
    scene.home.git(&["add", "--all"]);
    scene.home.git(&["commit", "--quiet", "--message", "Files"]);
    let specs = "A rule that holds. ".repeat(2000);
    scene.home.write("agentd/specs/large.md", &format!("# Large\n\n{specs}\n"));
    scene.run(&["--until", "plan"]).exits(0);
    assert!(scene.prompt("001-plan").contains(&specs));
    assert!(scene.prompt("001-plan").contains("file_299.txt"));
    scene.agent_with("small", "read\nplay", "max_prompt = \"15 KB\"\n");
    let ran =
        scene.agentd(&["run", ID, "Use OAuth", "--agent", "small", "--until", "plan"]).exits(0);
    ran.prints("left out   `PROJECT_STRUCTURE` (").prints("left out   `agentd/specs/large.md` (");
    let prompt = scene.prompt("002-plan");
    assert!(prompt.len() <= 15_000, "{}", prompt.len());
    assert!(!prompt.contains("file_299.txt") && !prompt.contains(&specs));
    assert!(prompt.contains("(left out: the prompt would be too large."), "{prompt}");
    assert!(prompt.contains("`agentd/specs/large.md`"), "{prompt}");
    scene
        .agentd(&["log", ID])
        .exits(0)
        .prints("left out: PROJECT_STRUCTURE, agentd/specs/large.md\n");
    scene.agent_with("tiny", "read\nplay", "max_prompt = \"1 KB\"\n");
    scene.agentd(&["run", ID, "--agent", "tiny"]).exits(11).says("`max_prompt` allows");
}

#[test]
fn a_file_that_is_too_large_is_named_and_the_run_goes_on_once_it_is_gone() {
    let scene = Scene::new();
    scene.run(&["--until", "plan"]).exits(0);
    let huge = scene.change("huge.bin");
    fs::File::create(&huge).and_then(|file| file.set_len(5 << 30)).expect("a sparse file");
    scene.run(&[]).exits(11).says("huge.bin").says("5368709120 bytes").says("help: move");
    assert!(huge.exists(), "it is left as it is");
    fs::remove_file(&huge).expect("removed");
    scene.run(&["--until", "challenge"]).exits(0);
}
