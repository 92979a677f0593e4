//! Plans: writes a proposal, one spec and the tasks for the small command, and settles what a critic has found.

use askama::Template;

use super::idea::{Edge, Idea, idea};
use super::part::Part;
use super::{NO_MODEL, Played, Unplayable};
use crate::template::Phase;

#[derive(Template)]
#[template(path = "blocks/offline/proposal.md.j2", escape = "none")]
struct Proposal<'a> {
    idea: &'a Idea,
    findings: &'a [Finding],
}

#[derive(Template)]
#[template(path = "blocks/offline/spec.md.j2", escape = "none")]
struct Spec<'a> {
    idea: &'a Idea,
}

#[derive(Template)]
#[template(path = "blocks/offline/tasks.md.j2", escape = "none")]
struct Tasks<'a> {
    idea: &'a Idea,
}

/// Something that a critic has found.
struct Finding {
    text: String,
    answer: Answer,
}

/// What the plan says to a finding.
enum Answer {
    Settled,
    Declined,
}

pub(super) fn play(part: &Part) -> Result<Played, Unplayable> {
    let skeleton = part.skeleton(Phase::Plan, "proposal.md")?;
    let challenge = part.artifact("CHALLENGE.md");
    let settled = challenge.is_some() || part.specs().any(|(_, text)| speaks_of_the_edge(text));
    let edge = if settled { Edge::Settled } else { Edge::Open };
    let instructions = part.prompt.instructions.as_str();
    let idea = idea(&skeleton.change, instructions, part.artifact("proposal.md"), edge);
    let findings: Vec<_> = challenge.map(findings).unwrap_or_default();
    let files = vec![
        ("proposal.md".to_owned(), Proposal { idea: &idea, findings: &findings }.to_string()),
        (format!("specs/{}.md", idea.change), Spec { idea: &idea }.to_string()),
        ("tasks.md".to_owned(), Tasks { idea: &idea }.to_string()),
    ];
    let names: String = files.iter().map(|(name, _)| format!("- {name}\n")).collect();
    let more = match edge {
        Edge::Open => "",
        Edge::Settled => "New in this round: R3, an empty word is refused.\n\n",
    };
    let answer = format!(
        "Planned a small command that stands in for \"{}\". Files:\n\n{names}\n{more}The largest risk: somebody takes it \
         for the real thing.\n\n<review>PASS</review>",
        idea.title
    );
    Ok(skeleton.hand_over(&answer, files))
}

/// Says whether a spec tells what happens with nothing where something is expected.
pub(super) fn speaks_of_the_edge(spec: &str) -> bool {
    spec.to_lowercase().contains("empty")
}

/// Reads the numbered findings of a report.
fn findings(challenge: &str) -> Vec<Finding> {
    let numbered = |line: &str| {
        let (number, text) = line.split_once(". ")?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.replace(['<', '>', '`'], "'"))
    };
    let findings = challenge.lines().filter_map(numbered).map(|text| Finding {
        answer: if speaks_of_the_edge(&text) { Answer::Settled } else { Answer::Declined },
        text,
    });
    findings.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::blocks::{PROPOSAL, SPEC, Section};
    use crate::prompt::tasks;

    fn example(edge: Edge) -> Idea {
        idea(&"add-login".parse().unwrap(), "Add login\n\n## Goals\n```", None, edge)
    }

    fn assert_complete(text: &str, sections: &[Section]) {
        let mut parts = text.split("\n## ").skip(1);
        for section in sections {
            let (title, body) = parts.next().unwrap().split_once('\n').unwrap();
            assert_eq!(title, section.title);
            assert!(body.trim().len() > 20, "{title}: {body}");
        }
        assert_eq!(parts.next(), None);
        assert!(text.lines().take(3).any(|line| line.contains(NO_MODEL)), "{text}");
        assert!(!text.contains("\n\n\n") && !text.contains("{{"), "{text}");
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{text:?}");
    }

    #[test]
    fn every_file_has_each_section_that_the_skeleton_asks_for() {
        for edge in [Edge::Open, Edge::Settled] {
            let idea = example(edge);
            let findings = findings("1. MAJOR: the empty word\n2. MINOR: a name\n\nText. More.\n");
            assert_complete(&Proposal { idea: &idea, findings: &findings }.to_string(), &PROPOSAL);
            assert_complete(&Spec { idea: &idea }.to_string(), &SPEC);
            let tasks = tasks::read(&Tasks { idea: &idea }.to_string()).unwrap();
            assert_eq!(tasks[1].requirements.join(", "), idea.requirements());
            assert_eq!(tasks[1].files, ["agentd-demo/add-login.test.sh"]);
            assert!(tasks.iter().all(|task| task.check.is_some() && !task.done));
        }
    }

    #[test]
    fn a_first_spec_really_lacks_what_the_critic_then_misses() {
        assert!(!speaks_of_the_edge(&Spec { idea: &example(Edge::Open) }.to_string()));
        let settled = Spec { idea: &example(Edge::Settled) }.to_string();
        assert!(speaks_of_the_edge(&settled));
        assert!(settled.contains("### R3: ") && settled.contains("(R3)\n"), "{settled}");
    }

    #[test]
    fn a_plan_answers_to_all_that_is_asked_in_its_round_under_the_same_title() {
        let first = example(Edge::Open);
        let proposal = Proposal { idea: &first, findings: &[] }.to_string();
        let more = "Add login\n\nRevise the plan.";
        let again = idea(&"add-login".parse().unwrap(), more, Some(&proposal), Edge::Settled);
        assert_eq!((again.request.as_str(), again.title), (more, first.title));
    }
}
