//! Compiles this crate's own `templates/` with agentd's compiler.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use agentd::compile::{compile, load, report};

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=templates");
    let compilation = compile(load(Path::new("templates")).expect("the folder can be read"));
    print!("{}", report::cargo(&compilation));
    if !compilation.is_ok() {
        eprintln!("{}", report::human(&compilation, report::Colors::Off));
        return ExitCode::FAILURE;
    }
    let out = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join("catalog.rs");
    fs::write(out, compilation.generate("::agentd")).expect("the folder can be written");
    ExitCode::SUCCESS
}
