//! The configuration: which agents there are, which one does which phase, how changes are verified, and what they
//! may cost.
//!
//! Text becomes settings in a few pure steps: `source` names where a value stands, `schema` and `sorts` say which keys there
//! are, `check` holds a file to it, `layers` lays one over the other, `sections/` turns the result into
//! [`Config`]. `trust` tells what of a project's file can run something, `choice` which agent does a phase. Only `load` reads
//! files, and nothing here reads the environment: it is handed in.

mod assignments;
mod check;
mod choice;
mod defaults;
mod document;
mod error;
mod json_schema;
mod layers;
mod load;
mod report;
mod resolve;
mod schema;
mod sections;
mod sorts;
mod source;
mod trust;
mod value;
mod variables;

pub use choice::{CANDIDATES, ChoiceError, Chosen, Reason, choose};
pub use document::{DocumentedKey, keys};
pub use error::{ConfigError, Fault};
pub use json_schema::json_schema;
pub use layers::{Inputs, Override};
pub use load::{Locations, PROJECT_FILE, load};
pub use resolve::{Config, Listed};
pub use source::{Layer, Origin, Place, Source};
pub use trust::{Change, Fingerprint, FlowFile, Guarded, is_flow};
pub use variables::overrides;
