//! The compiler of templates and flows: load -> link -> check -> codegen, with diagnostics as data.
//!
//! `build.rs` mounts this folder, [`crate::flow`] and [`crate::template`] as they stand; the library has it with the
//! feature `compiler`. Only [`mod@load`] reads files, and nothing here prints.

mod check;
#[doc(hidden)]
pub mod code;
mod codegen;
mod compilation;
#[doc(hidden)]
pub mod contract;
#[doc(hidden)]
pub mod diagnostic;
pub(crate) mod fields;
#[doc(hidden)]
pub mod flow;
#[doc(hidden)]
pub mod frontmatter;
mod identity;
mod link;
pub mod load;
pub mod report;
#[doc(hidden)]
pub mod source;

pub use code::{Code, DiagnosticCode, Severity};
pub use compilation::{Compilation, compile};
#[doc(hidden)]
pub use compilation::{SystemUnit, TeamUnit, check_identity, link_one};
pub use diagnostic::{Diagnostic, Place};
#[doc(hidden)]
pub use frontmatter::Frontmatter;
#[doc(hidden)]
pub use identity::IdentityUnit;
#[doc(hidden)]
pub use link::Linked;
pub use load::{LoadError, load};
pub use source::Sources;
#[doc(hidden)]
pub use source::{FileId, Folder, SourceFile};
