//! Why a change cannot be held or go on.

use std::path::PathBuf;

use thiserror::Error;

use super::archive::ArchiveError;
use super::history::{BrokenHistory, CannotBe};
use super::journal::JournalError;
use super::lock::LockError;
use crate::files::Failed;
use crate::models::change::ChangeId;

/// Why a change cannot be held or go on.
#[derive(Debug, Error)]
pub enum ChangeError {
    /// Its journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Its journal makes no sense.
    #[error("`{}`: {broken}", folder.display())]
    Broken {
        /// Its folder.
        folder: PathBuf,
        /// What is wrong.
        broken: BrokenHistory,
    },
    /// Somebody else holds it.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// Nobody asked for it yet.
    #[error("change `{id}` has no request yet")]
    NotBegun {
        /// The change.
        id: ChangeId,
    },
    /// That cannot happen to it now.
    #[error("change `{id}` is at {at}, where this is not possible")]
    Impossible {
        /// The change.
        id: ChangeId,
        /// Where it is, in words.
        at: String,
        /// What cannot happen.
        impossible: CannotBe,
    },
    /// It was begun in another checkout of the repository, where its documents are.
    #[error("change `{id}` belongs to {}", checkout_words(checkout))]
    OtherCheckout {
        /// The change.
        id: ChangeId,
        /// The checkout.
        checkout: Option<String>,
    },
    /// It is in the archive, where it may have been moved just now.
    #[error("change `{id}` is done, and archived in `{}`", folder.display())]
    Archived {
        /// The change.
        id: ChangeId,
        /// Where it is.
        folder: PathBuf,
    },
    /// What its archive wrote cannot be taken back.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// It is being discarded, and that was cut off.
    #[error("change `{id}` is being discarded, and part of it is left")]
    Discarding {
        /// The change.
        id: ChangeId,
    },
    /// A file of it cannot be read or written.
    #[error(transparent)]
    Io(#[from] Failed),
}

/// Names a checkout of a repository.
pub fn checkout_words(checkout: &Option<String>) -> String {
    match checkout {
        Some(name) => format!("the checkout `{name}` of this repository"),
        None => "the main checkout of this repository".to_owned(),
    }
}
