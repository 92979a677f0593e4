//! The `.git` that an agent finds in its workspace: a repository of its own, made by hand, in which it can look at the
//! history and commit as it likes. agentd never reads it.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::author::Author;
use super::commit::Commit;
use super::error::GitError;
use super::folder::copy_index;
use super::repository::Repository;
use super::workspace::Workspace;

/// Where an agent finds its repository.
const NAME: &str = ".git";

impl Workspace {
    /// Makes the agent's `.git` anew, at a commit. There is no remote, and objects are read from the user's repository.
    ///
    /// It is written where no agent writes: a link that one puts in its place at that moment would lead elsewhere.
    pub fn give_git(&self, commit: &Commit) -> Result<(), GitError> {
        let author = self.repository.place.author()?;
        let (config, tags) = (config(commit, author), self.repository.tags()?);
        let beside = self.beside()?;
        let folder = beside.path().join(NAME);
        self.write_git(&folder, commit, &config, tags)
            .map_err(|error| GitError::io("make", &folder, error))?;
        beside.move_in(NAME, self)
    }

    #[expect(clippy::disallowed_methods, reason = "the agent's own, made anew for each call")]
    fn write_git(
        &self,
        folder: &Path,
        commit: &Commit,
        config: &[u8],
        tags: &[u8],
    ) -> io::Result<()> {
        for inner in ["objects/info", "objects/pack", "refs/heads", "refs/tags", "info"] {
            fs::create_dir_all(folder.join(inner))?;
        }
        fs::write(folder.join("config"), config)?;
        fs::write(folder.join("packed-refs"), tags)?;
        let line = format!("{commit}\n");
        let head = match &self.branch {
            Some(branch) => {
                let name = folder.join("refs/heads").join(branch);
                fs::create_dir_all(name.parent().unwrap_or(folder))?;
                fs::write(name, &line)?;
                format!("ref: refs/heads/{branch}\n")
            }
            None => line,
        };
        fs::write(folder.join("HEAD"), head)?;
        let common = &self.repository.common;
        let objects = quoted(common.join("objects").as_os_str().as_bytes());
        fs::write(folder.join("objects/info/alternates"), [objects.as_slice(), b"\n"].concat())?;
        match copy_index(&self.state.join("index"), &folder.join("index")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        for (from, to) in
            [(common.join("shallow"), "shallow"), (common.join("info/exclude"), "info/exclude")]
        {
            match fs::copy(&from, folder.join(to)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Ok(_) | Err(_) => {}
            }
        }
        Ok(())
    }
}

impl Repository {
    /// Returns the tags as git packs them; git is asked once. Builds that make a version of them find them.
    fn tags(&self) -> Result<&[u8], GitError> {
        if let Some(tags) = self.tags.get() {
            return Ok(tags);
        }
        let format = "--format=%(objectname) %(refname)";
        let answer = self.place.call(&["for-each-ref", format, "refs/tags/"]).answer()?;
        let list = if answer.status.success() { answer.output } else { Vec::new() };
        Ok(self.tags.get_or_init(|| [b"# pack-refs with: sorted \n", list.as_slice()].concat()))
    }
}

fn config(commit: &Commit, author: &Author) -> Vec<u8> {
    // 64 digits are SHA-256.
    let (version, extensions) = match commit.as_str().len() {
        64 => ("1", "[extensions]\n\tobjectFormat = sha256\n"),
        _ => ("0", ""),
    };
    let core = format!(
        "[core]\n\trepositoryformatversion = {version}\n\tfilemode = true\n\tbare = false\n{extensions}"
    );
    let (name, address) = (quoted(author.name.as_bytes()), quoted(author.address.as_bytes()));
    [core.as_bytes(), b"[user]\n\tname = ", &name, b"\n\temail = ", &address, b"\n"].concat()
}

/// Puts quotation marks round a value, as git reads it in its configuration and in lists of alternates.
fn quoted(value: &[u8]) -> Vec<u8> {
    let mut text = vec![b'"'];
    for byte in value {
        match byte {
            b'"' | b'\\' => text.extend([b'\\', *byte]),
            b'\n' => text.extend(b"\\n"),
            other => text.push(*other),
        }
    }
    text.push(b'"');
    text
}
