//! What the prompts of the team cost, beside reading the same files and joining them.
//!
//! `cargo bench --bench team` prints the table; `docs/PERFORMANCE.md` shows a run and explains it.

#![allow(clippy::disallowed_methods, reason = "benchmarks write their scenes as they like")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[expect(dead_code, reason = "other benchmarks use the rest of it")]
mod measure;

use std::fs;
use std::io;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use agentd::prompt::team::{
    Facts, TeamSession, build_coder_subplan_prompt, build_coder_whole_plan_prompt,
};
use measure::{Group, heading};

/// The files that go into every prompt of a coder.
const COMMON: [&str; 4] = [
    "02_architecting/architecture.md",
    "05_design/design.md",
    "state.json",
    "../../prompts/agents/coder.md",
];

fn main() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let session = session(folder.path())?;
    let plan = |number: u32| {
        [format!("04_planning/plan_{number}.md"), format!("04_planning/tasks_{number}.md")]
    };
    let common = || COMMON.into_iter().map(str::to_owned);

    let files: Vec<_> = plan(1).into_iter().chain(common()).collect();
    let subplan =
        || build_coder_subplan_prompt(&session, NonZeroU32::MIN).map(|built| built.text).ok();
    compare(&session, "one plan", &files, subplan);
    let plans = (1..=4).flat_map(plan);
    let files: Vec<_> = plans.chain(["04_planning/plan.md".to_owned()]).chain(common()).collect();
    compare(&session, "all of four plans", &files, || {
        build_coder_whole_plan_prompt(&session).map(|built| built.text).ok()
    });
    research(&session.feature_dir)?;
    let files: Vec<_> = plan(1).into_iter().chain(common()).collect();
    compare(&session, "one plan, with two topics of research to list", &files, subplan);
    Ok(())
}

/// Measures making a prompt beside reading its files and joining them to a text of the same size.
fn compare(
    session: &TeamSession,
    name: &str,
    files: &[String],
    build: impl Fn() -> Option<String>,
) {
    let Some(output) = build() else { return println!("the prompt of {name} cannot be made") };
    heading(
        &format!(
            "the coder's prompt of {name}, {} KB of {} files",
            output.len() / 1000,
            files.len()
        ),
        "median; ratio to reading the same files and joining them with as much text as the template has",
    );
    let paths: Vec<PathBuf> = files.iter().map(|file| session.feature_dir.join(file)).collect();
    let contents: usize =
        paths.iter().filter_map(|path| fs::read(path).ok()).map(|f| f.len()).sum();
    let template = &output[..output.floor_char_boundary(output.len().saturating_sub(contents))];
    let (paths, size) = (paths.as_slice(), output.len());
    let mut group = Group::beside("files read and joined", move || {
        let mut joined = Vec::with_capacity(size);
        joined.extend_from_slice(template.as_bytes());
        for path in paths {
            joined.extend_from_slice(&fs::read(path).unwrap_or_default());
        }
        joined
    });
    group.case("prompt made", build);
    group.print();
}

/// Writes two topics of finished research.
fn research(change: &Path) -> io::Result<()> {
    for topic in ["code-auth", "web-oauth"] {
        let folder = change.join("03_research").join(topic);
        fs::create_dir_all(&folder)?;
        for file in ["done", "summary.md", "detail.md"] {
            fs::write(folder.join(file), "What was found.\n")?;
        }
    }
    Ok(())
}

/// Writes a change of four plans and a project's own rules.
fn session(root: &Path) -> io::Result<TeamSession> {
    let change = root.join("agentd/changes/add-login");
    let write = |path: &str, size: usize| {
        let path = change.join(path);
        fs::create_dir_all(path.parent().unwrap_or(root))?;
        fs::write(path, "A line of a plan, of tasks or of a design.\n".repeat(size / 43))
    };
    for number in 1..=4 {
        write(&format!("04_planning/plan_{number}.md"), 4_500)?;
        write(&format!("04_planning/tasks_{number}.md"), 1_500)?;
    }
    for (path, size) in [("04_planning/plan.md", 3_000), ("state.json", 300)] {
        write(path, size)?;
    }
    write("02_architecting/architecture.md", 2_000)?;
    write("05_design/design.md", 1_000)?;
    let rules = root.join("agentd/prompts/agents");
    fs::create_dir_all(&rules)?;
    fs::write(rules.join("coder.md"), "- Keep regression tests\n")?;
    let project = root.to_owned();
    Ok(TeamSession {
        feature_dir: change,
        project_dir: project.clone(),
        project_root: project,
        facts: Facts::default(),
    })
}
