//! The names of context blocks that mean the same everywhere.

/// What is to be done.
pub const TASK: &str = "task";
/// What the tasks before this one came to.
pub const UPSTREAM: &str = "upstream";
/// How deep in a tree of tasks this one is; adds [`EXECUTION_RULES`].
pub const TASK_DEPTH: &str = "task_depth";
/// What triggered a hook, and what its steps gave.
pub const HOOK: &str = "hook";
/// Workspace, project and branch.
pub const SYSTEM_METADATA: &str = "system_metadata";
/// What the agent's profile adds.
pub const ROLE_INSTRUCTIONS: &str = "role_instructions";
/// The rules that a task's depth brings with it.
pub const EXECUTION_RULES: &str = "execution_rules";
/// The definitions of the tools.
pub const TOOLS: &str = "tools";
