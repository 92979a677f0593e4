//! `[sandbox]`: what the kernel lets agents, checks and setup do.

use super::super::schema::{Key, Kind, key};
use super::super::sorts::TEXTS;
use crate::models::sandbox::SandboxMode;

pub(super) const SECTION: Key = key(
    "sandbox",
    Kind::Map(KEYS),
    "What the kernel (Landlock, on Linux) lets agents, checks and setup do: they write only in their workspace, their outbox, a folder for \
     temporary files and their CLI's own state, and read no keys and logins. A path that starts with `~/` is in your home folder.",
);

const KEYS: &[Key] = &[
    key(
        "mode",
        Kind::Word(SandboxMode::WORDS),
        "`on` confines them as far as the kernel can, `required` runs nothing if it cannot, `off` confines nothing.",
    )
    .default("\"on\""),
    key("write", TEXTS, "What agents may also write: folders and files.").default("[]"),
    key("check_write", TEXTS, "What checks and setup may also write.").default("[]"),
    key("read_deny", TEXTS, "What none of them may read, in addition to keys, logins and browser data.")
        .default("[]"),
    key(
        "check_network",
        Kind::Word(&["on", "off"]),
        "`off` keeps checks and setup from the network, including that of this machine. Nothing else confines the network.",
    )
    .default("\"on\""),
    key(
        "sockets",
        Kind::Word(&["on", "off"]),
        "`on` lets all of them use sockets with a path (Unix sockets): a service that listens there, such as Docker, D-Bus or a database, \
         acts outside the sandbox.",
    )
    .default("\"off\""),
];
