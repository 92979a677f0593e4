//! The `agentd` binary; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    agentd::cli::main()
}
