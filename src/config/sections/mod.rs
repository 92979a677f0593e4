//! The sections of a configuration, one file each: the keys that it knows, and what becomes of them.

pub(super) mod agents;
pub(super) mod context;
pub(super) mod limits;
pub(super) mod phases;
pub(super) mod prices;
pub(super) mod project;
pub(super) mod roles;
pub(super) mod sandbox;
pub(super) mod team;
pub(super) mod verify;
pub(super) mod workspace;

use super::error::Fault;
use super::schema::Kind;
use super::source::Origin;

/// The sections.
pub(super) static ROOT: Kind = Kind::Map(&[
    project::SECTION,
    phases::SECTION,
    roles::SECTION,
    team::SECTION,
    verify::SECTION,
    limits::SECTION,
    context::SECTION,
    workspace::SECTION,
    sandbox::SECTION,
    agents::SECTION,
    prices::SECTION,
]);

/// Reports settings that are right each by itself, but not together.
fn tell(faults: &mut Vec<Fault>, origin: &Origin, key: String, message: String, help: String) {
    // What has been said nowhere cannot be wrong.
    if let Origin::Given(place) = origin {
        faults.push(Fault { place: place.clone(), key, message, help: Some(help) });
    }
}
