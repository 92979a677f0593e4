//! The compiler of templates and flows: load -> link -> check -> codegen, with diagnostics as data.
//!
//! `build.rs` mounts this folder, [`crate::flow`] and [`crate::template`] as they stand; the library has it with the
//! feature `compiler`. Only [`mod@load`] reads files, and nothing here prints.

mod check;
pub mod code;
mod codegen;
mod compilation;
pub mod contract;
pub mod diagnostic;
pub(crate) mod fields;
pub mod flow;
pub mod frontmatter;
mod identity;
mod link;
pub mod load;
pub mod report;
pub mod source;

pub use code::{Code, DiagnosticCode, Severity};
pub use compilation::{Compilation, SystemUnit, TeamUnit, check_identity, compile, link_one};
pub use diagnostic::{Diagnostic, Place};
pub use frontmatter::Frontmatter;
pub use identity::IdentityUnit;
pub use link::Linked;
pub use load::{LoadError, load};
pub use source::{FileId, Folder, SourceFile, Sources};
