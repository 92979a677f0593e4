//! The house keeps its shape: dependencies point one way, and only the edges touch the outside.

use crate::support::{files, read};

/// The code of a file without its tests, comments and documentation.
fn code(path: &str) -> String {
    let text = read(path);
    let without_tests = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned();
    without_tests
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Which modules a module may use.
const MAY_USE: [(&str, &[&str]); 18] = [
    ("files", &["files"]),
    ("template", &["template"]),
    ("tmux", &["tmux", "process"]),
    ("flow", &["flow", "template"]),
    ("text", &["text", "template"]),
    ("compile", &["compile", "flow", "text", "template"]),
    ("catalog", &["catalog", "flow", "template"]),
    ("models", &["models", "catalog", "flow", "template"]),
    ("prompt", &["prompt", "files", "compile", "text", "flow", "models", "catalog", "template"]),
    ("schema", &["schema", "text", "template"]),
    ("handoff", &["handoff", "schema", "text", "prompt", "files", "models", "template"]),
    ("mcp", &["mcp", "handoff", "template"]),
    ("process", &["process", "files", "models", "template"]),
    (
        "orchestrator",
        &[
            "orchestrator",
            "prompt",
            "process",
            "tmux",
            "files",
            "flow",
            "models",
            "catalog",
            "template",
        ],
    ),
    (
        "engine",
        &[
            "engine",
            "flow",
            "handoff",
            "compile",
            "text",
            "orchestrator",
            "prompt",
            "process",
            "files",
            "models",
            "catalog",
            "template",
        ],
    ),
    ("config", &["config", "schema", "files", "models", "text", "template"]),
    (
        "output",
        &[
            "output",
            "engine",
            "flow",
            "compile",
            "orchestrator",
            "prompt",
            "models",
            "catalog",
            "template",
        ],
    ),
    (
        "cli",
        &[
            "cli",
            "flow",
            "handoff",
            "mcp",
            "engine",
            "output",
            "config",
            "compile",
            "orchestrator",
            "prompt",
            "process",
            "files",
            "models",
            "catalog",
            "template",
        ],
    ),
];

fn module_of(path: &str) -> &str {
    let below = path.strip_prefix("src/").expect("a source file");
    below.split('/').next().unwrap_or(below).trim_end_matches(".rs")
}

#[test]
fn dependencies_between_modules_point_one_way() {
    let mut edges = 0;
    for path in files("src", ".rs") {
        let module = module_of(&path);
        if ["lib", "main"].contains(&module) {
            continue;
        }
        let (_, allowed) = MAY_USE
            .iter()
            .find(|(name, _)| *name == module)
            .unwrap_or_else(|| panic!("{module} is not in the table"));
        for used in code(&path).split("crate::").skip(1) {
            let name: String =
                used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            assert!(allowed.contains(&name.as_str()), "{path} uses crate::{name}");
            edges += 1;
        }
    }
    assert!(edges > 40, "only {edges} edges found");
}

#[test]
fn the_language_and_the_compiler_are_the_same_in_the_build_script() {
    let mounted = ["src/template", "src/text", "src/flow", "src/compile"];
    for path in mounted.iter().flat_map(|folder| files(folder, ".rs")) {
        let path = path.as_str();
        assert!(!code(path).contains("cfg(feature"), "{path} depends on a feature");
    }
    for path in files("src/template", ".rs").into_iter().chain(files("src/flow", ".rs")) {
        for line in code(&path).lines().filter(|line| line.starts_with("use ")) {
            let root = line["use ".len()..].split("::").next().unwrap_or_default();
            assert!(["std", "super", "crate"].contains(&root), "{path}: {line}");
        }
    }
}

#[test]
fn only_the_edges_print_read_the_environment_or_exit() {
    let outside = [
        "println!",
        "eprintln!",
        "print!",
        "stdout()",
        "stderr()",
        "std::env",
        "env::var",
        "process::exit",
    ];
    for path in files("src", ".rs") {
        if ["cli", "output", "main"].contains(&module_of(&path)) {
            continue;
        }
        let code = code(&path);
        for word in outside {
            assert!(!code.contains(word), "{path} uses {word}");
        }
    }
}

#[test]
fn only_the_loaders_and_the_command_line_touch_files() {
    let allowed = [
        "src/compile/load.rs",
        "src/files/atomic.rs",
        "src/files/faults.rs",
        "src/files/own/folder.rs",
        "src/files/own/mod.rs",
        "src/files/real_path.rs",
        "src/files/small.rs",
        "src/process/folder.rs",
        "src/process/overlay.rs",
        "src/process/processes.rs",
        "src/process/hidden.rs",
        "src/process/signals.rs",
        "src/process/spool.rs",
        "src/prompt/confined.rs",
        "src/prompt/preferences/workplace.rs",
        "src/engine/archive/place.rs",
        "src/engine/journal.rs",
        "src/engine/lock.rs",
        "src/engine/git/agent_git.rs",
        "src/engine/git/branches.rs",
        "src/engine/git/folder.rs",
        "src/engine/git/in_the_way.rs",
        "src/engine/git/leftovers.rs",
        "src/engine/git/lock.rs",
        "src/engine/git/sketch.rs",
        "src/engine/git/submodules.rs",
        "src/engine/git/take.rs",
        "src/engine/git/workspace.rs",
        "src/engine/git/written.rs",
    ];
    for path in files("src", ".rs") {
        if module_of(&path) == "cli" || allowed.contains(&path.as_str()) {
            continue;
        }
        let code = code(&path);
        assert!(!code.contains("std::fs") && !code.contains("fs::read"), "{path} touches files");
    }
}

/// Who may open files by their paths, and what they open: nothing of it lies below a project's `agentd/`.
const OPENERS: [(&str, &str); 19] = [
    ("src/files/own/", "the one way to what lies below `agentd/`; a scratch folder"),
    (
        "src/files/small.rs",
        "the user's own configuration, and the files of a project beside `agentd/`",
    ),
    ("src/files/faults.rs", "a test's list of steps"),
    ("src/compile/load.rs", "a folder of templates that a person names"),
    ("src/process/overlay.rs", "the folder of an agent's settings in the user's home"),
    ("src/process/processes.rs", "what the system tells of processes"),
    ("src/process/hidden.rs", "the names in folders that hold something hidden"),
    ("src/process/signals.rs", "what the system tells of signals"),
    ("src/prompt/confined.rs", "the files of a project beside `agentd/`"),
    ("src/prompt/preferences/workplace.rs", "the root of a project"),
    ("src/engine/git/", "workspaces, and git's own folder"),
    ("src/cli/input.rs", "files that a person names"),
    ("src/cli/call.rs", "a folder that a person names"),
    ("src/cli/change/mcp.rs", "a folder that a person names"),
    ("src/cli/change/demo.rs", "a project that is made to be shown"),
    ("src/cli/change/leftovers.rs", "workspaces"),
    ("src/cli/offline_agent/", "what an agent does"),
    ("src/cli/templates/", "templates that a person names"),
    ("src/cli/trust/store.rs", "the user's state folder"),
];

#[test]
fn what_lies_below_agentd_is_opened_by_one_function_alone() {
    let opening = [
        "File::open(",
        "File::create",
        "File::options(",
        "OpenOptions",
        "DirBuilder",
        "fs::read",
        "fs::write(",
        "fs::copy(",
        "fs::rename(",
        "fs::create_dir",
        "fs::remove_file(",
        "fs::remove_dir_all(",
        "fs::canonicalize(",
        "fs::hard_link(",
        "NamedTempFile",
        "tempfile_in(",
        "openat(",
    ];
    let opens = |path: &str| {
        let code = code(path);
        opening.iter().copied().find(|word| code.contains(word))
    };
    let all = files("src", ".rs");
    for path in &all {
        // It makes the folder of the state, which is no project's.
        let is_known = OPENERS.iter().any(|(opener, _)| path.starts_with(opener))
            || ["src/cli/state_dir.rs", "src/files/real_path.rs"].contains(&path.as_str());
        if let Some(word) = opens(path) {
            assert!(is_known, "{path} uses {word}: below `agentd/` only `files::own` opens files");
        }
    }
    for (opener, _) in OPENERS {
        let is_needed = |path: &&String| path.starts_with(opener) && opens(path).is_some();
        assert!(all.iter().any(|path| is_needed(&path)), "{opener} opens nothing any more");
    }
}

#[test]
fn every_step_that_brings_something_onto_the_disk_can_be_made_to_fail() {
    let steps = [
        ".sync_all()",
        ".sync_data()",
        "fs::rename(",
        ".persist(",
        "fs::write(",
        ".create_new(true)",
        "fsync(",
        "renameat(",
        "mkdirat(",
        ".new_file(",
    ];
    let mut found = 0;
    for path in files("src", ".rs") {
        // What an agent does, or a command once for a person, is no state of a change.
        let is_exempt =
            ["src/engine/git/agent_git.rs", "src/engine/git/sketch.rs"].contains(&path.as_str());
        if ["cli", "output"].contains(&module_of(&path)) || is_exempt {
            continue;
        }
        let code = code(&path);
        let count = |word: &str| code.matches(word).count();
        let taken: usize = steps.iter().map(|step| count(step)).sum();
        let announced = count("before(Step::");
        assert!(
            taken <= announced,
            "{path}: {taken} steps, and {announced} are announced to `files::faults`"
        );
        found += taken;
    }
    assert!(found > 10, "only {found} steps found");
}

#[test]
fn every_module_says_what_it_is_for() {
    for path in files("src", ".rs").iter().chain(&files("tests", ".rs")) {
        assert!(read(path).starts_with("//! "), "{path} does not open with its purpose");
    }
}

#[test]
fn files_stay_small_enough_to_read() {
    for path in files("src", ".rs") {
        let lines = read(&path).lines().count();
        assert!(lines <= 400, "{path} has {lines} lines");
    }
}
