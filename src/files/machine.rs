//! Whose fault it is that a file cannot be read or written.

use std::io;

/// Returns whether the machine is at fault, a full disk say, and not whoever made the files.
pub(crate) fn is_of_the_machine(error: &io::Error) -> bool {
    // What an agent can bring about by the files that it makes; all else is the machine's.
    !matches!(
        error.kind(),
        io::ErrorKind::NotFound
            | io::ErrorKind::AlreadyExists
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::DirectoryNotEmpty
            | io::ErrorKind::InvalidFilename
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::InvalidData
            | io::ErrorKind::FileTooLarge
    )
}
