//! What several tests need: the repository's own files, a log that can be read, things that are no files, and a word on
//! what is not tested.

use std::cell::RefCell;
#[cfg(feature = "cli")]
use std::io::Write as _;
use std::path::{Path, PathBuf};

use log::{Level, LevelFilter, Log, Metadata, Record};

/// Gives a path below the repository's root.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Finds a program on the search path: the git of a system may be older than the one that is used here.
#[cfg(feature = "cli")]
pub(crate) fn program(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").expect("a PATH");
    let found =
        std::env::split_paths(&path).map(|folder| folder.join(name)).find(|it| it.is_file());
    found.unwrap_or_else(|| panic!("no {name} in {}", path.display()))
}

/// Reads one of the repository's files.
pub(crate) fn read(path: &str) -> String {
    let full = repository(path);
    std::fs::read_to_string(&full).unwrap_or_else(|error| panic!("{}: {error}", full.display()))
}

/// Gives a path of a change: its state lies in the git folder of the repository at `root`, its documents in the checkout.
#[cfg(feature = "cli")]
pub(crate) fn of_change(root: &Path, id: &str, path: &str) -> PathBuf {
    let is_state = ["journal.", "runs"].iter().any(|state| path.starts_with(state));
    let folder = if is_state { ".git/agentd/changes" } else { "agentd/changes" };
    root.join(folder).join(id).join(path)
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

/// Says what is not tested here, on the real standard error: what a test prints by macros is shown only if it fails.
///
/// With `AGENTD_TEST_ALL` in the environment nothing may be left out. It is for machines that have all that is asked for:
/// tmux, strace, and the right to mount and to make devices.
#[cfg(feature = "cli")]
pub(crate) fn skipped(what: &str) {
    assert!(std::env::var_os("AGENTD_TEST_ALL").is_none(), "SKIPPED: {what}");
    // Whoever has closed it does not want to know.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {what}");
}

/// Puts a program at a path, where it can be run at once.
///
/// Another process writes it. If this one did, a process that a test beside this one starts just then would have the file open
/// for writing too, for the moment before it becomes another program, and the system does not run a file that somebody writes.
#[cfg(feature = "cli")]
pub(crate) fn install(path: &Path, text: impl AsRef<[u8]>, mode: u32) {
    use std::process::{Command, Stdio};
    let mut install = Command::new("install")
        .args(["-D", "-m", &format!("{mode:o}"), "/dev/stdin"])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("install starts");
    install.stdin.take().expect("a pipe").write_all(text.as_ref()).expect("it reads");
    assert!(install.wait().expect("it ends").success(), "{} is installed", path.display());
}

/// What can be where a file is looked for and is no regular file.
#[cfg(feature = "cli")]
pub(crate) const SPECIAL: [&str; 4] = ["pipe", "folder", "socket", "device"];

/// Puts such a thing at a path and says whether it is there; a device needs rights, and a disk that allows them.
#[cfg(feature = "cli")]
pub(crate) fn make_special(kind: &str, path: &Path) -> bool {
    use std::process::{Command, Stdio};
    let is_made = |program: &str, words: &[&str]| {
        let status = Command::new(program).arg(path).args(words).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    match kind {
        "pipe" => is_made("mkfifo", &[]),
        "folder" => std::fs::create_dir(path).is_ok(),
        "socket" => std::os::unix::net::UnixListener::bind(path).is_ok(),
        // The one that never ends.
        "device" => is_made("mknod", &["c", "1", "5"]) && std::fs::File::open(path).is_ok(),
        _ => false,
    }
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

/// Somebody without rights of their own.
pub(crate) const NOBODY: u32 = 65534;

/// Gives whatever is at a path, and all below it, to nobody.
pub(crate) fn give_away(path: &Path) {
    std::os::unix::fs::lchown(path, Some(NOBODY), Some(NOBODY)).expect("it is given away");
    if path.symlink_metadata().expect("it is there").is_dir() {
        for entry in std::fs::read_dir(path).expect("a folder").flatten() {
            give_away(&entry.path());
        }
    }
}
