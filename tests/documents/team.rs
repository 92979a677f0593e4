//! Holds `docs/team.md` to the program: its commands are run in order, and what they print is what it shows.

use super::played::prints_what_it_shows;

const TEAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/team.md");

#[test]
fn every_command_of_the_guide_to_teams_prints_what_it_shows() {
    prints_what_it_shows(TEAM, &[]);
}
