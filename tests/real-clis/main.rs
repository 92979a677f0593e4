//! The real CLIs, run by agentd against model servers of our own. `tests/real-clis/run` installs them and starts this;
//! without a folder of CLIs it does nothing, and says so.

#![allow(clippy::disallowed_methods, reason = "tests write the files that they need as they like")]
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a suite prints, and fails by panicking"
)]

mod cases;
mod cli;
mod flow;
mod left_behind;
mod model;
mod namespace;
mod scene;
mod suite;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use suite::Suite;

/// The variable that says where the CLIs are.
const CLIS: &str = "AGENTD_REAL_CLIS";

fn main() -> ExitCode {
    let mut words = env::args().skip(1);
    let result = match (words.next(), env::var_os(CLIS)) {
        (Some(word), _) if word == namespace::INSIDE => {
            let clis = words.next().unwrap_or_default();
            namespace::prepare()
                .map(|()| Suite::new(Path::new(&clis)).run(&words.collect::<Vec<_>>()))
        }
        (first, Some(clis)) => {
            let filter: Vec<_> = first.into_iter().chain(words).collect();
            namespace::enter(&PathBuf::from(clis), &filter)
        }
        (_, None) => {
            println!("real CLIs: SKIPPED, for {CLIS} is not set; `tests/real-clis/run` runs them");
            return ExitCode::SUCCESS;
        }
    };
    result.unwrap_or_else(|reason| {
        println!("real CLIs: CANNOT RUN: {reason}");
        ExitCode::from(2)
    })
}
