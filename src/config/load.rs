//! Reads the files of a configuration.

use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;
use std::sync::Arc;

use super::error::{ConfigError, Fault};
use super::layers::{Inputs, Override};
use super::resolve::Config;
use super::source::{Layer, Place, Source};
use crate::files::own::Refused;
use crate::files::{read_small, read_small_own};
use crate::template::{LineIndex, Span};

/// The project's file, from its root.
pub const PROJECT_FILE: &str = "agentd/config.toml";

/// Where a configuration is found.
#[derive(Clone, Debug)]
pub struct Locations {
    /// The user's file, if there can be one.
    pub user: Option<PathBuf>,
    /// The project's root.
    pub root: PathBuf,
    /// The program that runs now.
    pub executable: PathBuf,
}

/// Reads the files that are there and puts the configuration together.
pub fn load(locations: &Locations, overrides: Vec<Override>) -> Result<Config, ConfigError> {
    let mut files = Vec::new();
    if let Some(path) = &locations.user {
        files.extend(source(Layer::User, path, path.display().to_string())?);
    }
    let project = locations.root.join(PROJECT_FILE);
    files.extend(source(Layer::Project, &project, PROJECT_FILE.to_owned())?);
    Config::new(&Inputs {
        files,
        overrides,
        root: &locations.root,
        executable: &locations.executable,
    })
}

fn source(layer: Layer, path: &Path, name: String) -> Result<Option<Source>, ConfigError> {
    let read = match layer {
        // A clone brings it along.
        Layer::Project => read_small_own(path),
        _ => read_small(path),
    };
    match read {
        Ok(Some(bytes)) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(Source { layer, name, text })),
            Err(error) => Err(not_utf8(layer, name, &error)),
        },
        Ok(None) => Ok(None),
        Err(error) => Err(ConfigError::Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
            kind: error.kind(),
            is_refused: Refused::is(&error),
        }),
    }
}

fn not_utf8(layer: Layer, name: String, error: &FromUtf8Error) -> ConfigError {
    let start = error.utf8_error().valid_up_to();
    let span = Span::new(start, start + char::REPLACEMENT_CHARACTER.len_utf8());
    let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
    let line = LineIndex::new(&text).line(start);
    let place = Place { source: Arc::new(Source { layer, name, text }), span, line };
    let message = "the file is not UTF-8".to_owned();
    let help = Some("write it with an editor that saves UTF-8".to_owned());
    ConfigError::Faults(vec![Fault { place, key: String::new(), message, help }])
}
