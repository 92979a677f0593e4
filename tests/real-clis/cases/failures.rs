//! What goes wrong at the model's end: each becomes an error of its kind, and no run hangs.

use crate::cli::Cli;
use crate::model::behaviour::Turn;
use crate::scene::Scene;
use crate::suite::Suite;

/// How long a run may take where nothing ever comes. It must be enough for a CLI to start and to ask.
const PATIENCE: &str = "\"30s\"";

/// An HTTP status is told as what it means.
pub(super) fn status(suite: &Suite, cli: Cli, status: u16) {
    let case = format!("error-{status}");
    let scene = Scene::new(suite, cli, &case, |_| vec![Turn::Status(status)]);
    let outcome = scene.call("review", "Review it.");
    let kind = match status {
        401 => "not logged in",
        429 => "rate limited",
        _ => "the model's server failed",
    };
    outcome.exits(5).says(kind);
    assert!(!scene.server.asked().is_empty(), "the server was asked");
}

/// An answer that is no JSON is a broken answer.
pub(super) fn malformed(suite: &Suite, cli: Cli) {
    let scene = Scene::new(suite, cli, "malformed-answer", |_| vec![Turn::Malformed]);
    scene.call("review", "Review it.").exits(5).says("the model's answer was broken");
}

/// Half an answer is a broken answer, and never taken for a whole one.
pub(super) fn cut(suite: &Suite, cli: Cli) {
    let scene = Scene::new(suite, cli, "cut-answer", |_| vec![Turn::Cut]);
    scene.call("review", "Review it.").exits(5).says("the model's answer was broken");
}

/// A server that never answers ends with the time-out.
pub(super) fn hanging_server(suite: &Suite, cli: Cli) {
    let scene = Scene::new(suite, cli, "hanging-server", |_| vec![Turn::Hang]);
    let scene = scene.set("timeout", PATIENCE);
    scene.call("review", "Review it.").exits(6);
    assert!(!scene.server.asked().is_empty(), "the server was asked");
}

/// A command that the agent started ends with the run.
pub(super) fn hanging_beside_a_command(suite: &Suite, cli: Cli) {
    let scene = Scene::new(suite, cli, "hanging-beside-a-command", |_| {
        vec![Turn::Use(cli.shell("touch started.txt; sleep 1000"))]
    });
    let scene = scene.set("timeout", PATIENCE).set("permissions", "\"shell\"");
    scene.call("implement", "Implement it.").exits(6);
    assert!(scene.has("project/started.txt"), "the command ran");
}
