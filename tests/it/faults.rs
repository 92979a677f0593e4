//! Faults of the machine: every step of writing fails once, disks are full, folders cannot be written to. What was there
//! before stays, what failed is named, and the next run comes to the same end.

mod disk;
mod leaks;
mod points;
mod scene;
mod sync;
mod trace;
