//! The rights of root that a program is left with where agentd runs as root, or was started with some of them.

use rustix::process::{geteuid, getuid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, capability_is_in_bounding_set,
    clear_ambient_capability_set, remove_capability_from_bounding_set, set_capabilities,
};

/// What root keeps: to use the files and processes of all users, as far as the rest allows it. With others it would mount, load
/// modules, look into processes, set the clock, open files by their numbers and make programs privileged.
const KEPT: [CapabilitySet; 9] = [
    CapabilitySet::CHOWN,
    CapabilitySet::DAC_OVERRIDE,
    CapabilitySet::FOWNER,
    CapabilitySet::FSETID,
    CapabilitySet::KILL,
    CapabilitySet::NET_BIND_SERVICE,
    CapabilitySet::SETGID,
    CapabilitySet::SETPCAP,
    CapabilitySet::SETUID,
];

/// Gives up all other rights for what this thread starts from now on, and returns whether nothing that it starts gets them.
pub(super) fn give_up() -> bool {
    // These two sets are passed on to programs, to those of root whatever else is given up.
    let is_ambient_clear = clear_ambient_capability_set().is_ok();
    let inheritable = CapabilitySet::empty();
    let pass_on_nothing = |sets| set_capabilities(None, CapabilitySets { inheritable, ..sets });
    let is_inheritable_clear = capabilities(None).and_then(pass_on_nothing).is_ok();
    let lost = || CapabilitySet::all().iter().filter(|one| !KEPT.contains(one));
    for capability in lost() {
        // Who must not give them up is found below.
        let _ = remove_capability_from_bounding_set(capability);
    }
    let is_left = |one| capability_is_in_bounding_set(one) == Ok(true);
    // Nobody but root gets rights by starting a program: those of files count no more for whoever is confined.
    let is_root = getuid().is_root() || geteuid().is_root();
    is_ambient_clear && is_inheritable_clear && !(is_root && lost().any(is_left))
}
