//! What is rendered: five values of a given size, and a prompt with twenty files of real source text.

use std::fs;
use std::path::{Path, PathBuf};

use agentd::Variable;
use agentd::models::prompt::UnifiedPrompt;

/// One value for each variable, in the order of [`Variable::ALL`].
pub type Texts = [String; Variable::ALL.len()];

const FILES: usize = 20;
const FILE_SIZE: usize = 15_000;

/// Makes five values of `size` bytes in all, with characters that an engine that escapes would change.
pub fn values(size: usize) -> Texts {
    std::array::from_fn(|slot| {
        let line = format!("- `{}` <item> is \"one\" & only: 1 > 0\n", Variable::ALL[slot]);
        line.chars().cycle().take(size / Variable::ALL.len()).collect()
    })
}

/// Makes a prompt of twenty files, 300 KB in all, cut from the source of agentd.
pub fn prompt() -> UnifiedPrompt {
    let source = source_text(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../src")));
    let mut characters = source.chars().cycle();
    let mut next_file = || {
        let mut text = String::with_capacity(FILE_SIZE + char::MAX.len_utf8());
        while text.len() < FILE_SIZE {
            text.extend(characters.next());
        }
        text
    };
    (0..FILES).fold(UnifiedPrompt::new("Look for what is wrong."), |prompt, number| {
        prompt.with_file(format!("src/part_{number}.rs"), next_file())
    })
}

/// Reads every Rust file below a folder, in the order of the paths.
fn source_text(folder: &Path) -> String {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .unwrap_or_else(|error| panic!("cannot list `{}`: {error}", folder.display()));
    paths.sort();
    let text = |path: &PathBuf| match path.extension() {
        _ if path.is_dir() => source_text(path),
        Some(extension) if extension == "rs" => fs::read_to_string(path).expect("readable source"),
        _ => String::new(),
    };
    paths.iter().map(text).collect()
}
