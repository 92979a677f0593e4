//! `agentd templates export`: the sources of the compiled-in templates.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use include_dir::{Dir, File, include_dir};

use super::super::failure::{Failure, Kind, Outcome};
use super::super::tell;

/// The templates as they were when this binary was built.
pub(in super::super) static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// Write the sources of the compiled-in templates to a folder.
#[derive(Debug, Args)]
pub(in super::super) struct Export {
    /// The folder; it is made if it does not exist.
    folder: PathBuf,
    /// Overwrite files that are already there.
    #[arg(long)]
    force: bool,
}

impl Export {
    pub(in super::super) fn run(&self) -> Outcome {
        let mut files = files(&TEMPLATES);
        // The blocks are code of ours rather than templates of this language: nothing reads them from a folder.
        files.retain(|file| !file.path().starts_with("blocks"));
        if let Some(taken) =
            files.iter().map(|file| self.folder.join(file.path())).find(|path| path.exists())
            && !self.force
        {
            let message = format!("`{}` is already there, so nothing was written", taken.display());
            return Err(Failure::new(Kind::Precondition, message)
                .help("name another folder, or overwrite with `--force`"));
        }
        for file in &files {
            write(&self.folder.join(file.path()), file.contents())?;
        }
        tell(&format!("{} templates written to {}\n", files.len(), self.folder.display()))
    }
}

fn files<'d>(folder: &'d Dir<'d>) -> Vec<&'d File<'d>> {
    folder.files().chain(folder.dirs().flat_map(files)).collect()
}

#[expect(clippy::disallowed_methods, reason = "a copy for the user, who can export it again")]
fn write(path: &Path, bytes: &[u8]) -> Outcome {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .map_err(|error| Failure::io("cannot make the folder", folder, &error))?;
    fs::write(path, bytes).map_err(|error| Failure::io("cannot write", path, &error))
}
