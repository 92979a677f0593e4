//! The signs that work is handed over: files of the change that appear or become others. They are looked for, again and
//! again; nothing depends on the system telling of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::models::hash::Hash;
use crate::prompt::confined::ConfinedFolder;

/// What shows that work is handed over. All paths are below the change's folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signs {
    /// The folder that is written to meanwhile.
    pub folder: String,
    /// Files of which each shows it.
    pub any: Vec<String>,
    /// Files which show it together.
    pub all: Vec<String>,
}

/// What there was to be seen at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    /// The files that are there of those that show it.
    files: BTreeMap<String, Hash>,
    /// All that is in the folder.
    folder: Option<Hash>,
}

impl Signs {
    /// Looks at the files as they are now. What cannot be read is not there yet.
    pub(super) fn look(&self, change: &ConfinedFolder) -> Seen {
        let hash = |path: &String| {
            let bytes = change.read_bytes(path).ok().flatten()?;
            Some((path.clone(), Hash::of(bytes)))
        };
        let files = self.any.iter().chain(&self.all).filter_map(hash).collect();
        let below = |folder: String| {
            let names = change.list(&folder, "").unwrap_or_default();
            names.into_iter().map(move |name| format!("{folder}/{name}"))
        };
        let everything =
            below(self.folder.clone()).chain(below(format!("{}/submissions", self.folder)));
        let hashes: Vec<_> = everything.filter_map(|path| hash(&path)).collect();
        let listed: String = hashes.iter().map(|(path, hash)| format!("{path} {hash}\n")).collect();
        Seen { files, folder: Some(Hash::of(listed)) }
    }

    /// Returns whether what is seen shows that work is handed over which was not when it was asked for.
    pub(super) fn show(&self, before: &Seen, now: &Seen) -> bool {
        let is_new = |path: &String| {
            now.files.get(path).is_some_and(|hash| before.files.get(path) != Some(hash))
        };
        let is_there = |path: &String| now.files.contains_key(path);
        // Of several some may have been there before, but not all of them.
        self.any.iter().any(is_new)
            || (self.all.iter().any(is_new) && self.all.iter().all(is_there))
    }

    /// The same where work is mended: whatever becomes another may be it.
    pub(super) fn show_mended(&self, before: &Seen, now: &Seen) -> bool {
        let is_there = |path: &String| now.files.contains_key(path);
        before.folder != now.folder
            && (self.any.iter().any(is_there)
                || (!self.all.is_empty() && self.all.iter().all(is_there)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(files: &[(&str, &str)], folder: &str) -> Seen {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), Hash::of(text)));
        Seen { files: files.collect(), folder: Some(Hash::of(folder)) }
    }

    #[test]
    fn what_was_there_before_shows_nothing() {
        let signs = Signs { any: vec!["a".to_owned()], ..Signs::default() };
        let before = seen(&[("a", "1")], "x");
        assert!(!signs.show(&before, &before));
        assert!(signs.show(&before, &seen(&[("a", "2")], "x")));
        assert!(signs.show(&seen(&[], ""), &before));
        assert!(!signs.show_mended(&before, &before));
        assert!(signs.show_mended(&before, &seen(&[("a", "1")], "y")));
    }

    #[test]
    fn several_markers_count_together() {
        let signs = Signs { all: vec!["a".to_owned(), "b".to_owned()], ..Signs::default() };
        assert!(!signs.show(&seen(&[], ""), &seen(&[("a", "1")], "x")));
        let both = seen(&[("a", "1"), ("b", "1")], "x");
        assert!(signs.show(&seen(&[], ""), &both));
        assert!(signs.show(&seen(&[("a", "1")], ""), &both), "one was done before");
        assert!(!signs.show(&both, &both), "both were");
    }
}
