//! The files that agentd was started with: a shell may have opened some that an agent must not write.

/// The first descriptor after those of the standard streams.
const FIRST: i32 = 3;

/// Keeps what is open now from every program that agentd starts, but for the standard streams.
pub fn keep_descriptors() {
    close_fds::set_fds_cloexec(FIRST, &[]);
}
