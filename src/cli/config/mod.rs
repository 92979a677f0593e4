//! `agentd config`: what is in force, and what can be set.

mod schema;
mod show;

use super::commands::commands;

commands! {
    /// Show the configuration in force, or what can be set in it.
    ///
    /// A setting comes from the strongest layer that gives it: an option, a variable of the environment, the project's
    /// agentd/config.toml, your own ~/.config/agentd/config.toml, or the default.
    Config {
        Show(show::Show),
        Schema(schema::Schema),
    }
}
