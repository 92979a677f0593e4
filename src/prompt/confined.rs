//! A folder beyond which nothing is read or written. In a change's folder no link is followed at all; of a project's other
//! files a person may have made some links, which are followed as far as they stay within the project.

use std::fs::File;
use std::io::{self, Read as _, Take};
use std::os::fd::AsFd as _;
use std::path::Path;

use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt as _};
use rustix::fs::{FileType, OFlags};

use super::refusal::fault;
pub(crate) use super::refusal::io_error;
use crate::files::own::{Folder, split};
use crate::files::replace_in;
use crate::template::IncludeFault;

/// The largest file that is read.
pub const LARGEST_FILE: u64 = 8 << 20;

/// The largest that files may be together which are read for one prompt or one listing.
pub const LARGEST_TOGETHER: u64 = 32 << 20;

/// The folders of a project in which no link is followed.
const OWN: [&str; 2] = ["agentd", ".agentmux"];

/// What came of adding a file to a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Appended {
    /// There is no such file.
    Absent,
    /// The file is text, which stands at the end now.
    Text,
    /// The file is no UTF-8; these are its bytes, and nothing was added.
    Bytes(Vec<u8>),
}

/// A folder and what is below it.
#[derive(Debug)]
pub struct ConfinedFolder {
    folder: Folder,
    links: Links,
}

/// What becomes of links to files that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Links {
    /// They are refused.
    Refused,
    /// Those that stay within the folder are followed, but for what is agentd's own.
    Within,
}

