//! Writes the templates of the engines that compile theirs, from the text of agentd's own template.

use std::path::Path;
use std::{env, fs};

use agentd::Variable;

#[path = "src/syntax.rs"]
mod syntax;

use syntax::{JINJA, Syntax, field, template, translate};

const SAILFISH: Syntax = Syntax {
    hole: |name| format!("<%- self.{name} %>"),
    openers: &["<%"],
    literal: |opener| format!("{opener}%"),
};

const FORMAT: Syntax = Syntax {
    hole: |name| format!("{{{name}}}"),
    openers: &["{", "}"],
    literal: |brace| brace.repeat(2),
};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/syntax.rs");
    let code = [
        derived("Sailfish", "sailfish::Template", &SAILFISH, "escape = false"),
        derived("Askama", "askama::Template", &JINJA, "ext = \"txt\", escape = \"none\""),
        format_macro(),
    ]
    .concat();
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("compiled.rs"), code).expect("OUT_DIR is writable");
}

/// Writes a struct with a field for each variable that derives its rendering from the template.
fn derived(name: &str, derive: &str, syntax: &Syntax, options: &str) -> String {
    let source = translate(template().nodes, syntax);
    let each = |write: fn(usize, String) -> String| {
        let fields =
            Variable::ALL.iter().map(|variable| write(*variable as usize, field(*variable)));
        fields.collect::<String>()
    };
    let declared = each(|_, field| format!("    {field}: &'v str,\n"));
    let filled = each(|slot, field| format!("            {field}: values[{slot}],\n"));
    format!(
        "#[derive({derive})]\n\
         #[template(source = {source:?}, {options})]\n\
         pub struct {name}<'v> {{\n{declared}}}\n\n\
         impl<'v> {name}<'v> {{\n    \
             pub fn new(values: &[&'v str; {count}]) -> Self {{\n        \
                 Self {{\n{filled}        }}\n    \
             }}\n\
         }}\n\n",
        count = Variable::ALL.len(),
    )
}

/// Writes a function that renders the template with `format!`.
fn format_macro() -> String {
    let source = translate(template().nodes, &FORMAT);
    let fields: Vec<String> = Variable::ALL.iter().map(|variable| field(*variable)).collect();
    format!(
        "pub fn format_macro([{fields}]: &[&str; {count}]) -> String {{\n    format!({source:?})\n}}\n",
        fields = fields.join(", "),
        count = fields.len(),
    )
}
