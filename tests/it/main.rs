//! The integration tests: one binary, a module for each part of the program.

#![allow(clippy::disallowed_methods, reason = "tests write the files that they need as they like")]
#![expect(clippy::expect_used, reason = "a test that cannot go on says why and fails")]

#[cfg(feature = "cli")]
mod agents;
#[cfg(feature = "cli")]
mod archive;
#[cfg(feature = "cli")]
mod blocks;
#[cfg(feature = "cli")]
mod cargo_build;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod commands;
#[cfg(feature = "cli")]
mod config;
#[cfg(feature = "cli")]
mod config_commands;
#[cfg(feature = "cli")]
mod config_sections;
#[cfg(feature = "cli")]
mod doctor;
mod envelope;
#[cfg(feature = "cli")]
mod expected;
#[cfg(feature = "cli")]
mod faults;
#[cfg(feature = "cli")]
mod flows;
#[cfg(feature = "cli")]
mod frames;
mod fuzz;
#[cfg(feature = "cli")]
mod git;
#[cfg(feature = "cli")]
mod handoff;
#[cfg(feature = "cli")]
mod home;
#[cfg(feature = "compiler")]
mod identities;
#[cfg(feature = "cli")]
mod init;
#[cfg(feature = "cli")]
mod lanes;
mod language;
#[cfg(feature = "cli")]
mod load;
#[cfg(feature = "compiler")]
mod matrix;
#[cfg(feature = "cli")]
mod mcp;
#[cfg(feature = "cli")]
mod measure;
#[cfg(feature = "cli")]
mod odd_folder;
#[cfg(feature = "cli")]
mod offline;
#[cfg(feature = "cli")]
#[path = "../documents/planning.rs"]
mod planning;
#[cfg(feature = "cli")]
mod planted;
#[cfg(feature = "cli")]
mod preferences;
#[cfg(feature = "cli")]
mod process;
#[cfg(feature = "cli")]
mod project;
#[cfg(feature = "cli")]
mod ran;
#[cfg(feature = "cli")]
mod readme;
#[cfg(feature = "cli")]
mod redaction;
mod requirements;
#[cfg(feature = "cli")]
mod run_phase;
#[cfg(feature = "cli")]
mod sandbox;
#[cfg(feature = "cli")]
mod schedule;
mod seed_000;
mod seed_001;
mod seed_003;
mod seed_004;
#[cfg(feature = "cli")]
#[path = "../documents/settled.rs"]
mod settled;
#[cfg(feature = "compiler")]
mod smallest;
mod structure;
mod support;
#[cfg(feature = "compiler")]
mod tasks;
#[cfg(feature = "cli")]
mod team;
#[cfg(feature = "cli")]
mod team_prompts;
mod templates;
#[cfg(feature = "cli")]
mod trust;
mod verdicts;
#[cfg(feature = "cli")]
mod workflow;
