//! Reading a run again that has ended: how it ended, and what it printed, line by line, as if it ran now.

use std::io::Read as _;
use std::path::Path;

use super::error::ProcessError;
use super::folder::{RunFolder, end_record};
use super::lines::{Lines, TooLong};
use crate::files::own;
use crate::models::run::{End, EndRecord};

/// Returns how the run of a folder ended, if it has, after handing on each line of its standard output.
pub fn replay(
    run_folder: &Path,
    on_line: &mut (dyn FnMut(&str) + Send),
) -> Result<Option<EndRecord>, ProcessError> {
    let Some(mut record) = end_record(run_folder)? else { return Ok(None) };
    let path = RunFolder::at(run_folder)?.stdout_file();
    let unreadable = |error| ProcessError::io("cannot read", &path, error);
    let mut file = own::open(&path).map_err(unreadable)?;
    let mut buffer = vec![0; 64 << 10];
    let mut lines = Lines::default();
    loop {
        let count = file.read(&mut buffer).map_err(unreadable)?;
        if count == 0 {
            break;
        }
        if lines.take(&buffer[..count], on_line) == Err(TooLong) {
            record.end = End::TooMuchOutput;
            return Ok(Some(record));
        }
    }
    lines.finish(on_line);
    Ok(Some(record))
}
