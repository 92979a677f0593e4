//! Why a file is not read, in the words of the template language and in those of the system.

use std::io;

use rustix::io::Errno;

use crate::files::own::{Reason, Refused};
use crate::template::IncludeFault;

/// Makes an error of the system's kind of a fault, which stays a refusal if it is one.
pub(crate) fn io_error(fault: IncludeFault) -> io::Error {
    match fault {
        IncludeFault::Outside => Refused::because(Reason::Outside),
        IncludeFault::NotAFile => Refused::because(Reason::NotAFile),
        IncludeFault::Shared => Refused::because(Reason::Shared),
        IncludeFault::TooLarge(limit) => Refused::because(Reason::TooLarge(limit)),
        IncludeFault::TooLargeTogether { bytes, limit } => {
            Refused::because(Reason::TooLargeTogether { bytes, limit })
        }
        IncludeFault::Unreadable(why) => io::Error::other(why),
    }
}

/// Makes a fault of an error of the system's.
pub(super) fn fault(error: &io::Error) -> IncludeFault {
    if let Some(refused) = Refused::of(error) {
        return match refused.reason {
            Reason::Link | Reason::Outside => IncludeFault::Outside,
            Reason::NotAFile | Reason::NotAFolder | Reason::TooDeep(_) => IncludeFault::NotAFile,
            Reason::Shared => IncludeFault::Shared,
            Reason::TooLarge(limit) => IncludeFault::TooLarge(limit),
            Reason::TooLargeTogether { bytes, limit } => {
                IncludeFault::TooLargeTogether { bytes, limit }
            }
        };
    }
    match (error.kind(), error.raw_os_error()) {
        // cap-std's own refusal carries no error number of the system.
        (io::ErrorKind::PermissionDenied, None) => IncludeFault::Outside,
        (io::ErrorKind::IsADirectory, _) => IncludeFault::NotAFile,
        _ if error.raw_os_error() == Some(Errno::NXIO.raw_os_error()) => IncludeFault::NotAFile,
        _ => IncludeFault::Unreadable(error.to_string()),
    }
}