impl ConfinedFolder {
    /// Opens a folder in which no link is followed, nor on the way to it.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { folder: Folder::open(path)?, links: Links::Refused })
    }

    /// Opens the folder that a project is in. Links that stay within it are followed to what is read, but for all that
    /// is below `agentd/`.
    pub fn of_project(root: &Path) -> io::Result<Self> {
        Ok(Self { folder: Folder::of_project(root)?, links: Links::Within })
    }

    /// Reads a text file; one that is not there is `None`. Bytes that are not UTF-8 become U+FFFD.
    pub fn read(&self, path: &str) -> Result<Option<String>, IncludeFault> {
        let bytes = self.read_bytes(path)?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Reads a file as it is; one that is not there is `None`.
    pub fn read_bytes(&self, path: &str) -> Result<Option<Vec<u8>>, IncludeFault> {
        let mut bytes = Vec::new();
        let is_there = self.read_into(path, LARGEST_FILE, &mut bytes)?;
        Ok(is_there.then_some(bytes))
    }

    /// Reads a file of at most `limit` bytes in place of what `bytes` holds, and says whether there is one.
    pub fn read_into(
        &self,
        path: &str,
        limit: u64,
        bytes: &mut Vec<u8>,
    ) -> Result<bool, IncludeFault> {
        bytes.clear();
        let Some(mut file) = self.open_file(path, limit)? else { return Ok(false) };
        bytes.reserve(room(&file));
        file.read_to_end(bytes).map_err(|error| fault(&error))?;
        Ok(true)
    }

    /// Adds the text of a file of at most `limit` bytes to the end of `text`, and says what came of it.
    ///
    /// It is read straight into its place: most of what a prompt holds is files, and each copy of them shows.
    pub(super) fn append_text(
        &self,
        path: &str,
        limit: u64,
        text: &mut String,
    ) -> Result<Appended, IncludeFault> {
        let Some(mut file) = self.open_file(path, limit)? else { return Ok(Appended::Absent) };
        text.reserve(room(&file));
        match file.read_to_string(text) {
            Ok(_) => Ok(Appended::Text),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                let mut bytes = Vec::new();
                self.read_into(path, limit, &mut bytes)?;
                Ok(Appended::Bytes(bytes))
            }
            Err(error) => Err(fault(&error)),
        }
    }

    /// Opens a regular file of at most `limit` bytes; one that is not there is `None`.
    ///
    /// What is added to the file from now on is not read, so its size is a bound, and its end need not be looked for.
    fn open_file(&self, path: &str, limit: u64) -> Result<Option<Take<File>>, IncludeFault> {
        let opened = if self.refuses_links_to(path) {
            self.folder.file(Path::new(path))
        } else {
            self.open_within(path)
        };
        let file = match opened {
            Ok(file) => file,
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(fault(&error)),
        };
        let stat = rustix::fs::fstat(&file).map_err(|error| fault(&error.into()))?;
        if !FileType::from_raw_mode(stat.st_mode).is_file() {
            return Err(IncludeFault::NotAFile);
        }
        let size = u64::try_from(stat.st_size).unwrap_or(0);
        if size > limit {
            return Err(IncludeFault::TooLarge(limit));
        }
        Ok(Some(file.take(size)))
    }

    fn refuses_links_to(&self, path: &str) -> bool {
        let first = Path::new(path).components().find_map(|part| match part {
            std::path::Component::Normal(name) => Some(name),
            _ => None,
        });
        self.links == Links::Refused
            || first.is_some_and(|first| OWN.iter().any(|own| first == *own))
    }

    /// Opens a file of the project, also by a link that stays within.
    fn open_within(&self, path: &str) -> io::Result<File> {
        let folder = Dir::from_std_file(self.folder.as_fd().try_clone_to_owned()?.into());
        let mut options = OpenOptions::new();
        // Without blocking, so that opening a pipe returns at once and can be refused.
        options.read(true).custom_flags(OFlags::NONBLOCK.bits().cast_signed());
        // The file of the standard library reads into memory that nobody has to clear before.
        Ok(folder.open_with(path, &options)?.into_std())
    }

    /// Returns whether there is a regular file.
    pub fn has_file(&self, path: &str) -> Result<bool, IncludeFault> {
        match self.folder.file(Path::new(path)) {
            Ok(_) => Ok(true),
            Err(error) if is_absent(&error) => Ok(false),
            Err(error) => match fault(&error) {
                IncludeFault::NotAFile => Ok(false),
                fault => Err(fault),
            },
        }
    }

    /// Opens a folder below this one, beyond which nothing is read either; one that is not there is `None`.
    pub fn below(&self, folder: &str) -> Result<Option<Self>, IncludeFault> {
        match self.folder.below(Path::new(folder)) {
            Ok(folder) => Ok(Some(Self { folder, links: Links::Refused })),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(fault(&error)),
        }
    }

    /// Lists the entries of a folder whose names end in `ending`, sorted; a folder that is not there is empty.
    pub fn list(&self, folder: &str, ending: &str) -> Result<Vec<String>, IncludeFault> {
        let entries = self.folder.below(Path::new(folder)).and_then(|folder| folder.entries());
        let entries = match entries {
            Ok(entries) => entries,
            Err(error) if is_absent(&error) => return Ok(Vec::new()),
            Err(error) => return Err(fault(&error)),
        };
        let names = entries.into_iter().filter_map(|(name, _)| name.into_string().ok());
        Ok(names.filter(|name| name.ends_with(ending)).collect())
    }

    /// Adds up how large files of this folder are, which need not be there. With `beside`, what is read besides, it must
    /// not be more than [`LARGEST_TOGETHER`]. Nothing is read.
    pub fn size_together<P: AsRef<str>>(
        &self,
        paths: impl IntoIterator<Item = P>,
        beside: u64,
    ) -> Result<u64, IncludeFault> {
        let mut bytes = beside;
        for path in paths {
            let size = self.folder.size(Path::new(path.as_ref())).map_err(|error| fault(&error))?;
            bytes = bytes.saturating_add(size);
        }
        if bytes > LARGEST_TOGETHER {
            return Err(IncludeFault::TooLargeTogether { bytes, limit: LARGEST_TOGETHER });
        }
        Ok(bytes)
    }

    /// Makes a folder and those that lead to it; one that is there already stays as it is.
    pub fn make(&self, folder: &str) -> io::Result<()> {
        self.folder.made(Path::new(folder)).map(drop)
    }

    /// Puts a file in place in one step, making the folders that lead to it. What stands there and is no regular file,
    /// a link too, is left and refused.
    ///
    /// Until it has its name it is called `.NAME.new`: what a crash leaves is overwritten when the step is done again,
    /// so no two processes may write the same file at once.
    pub fn replace(&self, path: &str, bytes: &[u8]) -> Result<(), IncludeFault> {
        let target = Path::new(path);
        let replaced = split(target).and_then(|(parent, name)| {
            let folder = self.folder.made(parent)?;
            folder.refuse_unless_file(name)?;
            replace_in(folder, name, target, bytes)
        });
        replaced.map_err(|error| fault(&error))
    }

    /// Removes a file; one that is not there is none.
    pub fn remove(&self, path: &str) -> Result<(), IncludeFault> {
        let removed = split(Path::new(path))
            .and_then(|(parent, name)| self.folder.below(parent)?.remove(name));
        match removed {
            Err(error) if !is_absent(&error) => Err(fault(&error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

/// Returns how much room a file needs; where there is very little, its reader looks for the end with a read of its own.
fn room(file: &Take<File>) -> usize {
    usize::try_from(file.limit()).unwrap_or(0).max(32)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn reading_and_writing_are_confined_to_the_folder() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(outer.path().join("secret"), "secret").unwrap();
        fs::write(root.join("sub/plan.md"), "the plan").unwrap();
        symlink("../../secret", root.join("sub/link")).unwrap();
        symlink("/", root.join("everything")).unwrap();
        symlink("plan.md", root.join("sub/inner")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        let folder = ConfinedFolder::open(&root).unwrap();

        assert_eq!(folder.read("sub/plan.md"), Ok(Some("the plan".to_owned())));
        assert_eq!(folder.read("sub/none.md"), Ok(None));
        assert_eq!(folder.read("sub/plan.md/x"), Ok(None));
        for outside in [
            "../secret",
            "sub/../../secret",
            "/etc/passwd",
            "sub/link",
            "sub/inner",
            "loop",
            "everything/etc/passwd",
        ] {
            assert_eq!(folder.read(outside), Err(IncludeFault::Outside), "{outside}");
            assert_eq!(folder.replace(outside, b"x"), Err(IncludeFault::Outside), "{outside}");
        }
        assert_eq!(folder.list("everything", ""), Err(IncludeFault::Outside));
        assert_eq!(folder.read("sub"), Err(IncludeFault::NotAFile));
        assert_eq!(folder.replace("sub", b"x"), Err(IncludeFault::NotAFile));
        assert_eq!(fs::read_to_string(outer.path().join("secret")).unwrap(), "secret");
    }

    #[test]
    fn of_a_project_s_files_a_link_within_is_followed_but_none_below_agentd() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("agentd")).unwrap();
        fs::write(outer.path().join("secret"), "secret").unwrap();
        fs::write(root.join("AGENTS.md"), "the rules").unwrap();
        symlink("AGENTS.md", root.join("CLAUDE.md")).unwrap();
        symlink("../secret", root.join("out.md")).unwrap();
        symlink("../AGENTS.md", root.join("agentd/project.md")).unwrap();
        fs::hard_link(root.join("AGENTS.md"), root.join("agentd/shared.md")).unwrap();
        let folder = ConfinedFolder::of_project(&root).unwrap();
        assert_eq!(folder.read("CLAUDE.md"), Ok(Some("the rules".to_owned())));
        assert_eq!(folder.read("out.md"), Err(IncludeFault::Outside));
        for path in ["agentd/project.md", "./agentd/project.md"] {
            assert_eq!(folder.read(path), Err(IncludeFault::Outside), "{path}");
        }
        assert_eq!(folder.read("agentd/shared.md"), Err(IncludeFault::Shared));
        assert_eq!(folder.has_file("agentd/shared.md"), Err(IncludeFault::Shared));
        assert_eq!(folder.replace("agentd/shared.md", b"x"), Err(IncludeFault::Shared));
    }

    #[test]
    fn only_regular_files_of_bounded_size_are_read() {
        let outer = tempfile::tempdir().unwrap();
        let status = std::process::Command::new("mkfifo").arg(outer.path().join("pipe")).status();
        assert!(status.unwrap().success());
        let sparse = fs::File::create(outer.path().join("sparse")).unwrap();
        sparse.set_len(1 << 30).unwrap();
        fs::write(outer.path().join("latin"), b"caf\xe9").unwrap();
        let folder = ConfinedFolder::open(outer.path()).unwrap();

        assert_eq!(folder.read("pipe"), Err(IncludeFault::NotAFile));
        assert_eq!(folder.replace("pipe", b"x"), Err(IncludeFault::NotAFile));
        assert_eq!(folder.read("sparse"), Err(IncludeFault::TooLarge(LARGEST_FILE)));
        assert_eq!(folder.read("latin"), Ok(Some("caf\u{fffd}".to_owned())));
    }

    #[test]
    fn a_file_is_replaced_in_one_step_and_never_through_a_link() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(outer.path().join("secret"), "secret").unwrap();
        symlink("../../secret", root.join("sub/link")).unwrap();
        symlink("plan.md", root.join("sub/inner")).unwrap();
        symlink("..", root.join("up")).unwrap();
        fs::write(root.join("sub/.plan.md.new"), "half").unwrap();
        let folder = ConfinedFolder::open(&root).unwrap();

        for text in ["one", "two"] {
            folder.replace("sub/plan.md", text.as_bytes()).unwrap();
            assert_eq!(folder.read("sub/plan.md"), Ok(Some(text.to_owned())));
        }
        folder.replace("top.md", b"x").unwrap();
        folder.replace("new/folder/a.md", b"x").unwrap();
        for outside in ["sub/link", "sub/inner", "../secret", "up/secret", "/tmp/x", ".."] {
            assert_eq!(folder.replace(outside, b"x"), Err(IncludeFault::Outside), "{outside}");
        }
        for folder_s in ["sub", "top.md/", "top.md/.", "none/"] {
            assert_eq!(folder.replace(folder_s, b"x"), Err(IncludeFault::NotAFile), "{folder_s}");
        }
        assert_eq!(fs::read_to_string(outer.path().join("secret")).unwrap(), "secret");
        assert_eq!(folder.list("sub", ".new"), Ok(Vec::new()), "nothing is left over");
        assert_eq!(folder.remove("../secret"), Err(IncludeFault::Outside));
        folder.remove("sub/plan.md").unwrap();
        folder.remove("sub/plan.md").unwrap();
        assert_eq!(folder.read("sub/plan.md"), Ok(None));
    }

    #[test]
    fn files_are_written_whole_and_listed_sorted() {
        let outer = tempfile::tempdir().unwrap();
        let folder = ConfinedFolder::open(outer.path()).unwrap();
        folder.replace("specs/b.md", b"a longer text").unwrap();
        folder.replace("specs/b.md", b"short").unwrap();
        folder.replace("specs/a.md", b"a").unwrap();
        folder.replace("specs/note.txt", b"n").unwrap();
        assert_eq!(folder.read("specs/b.md"), Ok(Some("short".to_owned())));
        assert_eq!(folder.list("specs", ".md"), Ok(vec!["a.md".to_owned(), "b.md".to_owned()]));
        assert_eq!(folder.list("none", ".md"), Ok(Vec::new()));
    }
}
