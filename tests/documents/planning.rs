//! A set of plans without a fault: contracts first, then two lanes at once, then what joins them.

use agentd::engine::schedule::PlanningFiles;

/// The folder of the change, from the project's root.
pub(crate) const CHANGE: &str = "agentd/changes/add-login";

/// Its execution plan.
pub(crate) const EXECUTION_PLAN: &str = "\
version: 1
groups:
  - group_id: contracts
    mode: serial
    plans:
      - { file: plan_1.md, name: \"Contracts\" }
  - group_id: features
    mode: parallel
    plans:
      - { file: plan_2.md, name: \"Login page\" }
      - { file: plan_3.md, name: \"Sessions\" }
  - group_id: integration
    mode: serial
    plans:
      - { file: plan_4.md, name: \"Join the lanes\" }
needs_design: true
needs_docs: true
doc_files: [docs/login.md]
review_strategy:
  severity: high
  focus: [security]
";

/// Writes a plan.
pub(crate) fn plan(title: &str, owned: &[&str], dependencies: &str) -> String {
    let owned: String = owned.iter().map(|path| format!("- `{path}`\n")).collect();
    format!(
        "# {title}\n\n## Scope\n\nWhat the title says.\n\n## Owned files/modules\n\n{owned}\n\
         ## Dependencies\n\n{dependencies}\n\n## Isolation\n\nNobody else writes these files.\n"
    )
}

/// The files of the set, by name.
pub(crate) fn texts() -> Vec<(&'static str, String)> {
    vec![
        ("execution_plan.yaml", EXECUTION_PLAN.to_owned()),
        ("plan_1.md", plan("Contracts", &["src/contracts.rs", "docs/"], "none")),
        ("plan_2.md", plan("Login page", &["src/pages/login.rs"], "- plan_1")),
        ("plan_3.md", plan("Sessions", &["src/session/**", "tests/session_*.rs"], "- plan_1")),
        ("plan_4.md", plan("Join the lanes", &["src/main.rs"], "- plan_2\n- plan_3")),
        ("tasks_1.md", "- [ ] Write the traits\n".to_owned()),
        ("tasks_2.md", "- [ ] Write a test\n- [ ] Show the form\n".to_owned()),
        ("tasks_3.md", "- [ ] Write a test\n".to_owned()),
        ("tasks_4.md", "- [ ] Call both\n".to_owned()),
    ]
}

/// The set itself.
pub(crate) fn correct() -> PlanningFiles {
    texts()
        .into_iter()
        .fold(PlanningFiles::new(CHANGE), |files, (name, text)| files.with(name, text))
}
