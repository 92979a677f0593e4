//! `agentd templates export`: writes the sources of the compiled-in templates.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use include_dir::{Dir, File, include_dir};

use crate::cli::{Failure, Outcome, PathContext as _, report};

/// The templates at the time of the build.
pub(crate) static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// Write the sources of the compiled-in templates to a folder.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The folder; it is created if it does not exist.
    folder: PathBuf,
    /// Overwrite existing files.
    #[arg(long)]
    force: bool,
}

impl Export {
    pub(crate) fn run(&self) -> Outcome {
        let mut files = files(&TEMPLATES);
        // The blocks and the contract are part of the code: nothing reads them from a folder.
        files.retain(|file| {
            !file.path().starts_with("blocks") && file.path() != Path::new("contract.toml")
        });
        if let Some(taken) =
            files.iter().map(|file| self.folder.join(file.path())).find(|path| path.exists())
            && !self.force
        {
            let message = format!("`{}` already exists, so nothing was written", taken.display());
            return Err(Failure::precondition(
                message,
                "name another folder, or overwrite with `--force`",
            ));
        }
        for file in &files {
            write(&self.folder.join(file.path()), file.contents())?;
        }
        report(&format!("{} templates written to {}\n", files.len(), self.folder.display()))
    }
}

fn files<'d>(folder: &'d Dir<'d>) -> Vec<&'d File<'d>> {
    folder.files().chain(folder.dirs().flat_map(files)).collect()
}

#[expect(clippy::disallowed_methods, reason = "a copy for the user, who can export it again")]
fn write(path: &Path, bytes: &[u8]) -> Outcome {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).or_fail("cannot create the folder", folder)?;
    fs::write(path, bytes).or_fail("cannot write", path)
}
