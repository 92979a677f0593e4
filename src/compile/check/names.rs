//! File names: `[AGENT]-[PHASE].md` for system templates, plain lower-case names elsewhere.

use super::super::code::Code;
use super::super::diagnostic::Diagnostic;
use super::super::source::{FileId, Folder, Sources};
use crate::template::lexer::is_name;
use crate::template::nearest::nearest;
use crate::template::{Agent, Phase};

const FORM: &str = "name it `[AGENT]-[PHASE].md`, directly in `system/`: GEMINI, CLAUDE, CODEX or BASE, \
                    then plan, challenge, implement, review or archive";

/// Reports each phase that has no BASE template, unless a file is there that was meant to be it.
pub(super) fn base_templates(sources: &mut Sources, found: &mut Vec<Diagnostic>) {
    for phase in Phase::ALL {
        let wanted = format!("BASE-{phase}.md");
        let is_meant = |name: &str| name == wanted || meant(name) == Some((Agent::Base, *phase));
        if sources.iter().any(|(_, file)| file.folder == Folder::System && is_meant(&file.name)) {
            continue;
        }
        let file = sources.add_absent(Folder::System, &format!("system/{wanted}"));
        found.push(
            Diagnostic::new(
                Code::MissingBase,
                sources.first_line(file),
                format!("phase `{phase}` has no base template: `{wanted}` is missing"),
            )
            .help(format!(
                "write `system/{wanted}`, which is used for every agent without its own template"
            )),
        );
    }
}

/// Guesses agent and phase from a name that is not quite right.
fn meant(name: &str) -> Option<(Agent, Phase)> {
    let (stem, _) = name.rsplit_once('.')?;
    let (agent, phase) = stem.split_once('-')?;
    let agent = Agent::from_word(nearest(agent, Agent::WORDS.iter().copied())?)?;
    let phase = Phase::from_word(nearest(phase, Phase::WORDS.iter().copied())?)?;
    Some((agent, phase))
}

/// Reads agent and phase off a system template's name.
pub(super) fn system(
    sources: &Sources,
    file: FileId,
    found: &mut Vec<Diagnostic>,
) -> Option<(Agent, Phase)> {
    let name = sources.get(file).name.as_str();
    let mut report = |code, message: String, help: String| {
        found.push(Diagnostic::new(code, sources.first_line(file), message).help(help));
    };
    let parts = name
        .rsplit_once('.')
        .filter(|(stem, ending)| ending.eq_ignore_ascii_case("md") && !stem.contains('/'))
        .and_then(|(stem, _)| stem.split_once('-'));
    let Some((agent_word, phase_word)) = parts else {
        report(Code::FileName, format!("`{name}` is not the name of a template"), FORM.to_owned());
        return None;
    };
    let agent = Agent::from_word(&agent_word.to_ascii_uppercase());
    let phase = Phase::from_word(&phase_word.to_ascii_lowercase());
    if agent.is_none() {
        let help = match nearest(agent_word, Agent::WORDS.iter().copied()) {
            Some(near) => format!("did you mean `{near}-{phase_word}.md`?"),
            None => format!("the agents are {}", Agent::WORDS.join(", ")),
        };
        report(Code::UnknownAgent, format!("there is no agent `{agent_word}`"), help);
    }
    if phase.is_none() {
        let help = match nearest(phase_word, Phase::WORDS.iter().copied()) {
            Some(near) => format!("did you mean `{agent_word}-{near}.md`?"),
            None => format!("the phases are {}", Phase::WORDS.join(", ")),
        };
        report(Code::UnknownPhase, format!("there is no phase `{phase_word}`"), help);
    }
    let (agent, phase) = agent.zip(phase)?;
    let right = format!("{agent}-{phase}.md");
    if name != right {
        let message = format!("`{name}` is in the wrong case");
        report(Code::FileCase, message, format!("rename it to `{right}`"));
        return None;
    }
    Some((agent, phase))
}

/// Checks the name of a template that is looked up by its name alone.
pub(super) fn plain(sources: &Sources, file: FileId, found: &mut Vec<Diagnostic>) {
    let name = sources.get(file).name.as_str();
    let is_plain = |name: &str| name.strip_suffix(".md").is_some_and(is_name);
    if is_plain(name) {
        return;
    }
    let lower = name.to_ascii_lowercase();
    let (code, help) = if is_plain(&lower) {
        (Code::FileCase, format!("rename it to `{lower}`"))
    } else {
        let form = "use lower-case letters, digits, `-` and `_`, ending in `.md`, without a folder";
        (Code::FileName, form.to_owned())
    };
    let message = format!("`{name}` is not the name of a template");
    found.push(Diagnostic::new(code, sources.first_line(file), message).help(help));
}

/// Reports a template that lies where none is looked for.
pub(super) fn elsewhere(sources: &Sources, file: FileId, found: &mut Vec<Diagnostic>) {
    let name = sources.get(file).name.as_str();
    let help = match name.split_once('/') {
        Some((folder, _)) => {
            nearest(folder, Folder::NAMES).map(|near| format!("did you mean the folder `{near}/`?"))
        }
        None => nearest(name, ["context.md"]).map(|near| format!("did you mean `{near}`?")),
    };
    let help = help.unwrap_or_else(|| format!("templates are in {}/", Folder::NAMES.join("/, ")));
    let message = format!("no template is expected at `{name}`");
    found.push(Diagnostic::new(Code::FileName, sources.first_line(file), message).help(help));
}
