//! Agents that are processes, under the real guard: they work at once, and end when agentd is to end.

use std::path::Path;
use std::time::{Duration, Instant};

use agentd::engine::error::EngineError;
use agentd::engine::lanes::{Asking, LaneAnswer, LaneRunner, LaneState, Workplace};
use agentd::engine::schedule::Lane;
use agentd::models::run::{End, Invocation};
use agentd::process::{Cancel, Limits, Supervision};

use super::scene::{GUARD, Team, index, refusal};
use crate::process::scene::Mark;

/// Runs a shell script in each workspace, with the plan's number as `$1`.
struct Shell<'a> {
    script: String,
    runs: &'a Path,
    cancel: Cancel,
}

impl LaneRunner for Shell<'_> {
    async fn run(
        &self,
        lane: &Lane,
        place: &Workplace,
        _: Asking,
    ) -> Result<LaneAnswer, EngineError> {
        let plan = lane.index().get().to_string();
        let args = ["-c", &self.script, "sh", &plan].map(Into::into).to_vec();
        let path = std::env::var_os("PATH").unwrap();
        let env = vec![("PATH".into(), path)];
        let invocation = Invocation { program: "sh".into(), args, env, ..Invocation::default() };
        let supervision = Supervision {
            guard: Path::new(GUARD),
            workspace: place.workspace.path(),
            run_folder: &self.runs.join(format!("{plan}-coder")),
            limits: Limits {
                timeout: Duration::from_mins(1),
                idle_timeout: None,
                grace: Duration::from_millis(500),
                largest_output: 1 << 20,
            },
            grant: None,
            cancel: self.cancel.clone(),
        };
        let record = agentd::process::run(&invocation, &supervision, &mut |_| {}).await?;
        match record.end {
            End::Exited { code: 0 } => Ok(LaneAnswer {
                agent: "sh".to_owned(),
                run: format!("{plan}-coder"),
                results: None,
            }),
            End::Cancelled => Err(EngineError::Interrupted),
            other => Err(refusal(&format!("{other:?}"))),
        }
    }
}

#[test]
fn agents_of_a_group_work_at_once_each_in_its_own_workspace() {
    let mut team = Team::new();
    let meeting = team.git.path("meeting");
    // Each waits for all others, which would be for ever if one came after the other.
    let script = format!(
        "mkdir -p '{0}' lane-$1; touch '{0}/'$1; \
         while [ $(ls '{0}' | wc -l) -lt 3 ]; do sleep 0.02; done; pwd >lane-$1/where",
        meeting.display()
    );
    let runs = team.git.path("runs");
    let shell = Shell { script, runs: &runs, cancel: Cancel::never() };
    let records = team.run(1..=3, &shell).unwrap();
    for plan in 1..=3 {
        assert!(matches!(records.state(index(plan)), LaneState::Merged { .. }), "{records:?}");
        let found = team.git.git(&["show", &format!("agentd/add-login:lane-{plan}/where")]);
        assert_eq!(found, team.lane_folder(plan).to_str().unwrap());
    }
}

#[test]
fn agents_that_are_at_work_when_agentd_is_to_end_are_gone_with_it() {
    let mut team = Team { most: 2, ..Team::new() };
    let (mark, runs) = (Mark::new(), team.git.path("runs"));
    let begun = team.git.path("begun");
    let script = format!("touch '{}'.$1; setsid sleep {} & wait", begun.display(), mark.0);
    let shell = Shell { script, runs: &runs, cancel: team.cancel.clone() };
    let canceller = team.canceller.clone();
    let watcher = std::thread::spawn(move || {
        let both = [1, 2].map(|plan| begun.with_extension(plan.to_string()));
        let start = Instant::now();
        while !both.iter().all(|file| file.exists()) && start.elapsed() < Duration::from_mins(1) {
            std::thread::sleep(Duration::from_millis(5));
        }
        canceller.cancel();
    });
    let error = team.run(1..=3, &shell).unwrap_err();
    watcher.join().unwrap();
    assert!(error.is_interruption(), "{error:?}");
    mark.assert_nobody_is_left();
    let mut words = team.words();
    words.sort();
    assert_eq!(words, ["started 1", "started 2"], "the third was never begun");
}
