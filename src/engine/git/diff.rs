//! What lies between two commits: the text of it, as much as fits, and its size.

use std::ffi::OsStr;
use std::io::{self, BufRead, Read as _};
use std::path::PathBuf;

use super::command::Call;
use super::commit::Commit;
use super::error::GitError;
use super::repository::Repository;
use super::status::{items, path_of};

/// How a patch is asked for: nothing of the user's own tools and tastes. The commands are those that do not read them.
pub(super) const PATCH: [&str; 5] =
    ["--patch", "--no-color", "--no-ext-diff", "--no-textconv", "--submodule=short"];

/// How much of a line is read at once.
const CHUNK: usize = 64 << 10;

/// The difference of two commits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// The parts for all files that fit, each whole. Bytes that are no text are replaced.
    pub text: String,
    /// The files whose parts did not fit.
    pub left_out: Vec<PathBuf>,
}

/// How much lies between two commits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// How many files differ.
    pub files: usize,
    /// How many lines are new. Binary files have none.
    pub insertions: u64,
    /// How many lines are gone.
    pub deletions: u64,
    /// A line for each file, and their sum, for people.
    pub text: String,
}

impl Repository {
    /// Returns the difference of two commits, up to a number of bytes.
    pub fn diff(&self, from: &Commit, to: &Commit, limit: usize) -> Result<Diff, GitError> {
        let answer = self.between(from, to.as_str(), &PATCH).stream(|output| {
            let mut parts = Parts::new(limit);
            parts.read(output)?;
            Ok(parts)
        })?;
        let parts = answer.successful()?;
        if parts.left_out.is_empty() {
            return Ok(Diff { text: parts.text, left_out: Vec::new() });
        }
        let list = self.between(from, to.as_str(), &["--name-status", "-z"]).run()?;
        let paths = paths_of_parts(&list);
        let name = |part: &usize| paths.get(*part).cloned();
        let mut left_out: Vec<_> = parts.left_out.iter().filter_map(name).collect();
        left_out.dedup();
        Ok(Diff { text: parts.text, left_out })
    }

    /// Counts what lies between two commits.
    pub fn stat(&self, from: &Commit, to: &Commit) -> Result<Stat, GitError> {
        let said = self.between(from, to.as_str(), &["--numstat", "--stat=80", "-z"]).run()?;
        // The text for people comes last, and no name in it holds a NUL.
        let Some(end) = said.iter().rposition(|byte| *byte == 0) else {
            return Ok(Stat::default());
        };
        let (list, text) = said.split_at(end + 1);
        let text = String::from_utf8_lossy(text).into_owned();
        let mut stat = Stat { text, ..Stat::default() };
        let mut items = items(list);
        while let Some(item) = items.next() {
            let item = String::from_utf8_lossy(item);
            if item.ends_with('\t') {
                // A file with another name, whose two names follow.
                items.by_ref().take(2).for_each(drop);
            }
            let mut counts = item.split('\t').map(|count| count.parse().unwrap_or(0_u64));
            stat.files += 1;
            stat.insertions += counts.next().unwrap_or(0);
            stat.deletions += counts.next().unwrap_or(0);
        }
        Ok(stat)
    }

    /// Lists the paths that differ between two commits: a file with another name by both names, submodules too.
    pub fn paths(&self, from: &Commit, to: &Commit) -> Result<Vec<PathBuf>, GitError> {
        self.paths_to(from, to.as_str().as_ref())
    }

    /// Lists the paths that differ between a commit and a tree. There are none only if the commit has that tree.
    pub(super) fn paths_to(&self, from: &Commit, tree: &OsStr) -> Result<Vec<PathBuf>, GitError> {
        // A `.gitmodules` may ask for its submodules to be passed over.
        let options = ["--no-renames", "--ignore-submodules=none", "--name-only", "-z"];
        let list = self.between(from, tree, &options).run()?;
        Ok(items(&list).map(path_of).collect())
    }

    fn between(&self, from: &Commit, to: impl AsRef<OsStr>, options: &[&str]) -> Call<'static> {
        // What a change writes into `.gitattributes` hides nothing of it.
        let call = self.place.call(&["diff-tree", "-r", "-M"]);
        let call = call.variable("GIT_ATTR_SOURCE", from.as_str());
        let call = call.arguments(options.iter().map(AsRef::as_ref));
        call.argument(from.as_str()).argument(to)
    }
}

