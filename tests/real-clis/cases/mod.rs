//! The cases. Each runs agentd once or a few times, in a world of its own.

mod answers;
mod failures;
mod files;
mod flows;
mod handoff;
mod isolation;
mod live;
mod prompts;

use crate::cli::Cli;
use crate::suite::Suite;

/// Something that must hold for a CLI.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&Suite, Cli),
    /// Says for which CLIs there is such a thing.
    pub(crate) applies: fn(Cli) -> bool,
    /// Whether most of its time is spent waiting for a time-out.
    pub(crate) waits: bool,
}

const fn case(name: &'static str, run: fn(&Suite, Cli)) -> Case {
    Case { name, run, applies: |_| true, waits: false }
}

/// Every case, those that take longest first.
pub(crate) const CASES: &[Case] = &[
    Case { waits: true, ..case("hanging-server", failures::hanging_server) },
    Case { waits: true, ..case("hanging-beside-a-command", failures::hanging_beside_a_command) },
    case("whole-flow", flows::alone),
    Case {
        // It takes three CLIs; it is told of in the column of the one that writes the code.
        applies: |cli| cli == Cli::Claude,
        ..case("whole-flow-by-default", flows::by_default)
    },
    case("a-team-hands-in", handoff::in_a_team),
    Case {
        applies: |cli| cli != Cli::Copilot && live::has_tmux(),
        ..case("a-team-in-tmux", live::in_tmux)
    },
    Case { applies: |_| live::has_tmux(), ..case("rounds-in-tmux", live::rounds) },
    Case {
        // The others ask nothing that agentd does not spare people.
        applies: |cli| cli == Cli::Copilot && live::has_tmux(),
        ..case("a-question-in-tmux", live::asks_something)
    },
    case("hands-in-with-tools", handoff::with_tools),
    case("memory-files-and-isolation", isolation::memory_files),
    case("prompt-of-400-kb", prompts::large),
    case("prompt-full-of-mentions", prompts::mentions),
    case("prompt-too-large", prompts::too_large),
    Case {
        // The others refuse nothing that agentd does not refuse before.
        applies: |cli| cli == Cli::Claude || cli == Cli::Copilot,
        ..case("prompt-refused-by-the-cli", prompts::refused_by_the_cli)
    },
    case("answer", answers::plain),
    case("answer-after-a-tool", answers::after_a_tool),
    case("files-are-written", files::written),
    case("commands-run", files::commands_run),
    case("no-commands-unless-allowed", files::no_commands_unless_allowed),
    case("nothing-outside-is-written", files::nothing_outside),
    case("a-judge-writes-nothing", files::judge_writes_nothing),
    case("the-project-runs-nothing", files::project_runs_nothing),
    case("error-401", |suite, cli| failures::status(suite, cli, 401)),
    case("error-429", |suite, cli| failures::status(suite, cli, 429)),
    case("error-500", |suite, cli| failures::status(suite, cli, 500)),
    case("malformed-answer", failures::malformed),
    case("cut-answer", failures::cut),
];
