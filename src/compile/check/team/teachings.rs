//! What a prompt must teach its reader, outside code blocks.

use super::super::super::code::Code;
use super::super::super::contract::teachings;
use super::super::super::diagnostic::Diagnostic;
use super::super::directives::says;
use super::Prompt;

pub(super) fn check(prompt: &Prompt<'_>, found: &mut Vec<Diagnostic>) {
    if !prompt.is_complete() {
        return;
    }
    let prose = prompt.template.prose();
    for teaching in teachings(prompt.which) {
        let unsaid = teaching.says.iter().filter(|spellings| !says(&prose, spellings));
        let unsaid: Vec<_> = unsaid.map(|spellings| format!("`{}`", spellings[0])).collect();
        if unsaid.is_empty() {
            continue;
        }
        let (file, about, unsaid) = (prompt.which.file(), teaching.about, unsaid.join(", "));
        let message = format!("`{file}` must teach {about}, and does not speak of {unsaid}");
        found.push(
            Diagnostic::new(Code::MissingDirective, prompt.template.whole(), message)
                .help("say it in these words, outside code blocks"),
        );
    }
}
