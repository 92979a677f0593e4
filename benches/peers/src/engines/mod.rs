//! The template groups: every engine renders the same template with the same values to the same bytes.
//!
//! Each engine gets the values in its own form before the clock starts, and escapes nothing.

mod compiled;
mod interpreted;

use std::hint::black_box;

use agentd::{Values, Variable};

use crate::group::Group;
use crate::inputs;
use crate::syntax::template;

/// The values as they are lent to an engine, in the order of [`Variable::ALL`].
type Slots<'v> = [&'v str; Variable::ALL.len()];

/// Compares the engines with values of `size` bytes in all.
pub fn compare(size: usize) {
    let template = black_box(template());
    let texts = inputs::values(size);
    let slots = texts.each_ref().map(String::as_str);
    let values = Variable::ALL
        .iter()
        .fold(Values::new(), |values, variable| values.with(*variable, slots[*variable as usize]));
    let output = template.render(&values);

    let title = format!(
        "One template of {} bytes, {} values of {size} bytes in all",
        template.text.len(),
        slots.len(),
    );
    let markers: Vec<String> =
        Variable::ALL.iter().map(|variable| format!("{{{{{variable}}}}}")).collect();
    let mut group = Group::new(title, &output, |text| text == output);
    group.fresh("agentd", || template.render(black_box(&values)));
    group.reused("agentd (reused buffer)", String::as_bytes, |buffer: &mut String| {
        buffer.clear();
        template.render_into(black_box(&values), buffer);
    });
    group.fresh("str::replace, chained", || replaced(template.text, &markers, black_box(&slots)));
    compiled::add(&mut group, slots);
    interpreted::add(&mut group, slots);
    group.run();
}

/// Replaces one marker after the other, as is done where there is no engine.
fn replaced(text: &str, markers: &[String], slots: &Slots<'_>) -> String {
    let mut pairs = markers.iter().zip(slots);
    let first = pairs.next().map(|(marker, value)| text.replace(marker, value));
    pairs.fold(first.unwrap_or_default(), |text, (marker, value)| text.replace(marker, value))
}
