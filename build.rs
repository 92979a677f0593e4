//! Compiles `templates/` into `$OUT_DIR/catalog.rs`; a template that is wrong fails the build.

#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    missing_docs,
    reason = "the modules below are the library's, mounted as they stand"
)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a build script speaks to cargo by printing"
)]
#![allow(clippy::disallowed_methods, reason = "cargo makes the file again where it is not whole")]

#[path = "src/compile/mod.rs"]
mod compile;
#[path = "src/flow/mod.rs"]
mod flow;
#[path = "src/template/mod.rs"]
mod template;
#[path = "src/text/mod.rs"]
mod text;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};

use compile::report;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=templates");
    if let Err(faults) = compile::contract::check() {
        print!("{}", faults.cargo);
        eprintln!("{}", faults.report);
        return ExitCode::FAILURE;
    }
    let compilation = match compile::load(Path::new("templates")) {
        Ok(sources) => compile::compile(sources),
        Err(error) => {
            println!("cargo::error={error}");
            return ExitCode::FAILURE;
        }
    };
    print!("{}", report::cargo(&compilation));
    if !compilation.is_ok() {
        eprintln!("{}", report::human(&compilation, report::Colors::Off));
        return ExitCode::FAILURE;
    }
    let (version, hash) = (env!("CARGO_PKG_VERSION"), compilation.sources.hash());
    println!("cargo::rustc-env=AGENTD_VERSION={version} (commit {}, templates {hash})", commit());
    let out = Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join("catalog.rs");
    match fs::write(&out, compilation.generate("crate")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error=cannot write `{}`: {error}", out.display());
            ExitCode::FAILURE
        }
    }
}

/// Asks git for the commit, and cargo to ask again when it changes; a source archive has none.
fn commit() -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    if let Some(log) =
        git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists())
    {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_else(|| "unknown".to_owned())
}
