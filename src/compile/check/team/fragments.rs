//! The fragments that a prompt must include.

use super::super::super::code::Code;
use super::super::super::diagnostic::Diagnostic;
use super::Prompt;

pub(super) fn check(prompt: &Prompt<'_>, found: &mut Vec<Diagnostic>) {
    if !prompt.is_complete() {
        return;
    }
    let template = &prompt.template;
    let missing = prompt.contract.fragments.iter().filter(|name| !template.linked.includes(name));
    found.extend(missing.map(|name| {
        let message = format!("{} must include the fragment `{name}`", prompt.contract.name);
        Diagnostic::new(Code::MissingFragment, template.whole(), message)
            .help(format!("write `[[shared:{name}]]` where its text belongs"))
    }));
}
