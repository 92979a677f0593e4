//! Fuzzes what `oracles/markers.rs` checks.

#![no_main]

#[allow(dead_code, reason = "each target calls one of them")]
#[path = "../oracles/mod.rs"]
mod oracles;

libfuzzer_sys::fuzz_target!(|input: &[u8]| oracles::markers::check(input));
