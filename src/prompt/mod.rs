//! From names to prompts: [`PromptBuilder`] joins the parts of a prompt, the other files are where they come
//! from.
//!
//! ```
//! use agentd::prompt::{PromptBuilder, block};
//!
//! let mut builder = PromptBuilder::new(None);
//! builder.set_identity("task-agent", &[("project_name", "shop"), ("workspace_dir", "/srv/shop")])?;
//! builder.add_context(block::TASK, "Add login.");
//! let prompt = builder.build_task_prompt();
//! assert!(prompt.ends_with("\n\n---\n\nAdd login."));
//! # Ok::<(), agentd::prompt::PromptError>(())
//! ```

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod ask_for_verdict;
pub mod block;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod blocks;
mod builder;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod confined;
mod context_block;
mod depth;
mod join;
#[cfg(feature = "cli")]
mod legible;
#[doc(hidden)]
pub mod memory;
pub(crate) mod missing;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod preferences;
#[cfg(feature = "compiler")]
#[doc(hidden)]
pub mod project;
#[cfg(feature = "cli")]
mod refusal;
mod section;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod session;
mod system;
#[cfg(feature = "compiler")]
#[doc(hidden)]
pub mod tasks;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod team;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod tree;

pub use builder::{PromptBuilder, PromptError, Strictness};
pub use join::SEPARATOR;
pub use system::SystemPromptSource;
