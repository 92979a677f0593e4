//! The engines that parse a template at run time: minijinja, tera and handlebars.

use std::collections::BTreeMap;
use std::hint::black_box;

use agentd::Variable;

use super::Slots;
use crate::group::Group;
use crate::syntax::{JINJA, Syntax, field, template, translate};

const HANDLEBARS: Syntax = Syntax {
    hole: |name| format!("{{{{{{{name}}}}}}}"),
    openers: &["{{"],
    literal: |opener| format!("\\{opener}"),
};

const NAME: &str = "prompt";

/// Adds the engines that parse a template at run time; they have parsed it before the clock starts.
pub fn add<'v>(group: &mut Group<'v>, slots: Slots<'v>) {
    let values: BTreeMap<String, &str> = Variable::ALL
        .iter()
        .map(|variable| (field(*variable), slots[*variable as usize]))
        .collect();
    add_minijinja(group, &values);
    add_tera(group, &values);
    add_handlebars(group, &values);
}

fn add_minijinja(group: &mut Group<'_>, values: &BTreeMap<String, &str>) {
    let syntax = minijinja::syntax::SyntaxConfig::builder().keep_trailing_newline(true).build();
    let mut environment = minijinja::Environment::new();
    environment.set_syntax(syntax.expect("a valid syntax"));
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    environment
        .add_template_owned(NAME, translate(template().nodes, &JINJA))
        .expect("a template that parses");
    let pairs = values.iter().map(|(name, value)| (name.as_str(), *value));
    let context = minijinja::Value::from_pairs(pairs);
    group.fresh("minijinja", move || {
        let template = environment.get_template(NAME).expect("the template");
        template.render(black_box(&context).clone()).expect("a rendered template")
    });
}

fn add_tera(group: &mut Group<'_>, values: &BTreeMap<String, &str>) {
    let mut tera = tera::Tera::new();
    tera.autoescape_on(Vec::<&str>::new());
    tera.add_raw_template(NAME, &translate(template().nodes, &JINJA))
        .expect("a template that parses");
    let context = tera::Context::from_serialize(values).expect("a context");
    group.fresh("tera", move || {
        tera.render(NAME, black_box(&context)).expect("a rendered template")
    });
}

fn add_handlebars(group: &mut Group<'_>, values: &BTreeMap<String, &str>) {
    let mut handlebars = handlebars::Handlebars::new();
    handlebars.register_escape_fn(handlebars::no_escape);
    handlebars
        .register_template_string(NAME, translate(template().nodes, &HANDLEBARS))
        .expect("a template that parses");
    let context = handlebars::Context::wraps(values).expect("a context");
    group.fresh("handlebars", move || {
        handlebars.render_with_context(NAME, black_box(&context)).expect("a rendered template")
    });
}
