//! What the system was asked to do, call by call, and what of it a machine would lose that stopped there and then.

use std::collections::{BTreeMap, BTreeSet};

/// The calls that change files or folders, bring them onto the disk, or start a program.
pub(super) const CALLS: &str = "trace=execve,open,openat,write,pwrite64,writev,ftruncate,fsync,fdatasync,\
    mkdir,mkdirat,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir";

/// What agents are given, and who holds a change: nobody asks for it after a machine has stopped.
const NOT_RELIED_ON: [&str; 2] = ["/prompt.xml", ".lock"];

/// A call that came to its end.
pub(super) struct Call<'a> {
    pub(super) name: &'a str,
    /// What stands between its parentheses and after them.
    pub(super) text: &'a str,
}

/// Gives each call that succeeded to a function, in the order in which they came to their ends.
pub(super) fn each_call(trace: &str, mut take: impl FnMut(&Call<'_>)) {
    let mut begun: BTreeMap<&str, &str> = BTreeMap::new();
    for line in trace.lines() {
        let (process, rest) = line.split_once(' ').expect("a process");
        let rest = rest.trim_start();
        if let Some(beginning) = rest.strip_suffix(" <unfinished ...>") {
            begun.insert(process, beginning);
            continue;
        }
        let whole = match rest.strip_prefix("<... ") {
            Some(end) => {
                let (_, end) = end.split_once(" resumed>").expect("the end of a call");
                format!("{}{end}", begun.remove(process).unwrap_or_default())
            }
            None => rest.to_owned(),
        };
        if let Some((name, text)) = whole.split_once('(')
            && !text.contains(") = -1 ")
        {
            take(&Call { name, text });
        }
    }
}

impl Call<'_> {
    /// Gives the path of the file that the call was given by its number.
    pub(super) fn file(&self) -> &str {
        between(self.text, '<', '>').unwrap_or_default()
    }

    /// Gives the path of the file that the call has opened.
    fn opened(&self) -> &str {
        let result = self.text.rsplit_once(" = ").map_or("", |(_, result)| result);
        between(result, '<', '>').unwrap_or_default()
    }

    /// Gives the paths that the call names, each in full.
    fn paths(&self) -> Vec<String> {
        let parts: Vec<_> = self.text.split('"').collect();
        let path = |pair: &[&str]| {
            let [before, name] = *pair else { return None };
            let folder = between(before, '<', '>').unwrap_or_default();
            Some(if name.starts_with('/') { name.to_owned() } else { format!("{folder}/{name}") })
        };
        parts.chunks(2).filter_map(path).collect()
    }
}

fn between(text: &str, begin: char, end: char) -> Option<&str> {
    text.split_once(begin)?.1.split_once(end).map(|(inner, _)| inner)
}

/// A part of the disk, and what is not on it yet.
pub(super) struct Disk {
    /// Nothing else is looked at.
    root: String,
    /// The files whose bytes, and the folders whose names would be lost.
    unsynced: BTreeSet<String>,
    /// The files that have names.
    named: BTreeSet<String>,
    /// How many files got their names when they were whole.
    pub(super) renamed: usize,
}

impl Disk {
    pub(super) fn below(root: String) -> Self {
        Self { root, unsynced: BTreeSet::new(), named: BTreeSet::new(), renamed: 0 }
    }

    /// Lists what would be lost.
    pub(super) fn unsynced(&self) -> impl Iterator<Item = &str> {
        self.unsynced.iter().map(String::as_str)
    }

    pub(super) fn take(&mut self, call: &Call<'_>) {
        match call.name {
            "open" | "openat" if call.text.contains("O_CREAT") => self.has_name(call.opened()),
            "write" | "pwrite64" | "writev" | "ftruncate" => self.is_changed(call.file()),
            "fsync" | "fdatasync" => drop(self.unsynced.remove(call.file())),
            "mkdir" | "mkdirat" => call.paths().iter().for_each(|path| self.has_name(path)),
            "unlink" | "unlinkat" | "rmdir" => {
                call.paths().iter().for_each(|path| self.is_gone(path));
            }
            "rename" | "renameat" | "renameat2" | "link" | "linkat" => {
                let [from, to] = &call.paths()[..] else { panic!("{}", call.text) };
                self.is_renamed(from, to);
            }
            _ => {}
        }
    }

    fn is_changed(&mut self, path: &str) {
        let is_relied_on = !NOT_RELIED_ON.iter().any(|name| path.ends_with(name));
        if path.starts_with(&self.root) && is_relied_on {
            self.unsynced.insert(path.to_owned());
        }
    }

    fn has_name(&mut self, path: &str) {
        if path.starts_with(&self.root) && self.named.insert(path.to_owned()) {
            self.is_changed(folder_of(path));
        }
    }

    /// That something is gone need not be on the disk: it is removed again.
    fn is_gone(&mut self, path: &str) {
        self.unsynced.remove(path);
        self.named.remove(path);
    }

    fn is_renamed(&mut self, from: &str, to: &str) {
        if !to.starts_with(&self.root) {
            return;
        }
        let is_below = |path: &str| path == from || path.starts_with(&format!("{from}/"));
        let lost: Vec<_> = self.unsynced().filter(|path| is_below(path)).collect();
        assert!(lost.is_empty(), "`{to}` got its name, and these were not on the disk: {lost:?}");
        self.named.retain(|path| !is_below(path));
        self.named.remove(to);
        self.has_name(to);
        self.is_changed(folder_of(from));
        self.renamed += 1;
    }
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
