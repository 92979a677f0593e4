//! Looking for processes that outlived a case.

use std::fs;
use std::path::Path;

/// Lists the processes that know of a case's folder by their command line, environment or working folder, but for
/// ourselves.
pub(crate) fn left_behind(root: &Path) -> Vec<String> {
    let root = format!("{}/", root.display());
    let own = std::process::id().to_string();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").expect("a list of processes").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == own || !name.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        // A process may end while it is looked at.
        let read = |file: &str| fs::read(entry.path().join(file)).unwrap_or_default();
        let command = String::from_utf8_lossy(&read("cmdline")).replace('\0', " ");
        let environment = String::from_utf8_lossy(&read("environ")).into_owned();
        let folder = fs::read_link(entry.path().join("cwd")).unwrap_or_default();
        let folder = format!("{}/", folder.display());
        if [command.as_str(), &environment, &folder].iter().any(|text| text.contains(&root)) {
            found.push(format!("{name} {command}"));
        }
    }
    found
}
