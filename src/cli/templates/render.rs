//! `agentd templates render`: renders any template file, for template authors.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use clap::{Args, ValueEnum};
use log::warn;

use super::export::TEMPLATES;
use crate::catalog::CATALOG;
use crate::cli::input::{self, Assignment};
use crate::cli::{Failure, Kind, Outcome, PathContext as _};
use crate::compile::{FileId, Folder, Sources, link_one, load, report};
use crate::prompt::session::Session;
use crate::template::{Dialect, Includes, NoIncludes, OnMissing, frames, parse, render};

/// Render a template file with values, to try it out.
///
/// Shared fragments come from the folder `shared` beside the file's own folder, else from the compiled-in ones.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd templates render templates/system/BASE-plan.md --dialect system --var PROJECT_CONTEXT=@project.md
  agentd templates render coder.md --dialect role --var plan_file=plan_1.md --session agentd/changes/login")]
pub(crate) struct Render {
    /// The template.
    file: PathBuf,
    /// The dialect of the template.
    #[arg(long, value_enum)]
    dialect: DialectName,
    /// A value. In the dialect `extension` these are also the only live names.
    #[arg(long = "var", value_name = "NAME=VALUE|NAME=@FILE")]
    variables: Vec<Assignment>,
    /// The folder that `[[include:…]]` reads from.
    #[arg(long, value_name = "DIR")]
    session: Option<PathBuf>,
    /// Fail when a value is missing, in every dialect.
    #[arg(long)]
    strict: bool,
}

/// The dialects by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DialectName {
    /// `{{UPPER_SNAKE}}` and `[[shared:x]]`.
    System,
    /// `[[placeholder:x]]`, `[[shared:x]]`, `[[include:path]]` and `[[include-optional:path]]`.
    Role,
    /// `{{lower_snake}}` and YAML frontmatter.
    Identity,
    /// `[[placeholder:x]]` of the names given with --var; all else is text.
    Extension,
}

impl Render {
    pub(crate) fn run(&self) -> Outcome {
        let values = input::values(&self.variables)?;
        let names: Vec<&str> = values.keys().map(String::as_str).collect();
        let dialect = match self.dialect {
            DialectName::System => Dialect::SYSTEM,
            DialectName::Role => Dialect::ROLE,
            DialectName::Identity => Dialect::IDENTITY,
            DialectName::Extension => Dialect::extension(&names),
        };
        let text = self.linked(&dialect)?;
        let parsed = parse(&text, &dialect);
        let session = self.session.as_deref().map(open_session).transpose()?;
        let includes: &dyn Includes = session.as_ref().map_or(&NoIncludes, |session| session);
        let on_missing = if self.strict { OnMissing::Refuse } else { dialect.on_missing };
        let nodes = parsed.nodes.iter().map(|(node, _)| node);
        let shown = self.file.display().to_string();
        let mut out = String::new();
        let tags = CATALOG.tags.with(frames(&text).names);
        for name in render(&shown, nodes, &values, includes, on_missing, &tags, &mut out)? {
            warn!("`{shown}` asks for `{name}`, which was not given");
        }
        io::stdout().lock().write_all(out.as_bytes())?;
        Ok(())
    }

    /// Reads the file and links its fragments, or reports its faults.
    fn linked(&self, dialect: &Dialect<'_>) -> Outcome<String> {
        let bytes = fs::read(&self.file).or_fail("cannot read", &self.file)?;
        let mut sources = self.fragments()?;
        let name = self.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let path = self.file.display().to_string();
        let file: FileId = sources.add_as(Folder::Commands, &name, path, bytes);
        let (linked, compilation) = link_one(sources, file, dialect);
        if compilation.is_ok() {
            return Ok(linked.text);
        }
        let text = report::human(&compilation, report::Colors::On);
        anstream::stderr().write_all(text.as_bytes())?;
        Err(Failure::new(Kind::Template, format!("`{}` cannot be rendered", self.file.display())))
    }

    fn fragments(&self) -> Outcome<Sources> {
        let root = self
            .file
            .parent()
            .and_then(Path::parent)
            .map(|root| if root == Path::new("") { Path::new(".") } else { root });
        if let Some(root) = root.filter(|root| root.join("shared").is_dir()) {
            let mut sources = load(root)
                .map_err(|error| Failure::io("cannot read", &error.path, &error.source))?;
            sources.keep(Folder::Shared);
            return Ok(sources);
        }
        let mut sources = Sources::new("(compiled in)");
        for file in TEMPLATES.get_dir("shared").into_iter().flat_map(include_dir::Dir::files) {
            sources.add(&file.path().to_string_lossy(), file.contents().to_vec());
        }
        Ok(sources)
    }
}

/// Opens the session folder. Links that lead to a project belong to the user; below its `agentd/` no link is followed.
fn open_session(path: &Path) -> Outcome<Session> {
    let is_above = |part: &Component<'_>| part.as_os_str() != "agentd";
    let above: PathBuf = path.components().take_while(is_above).collect();
    let below: PathBuf = path.components().skip_while(is_above).collect();
    let above = if above == Path::new("") { Path::new(".") } else { &above };
    fs::canonicalize(above)
        .and_then(|above| Session::open(&above.join(below)))
        .or_fail("cannot open the session folder", path)
}
