//! Holds `docs/prompts.md` to the program: its commands are run in order, and what they print is what it shows.

use super::played::prints_what_it_shows;

const PROMPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/prompts.md");

/// The commands that are to fail, with their exit codes: a file that a prompt needs is not there, an extension extends
/// nothing, a prompt does not teach what it must, and a preference is none.
const FAILING: [(&str, i32); 5] = [
    ("agentd prompt --role planner --change add-export", 3),
    ("agentd prompt --role coder --plan 1 --change add-export", 4),
    ("agentd templates check", 3),
    ("agentd templates check ../templates", 3),
    ("agentd preferences add coder \"End every <review> with {{generics}}\"", 2),
];

#[test]
fn every_command_of_the_guide_to_prompts_prints_what_it_shows() {
    prints_what_it_shows(PROMPTS, &FAILING);
}
