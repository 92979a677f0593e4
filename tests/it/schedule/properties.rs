//! Random plans against an oracle that tries every short path over a small alphabet.

use std::fmt::Write as _;

use agentd::engine::schedule::{PlanningFiles, Schedule, ScheduleCode, check};
use agentd::models::plan::{Mode, OwnedPattern};
use proptest::prelude::*;

use crate::envelope::cases;
use crate::fuzz::oracles::patterns::{could_go_on, owns};
use crate::fuzz::oracles::plans::is_in_order;
use crate::planning::{CHANGE, plan};

/// The letters of names; a pattern leaves nothing open that needs another.
const LETTERS: [char; 3] = ['a', 'b', '.'];

/// Every name of at most three letters but `.` and `..`.
fn names() -> Vec<String> {
    let mut all: Vec<String> = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..3 {
        let longer = |name: &String| LETTERS.map(|letter| format!("{name}{letter}"));
        last = last.iter().flat_map(longer).collect();
        all.extend(last.clone());
    }
    all.retain(|name| !["", ".", ".."].contains(&name.as_str()));
    all
}

/// Looks for a path of at most three names that both match.
fn naively_shared(left: &str, right: &str, names: &[String]) -> bool {
    let mut paths: Vec<String> = names.to_vec();
    for _ in 0..3 {
        if paths.iter().any(|path| owns(left, path) && owns(right, path)) {
            return true;
        }
        // Of names that neither pattern tells apart, one will do, so few are enough further down.
        paths.retain(|path| could_go_on(left, path) && could_go_on(right, path));
        paths = paths
            .iter()
            .flat_map(|path| names.iter().map(move |name| format!("{path}/{name}")))
            .collect();
    }
    false
}

fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ab]{1,2}",
        3 => "[ab*?]{1,2}".prop_filter("two stars are another thing", |part| part != "**"),
        1 => Just(".?".to_owned()),
        1 => Just("?.".to_owned()),
        1 => Just("**".to_owned()),
    ]
}

fn pattern() -> impl Strategy<Value = String> {
    (proptest::collection::vec(part(), 1..3), proptest::bool::weighted(0.2))
        .prop_map(|(parts, folder)| format!("{}{}", parts.join("/"), if folder { "/" } else { "" }))
}

/// What a plan owns, and what it needs.
type Part = (Vec<String>, Vec<u32>);

/// Some plans in groups.
#[derive(Clone, Debug)]
struct Plans {
    groups: Vec<(Mode, Vec<Part>)>,
}

fn plans() -> impl Strategy<Value = Plans> {
    let lane =
        (proptest::collection::vec(pattern(), 1..3), proptest::collection::vec(1..7_u32, 0..2));
    let mode = prop_oneof![Just(Mode::Serial), Just(Mode::Parallel)];
    let group = (mode, proptest::collection::vec(lane, 1..4));
    proptest::collection::vec(group, 1..3).prop_map(|groups| Plans { groups })
}

impl Plans {
    fn files(&self) -> PlanningFiles {
        let mut files = PlanningFiles::new(CHANGE);
        let mut yaml = String::from("version: 1\ngroups:\n");
        let mut number = 0;
        for (group, (mode, lanes)) in self.groups.iter().enumerate() {
            let _ = write!(yaml, "- group_id: g{group}\n  mode: {mode}\n  plans:\n");
            for (owned, needs) in lanes {
                number += 1;
                let owned: Vec<&str> = owned.iter().map(String::as_str).collect();
                let needs: String = needs.iter().map(|plan| format!("- plan_{plan}\n")).collect();
                let needs = if needs.is_empty() { "none".to_owned() } else { needs };
                files = files
                    .with(&format!("plan_{number}.md"), plan("Part", &owned, &needs))
                    .with(&format!("tasks_{number}.md"), "- [ ] Do it\n");
                let _ = writeln!(yaml, "  - {{file: plan_{number}.md, name: P}}");
            }
        }
        files.with("execution_plan.yaml", yaml)
    }

    /// Says by the oracle whether two lanes that run at once share something.
    fn overlaps(&self, names: &[String]) -> bool {
        let parallel = self.groups.iter().filter(|(mode, _)| *mode == Mode::Parallel);
        parallel.into_iter().any(|(_, lanes)| {
            (0..lanes.len()).any(|left| {
                (0..left).any(|right| {
                    lanes[left].0.iter().any(|one| {
                        lanes[right].0.iter().any(|other| naively_shared(one, other, names))
                    })
                })
            })
        })
    }

    /// Says whether every dependency is done before the plan that needs it.
    fn in_order(&self) -> bool {
        let mut done = 0;
        let mut number = 0;
        for (mode, lanes) in &self.groups {
            for (_, needs) in lanes {
                number += 1;
                let before = if *mode == Mode::Serial { number - 1 } else { done };
                if needs.iter().any(|needed| *needed > before) {
                    return false;
                }
            }
            done = number;
        }
        true
    }
}

/// Demands of a schedule what it promises.
fn keeps_its_promise(schedule: &Schedule, names: &[String]) {
    is_in_order(schedule);
    for group in schedule.groups().iter().filter(|group| group.mode() == Mode::Parallel) {
        for path in names {
            assert!(group.lanes().iter().filter(|lane| lane.owns(path)).count() <= 1, "{path}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(1000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_plans_are_accepted_exactly_when_they_are_ordered_and_disjoint(plans in plans()) {
        let names = names();
        let result = check(&plans.files());
        let (overlaps, in_order) = (plans.overlaps(&names), plans.in_order());
        match result {
            Ok(schedule) => {
                prop_assert!(!overlaps && in_order, "accepted: {plans:?}");
                keeps_its_promise(&schedule, &names);
            }
            Err(faults) => {
                let codes = faults.codes();
                prop_assert_eq!(codes.contains(&ScheduleCode::Overlap), overlaps, "{}", faults);
                prop_assert_eq!(
                    codes.iter().any(|code| *code != ScheduleCode::Overlap), !in_order, "{}", faults
                );
            }
        }
    }

    #[test]
    fn a_witness_matches_both_patterns_and_there_is_one_if_there_can_be(left in pattern(), right in pattern()) {
        let [one, other]: [OwnedPattern; 2] = [&left, &right].map(|text| text.parse().expect("a pattern"));
        let witness = one.shared_with(&other);
        prop_assert_eq!(witness.is_some(), naively_shared(&left, &right, &names()), "{:?}", witness);
        if let Some(path) = witness {
            prop_assert!(owns(&left, &path) && owns(&right, &path), "{}", path);
            prop_assert!(path.split('/').all(|name| !["", ".", ".."].contains(&name)), "{}", path);
        }
    }

    #[test]
    fn ownership_is_what_the_oracle_says(text in pattern(), path in "[ab.]{1,3}(/[ab.]{1,3}){0,2}") {
        let pattern: OwnedPattern = text.parse().expect("a pattern");
        let strange = path.split('/').any(|name| [".", ".."].contains(&name));
        prop_assert_eq!(pattern.owns(&path), !strange && owns(&text, &path));
    }
}
