//! Where git finds the attributes of files. It looks for some in every folder of the tree that it is given, and goes through that
//! tree from its top each time: of many folders that is a good part of a checkout. Where there are none, it gets an empty tree.

use std::collections::HashMap;
use std::io::{self, BufRead};
use std::sync::{Arc, Mutex, PoisonError};

use super::commit::Commit;
use super::error::GitError;
use super::repository::Repository;

/// The tree without a name in it, which git knows without looking, by SHA-1 and by SHA-256.
const EMPTY: [&str; 2] = [
    "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
];

/// Which commits hold attributes, as far as that was asked.
pub(super) type Known = Arc<Mutex<HashMap<Commit, bool>>>;

impl Repository {
    /// Returns a tree with the attributes of a commit: an empty one if it has none.
    pub(super) fn attributes_of(&self, commit: &Commit) -> String {
        let mut known = self.attributes.lock().unwrap_or_else(PoisonError::into_inner);
        let has_any = match known.get(commit) {
            Some(has_any) => *has_any,
            // What is wrong with the commit comes to light where its attributes count.
            None => match self.has_attributes(commit) {
                Ok(has_any) => *known.entry(commit.clone()).or_insert(has_any),
                Err(_) => true,
            },
        };
        let empty = EMPTY.into_iter().find(|tree| tree.len() == commit.as_str().len());
        empty.filter(|_| !has_any).unwrap_or(commit.as_str()).to_owned()
    }

    fn has_attributes(&self, commit: &Commit) -> Result<bool, GitError> {
        let options = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit.as_str()];
        let answer = self.place.call(&options).stream(find_attributes)?;
        // It is ended by what it has no reader for.
        if answer.output { Ok(true) } else { answer.successful() }
    }
}

fn find_attributes(names: &mut impl BufRead) -> io::Result<bool> {
    let mut name = Vec::new();
    while names.read_until(0, &mut name)? > 0 {
        if name.split(|byte| *byte == b'/').next_back() == Some(b".gitattributes\0") {
            return Ok(true);
        }
        name.clear();
    }
    Ok(false)
}
