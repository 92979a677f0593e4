//! Which proposals a command is about: some by their ids, or all.

use clap::Args;

use crate::prompt::preferences::{ProposalId, Selection};

/// Some proposals, or all.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(in super::super) struct Chosen {
    /// The ids of proposals, as `agentd preferences pending` shows them.
    #[arg(value_name = "ID")]
    ids: Vec<ProposalId>,
    /// All that is pending.
    #[arg(long)]
    all: bool,
}

impl Chosen {
    pub(super) fn selection(&self) -> Selection {
        if self.all { Selection::All } else { Selection::These(self.ids.clone()) }
    }
}
