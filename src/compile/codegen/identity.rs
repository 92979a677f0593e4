//! The Rust of an identity.

use super::super::IdentityUnit;
use super::super::frontmatter::DeclaredVariable;
use super::super::source::hash_of;
use super::program::Program;
use super::write_to;
use crate::template::Dialect;
use crate::template::values::MOST_VARIABLES;

pub(super) fn template(out: &mut String, number: usize, unit: &IdentityUnit, library: &str) {
    let frontmatter = &unit.frontmatter;
    let names: Vec<&str> =
        frontmatter.variables.iter().map(|variable| variable.name.as_str()).collect();
    let program = Program::new(&unit.body, &Dialect::IDENTITY, &names);
    let variable = |variable: &DeclaredVariable| {
        let DeclaredVariable { name, description, required, default, .. } = variable;
        format!(
            "        {library}::catalog::IdentityVariable {{ name: {name:?}, description: {description:?}, \
             required: {required}, default: {default:?} }},\n"
        )
    };
    let variables: String = frontmatter.variables.iter().map(variable).collect();
    write_to(
        out,
        format_args!(
            "static IDENTITY_{number}: {library}::catalog::IdentityTemplate = \
             {library}::catalog::IdentityTemplate {{\n    \
                 name: {name:?},\n    \
                 aliases: &{aliases:?},\n    \
                 category: {category:?},\n    \
                 description: {description:?},\n    \
                 hash: {hash:?},\n    \
                 variables: &[\n{variables}    ],\n    \
                 body: {body:?},\n    \
                 nodes: &[\n{table}    ],\n    \
                 write: render_identity_{number},\n\
             }};\n\n",
            name = frontmatter.name,
            aliases = frontmatter.aliases,
            category = frontmatter.category,
            description = frontmatter.description,
            hash = hash_of(&unit.body),
            body = unit.body,
            table = program.node_table(library),
        ),
    );
    program.function(out, &format!("render_identity_{number}"), MOST_VARIABLES, library);
}
