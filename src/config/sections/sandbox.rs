//! `[sandbox]`: what the kernel lets agents, checks and setup do.

use super::super::schema::{Key, Kind, key};
use super::super::sorts::TEXTS;
use crate::models::sandbox::SandboxMode;

pub(super) const SECTION: Key = key(
    "sandbox",
    Kind::Map(KEYS),
    "What the kernel (Landlock, on Linux) lets agents, checks and setup do: they write only in their workspace, their outbox, a folder for \
     temporary files and their CLI's own state, and read no keys and logins. A path that begins with `~/` lies in your home.",
);

const KEYS: &[Key] = &[
    key(
        "mode",
        Kind::Word(SandboxMode::WORDS),
        "`on` confines them as far as the kernel can, `required` runs nothing where it cannot, `off` confines nothing.",
    )
    .default("\"on\""),
    key("write", TEXTS, "What agents may write too: folders and files.").default("[]"),
    key("check_write", TEXTS, "What checks and setup may write too.").default("[]"),
    key("read_deny", TEXTS, "What none of them may read, beside keys, logins and browsers' data.")
        .default("[]"),
    key(
        "check_network",
        Kind::Word(&["on", "off"]),
        "`off` keeps checks and setup from the network, that of this machine alone too. Nothing else confines it.",
    )
    .default("\"on\""),
    key(
        "sockets",
        Kind::Word(&["on", "off"]),
        "`on` lets all of them use sockets with a path (Unix sockets): whoever listens there, such as Docker, D-Bus or a database, \
         does things outside of the sandbox.",
    )
    .default("\"off\""),
];
