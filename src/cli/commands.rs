//! A macro that declares groups of commands: their names, and what runs for each.

/// Declares a group. Each command has its own type, whose `run` may need to know which of its names was typed.
macro_rules! commands {
    ($(#[$meta:meta])* $name:ident {
        $($(#[$command_meta:meta])* $command:ident($options:ty) $(with $which:expr)?,)+
    }) => {
        $(#[$meta])*
        #[derive(Debug, clap::Subcommand)]
        // A command is described only when it is typed: describing all would take a third of the time of `agentd
        // prompt`.
        #[command(defer = true)]
        pub(crate) enum $name { $($(#[$command_meta])* $command($options),)+ }

        impl $name {
            /// Runs the command that was typed.
            pub(crate) fn run(&self) -> $crate::cli::Outcome {
                match self { $(Self::$command(options) => options.run($($which)?),)+ }
            }
        }
    };
}

pub(super) use commands;