/// Returns the path of each part of a patch from its list of names: one each, but two where a file has become another
/// kind of thing, which a patch shows as one that goes and one that comes.
fn paths_of_parts(list: &[u8]) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let mut items = items(list);
    while let (Some(letter), Some(mut path)) = (items.next(), items.next()) {
        if matches!(letter.first(), Some(b'R' | b'C')) {
            path = items.next().unwrap_or(path);
        }
        let count = if letter.starts_with(b"T") { 2 } else { 1 };
        paths.extend(std::iter::repeat_n(path_of(path), count));
    }
    paths
}

/// The parts of a patch that fit, while it is read.
struct Parts {
    limit: usize,
    text: String,
    left_out: Vec<usize>,
    /// The part that is being read: its number, and its bytes if they still fit.
    current: Option<(usize, Option<Vec<u8>>)>,
}

impl Parts {
    fn new(limit: usize) -> Self {
        Self { limit, text: String::new(), left_out: Vec::new(), current: None }
    }

    fn read(&mut self, patch: &mut impl BufRead) -> io::Result<()> {
        let (mut chunk, mut begins_line) = (Vec::new(), true);
        loop {
            chunk.clear();
            if patch.by_ref().take(CHUNK as u64).read_until(b'\n', &mut chunk)? == 0 {
                break;
            }
            // Lines of files are set off by a sign, and names are quoted: only a part begins like this.
            if begins_line && chunk.starts_with(b"diff --git ") {
                let number = self.current.as_ref().map_or(0, |(number, _)| number + 1);
                self.end_part();
                self.current = Some((number, Some(Vec::new())));
            }
            begins_line = chunk.ends_with(b"\n");
            self.add(&chunk);
        }
        self.end_part();
        Ok(())
    }

    fn add(&mut self, chunk: &[u8]) {
        let space = self.limit - self.text.len();
        if let Some((_, part)) = &mut self.current {
            match part {
                Some(bytes) if bytes.len() + chunk.len() <= space => bytes.extend_from_slice(chunk),
                Some(_) | None => *part = None,
            }
        }
    }

    fn end_part(&mut self) {
        let Some((number, part)) = self.current.take() else { return };
        let text = part.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        match text {
            // What replaces a byte is longer than the byte.
            Some(text) if self.text.len() + text.len() <= self.limit => self.text.push_str(&text),
            Some(_) | None => self.left_out.push(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(patch: &[u8], limit: usize) -> Parts {
        let mut parts = Parts::new(limit);
        parts.read(&mut io::BufReader::with_capacity(7, patch)).unwrap();
        parts
    }

    #[test]
    fn parts_that_do_not_fit_are_left_out_whole_and_later_ones_that_fit_are_not() {
        let patch = b"diff --git a/1 b/1\n+one\ndiff --git a/2 b/2\n+diff --git \n+++++++++\ndiff --git a/3 b/3\n";
        let all = parts(patch, patch.len());
        assert_eq!((all.text.as_bytes(), all.left_out.len()), (&patch[..], 0));
        let some = parts(patch, 45);
        assert_eq!(some.text, "diff --git a/1 b/1\n+one\ndiff --git a/3 b/3\n");
        assert_eq!(some.left_out, [1]);
        assert_eq!(parts(patch, 0).left_out, [0, 1, 2]);
        assert_eq!(parts(b"", 0).text, "");
    }

    #[test]
    fn a_long_line_is_never_taken_for_the_beginning_of_a_part() {
        let mut patch = b"diff --git a/1 b/1\n".to_vec();
        let long = CHUNK - 1;
        patch.extend(b"+".iter().copied().chain(std::iter::repeat_n(b'x', long)));
        patch.extend(b"diff --git inside\n");
        assert_eq!(parts(&patch, patch.len()).text.as_bytes(), patch);
        let cut = parts(&patch, 100);
        assert_eq!((cut.text.as_str(), cut.left_out), ("", vec![0]));
    }

    #[test]
    fn a_file_that_becomes_a_link_has_two_parts() {
        let paths = paths_of_parts(b"T\0link\0R090\0old\0new\0A\0added\0");
        assert_eq!(paths, ["link", "link", "new", "added"].map(PathBuf::from));
    }
}
