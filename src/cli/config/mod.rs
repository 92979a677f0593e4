//! `agentd config`: the configuration in force, and its schema.

mod schema;
mod show;

use super::commands::commands;

commands! {
    /// Show the configuration in force, or its schema.
    ///
    /// A setting comes from the strongest layer that gives it: an option, a variable of the environment, the project's
    /// agentd/config.toml, your own ~/.config/agentd/config.toml, or the default.
    Config {
        Show(show::Show),
        Schema(schema::Schema),
    }
}
