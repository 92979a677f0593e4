//! What several tests need: the repository's own files, and a log that can be read.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use log::{Level, LevelFilter, Log, Metadata, Record};

/// Gives a path below the repository's root.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Reads one of the repository's files.
pub(crate) fn read(path: &str) -> String {
    let full = repository(path);
    std::fs::read_to_string(&full).unwrap_or_else(|error| panic!("{}: {error}", full.display()))
}

/// Lists the files below a folder of the repository with one ending, sorted, by their paths from the root.
pub(crate) fn files(folder: &str, ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![repository(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the repository") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                let below = path.strip_prefix(repository("")).expect("below the root");
                found.push(below.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

/// Runs `action` and gives back its result and what this thread logged meanwhile.
pub(crate) fn logged<T>(action: impl FnOnce() -> T) -> (T, Vec<(Level, String)>) {
    static COLLECTOR: Collector = Collector;
    let _ = log::set_logger(&COLLECTOR);
    log::set_max_level(LevelFilter::Trace);
    RECORDS.with_borrow_mut(Vec::clear);
    let result = action();
    (result, RECORDS.with_borrow_mut(std::mem::take))
}

thread_local! {
    static RECORDS: RefCell<Vec<(Level, String)>> = const { RefCell::new(Vec::new()) };
}

struct Collector;

impl Log for Collector {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        RECORDS
            .with_borrow_mut(|records| records.push((record.level(), record.args().to_string())));
    }

    fn flush(&self) {}
}
