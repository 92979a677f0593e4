//! Checking plans takes time that grows with their number, not with the number of their pairs.

use std::hint::black_box;

use agentd::engine::schedule::{PlanningFiles, check};

use crate::language::assert_linear_from;
use crate::planning::{CHANGE, plan};

/// Plans of one parallel group, each with files, globs and folders of its own below common ones.
fn many(plans: usize, patterns: usize) -> PlanningFiles {
    let mut files = PlanningFiles::new(CHANGE);
    let mut references = String::new();
    for number in 1..=plans {
        let owned: Vec<String> = (0..patterns)
            .map(|pattern| match pattern % 4 {
                0 => format!("src/part_{number}/file_{pattern}.rs"),
                1 => format!("src/part_{number}/*_{pattern}.rs"),
                2 => format!("tests/part_{number}/case_{pattern}/**"),
                _ => format!("docs/part_{number}/chapter_{pattern}/"),
            })
            .collect();
        let owned: Vec<&str> = owned.iter().map(String::as_str).collect();
        files = files
            .with(&format!("plan_{number}.md"), plan("Part", &owned, "none"))
            .with(&format!("tasks_{number}.md"), "- [ ] Do it\n");
        references += &format!("  - {{file: plan_{number}.md, name: Part {number}}}\n");
    }
    let all =
        format!("version: 1\ngroups:\n- group_id: all\n  mode: parallel\n  plans:\n{references}");
    files.with("execution_plan.yaml", all)
}

#[test]
fn checking_many_plans_takes_linear_time() {
    let make = |plans: usize| plans.to_string();
    let sizes = [15, 30].map(|plans| (plans, many(plans, 20)));
    assert_linear_from(15, "plans of one parallel group", make, |plans| {
        let (_, files) = sizes.iter().find(|(size, _)| size.to_string() == plans).expect("a size");
        black_box(check(files)).unwrap_or_else(|faults| panic!("{faults}"));
    });
}

#[test]
fn two_hundred_plans_with_fifty_patterns_each_are_checked_and_one_overlap_is_found() {
    let files = many(200, 50);
    let schedule = check(&files).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(schedule.lanes().count(), 200);
    let owner = schedule.owner_of("docs/part_77/chapter_3/x.md").expect("an owner");
    assert_eq!(owner.index().get(), 77);
    let faults = check(&files.with("plan_9.md", plan("Part", &["src/part_77/other_1.rs"], "none")));
    let faults = faults.expect_err("refused");
    assert_eq!(faults.lines().len(), 1, "{faults}");
    assert!(faults.lines()[0].contains("plan_9 and plan_77"), "{faults}");
}
