//! The engines that turn a template into code: sailfish, askama, and `format!`.

use std::hint::black_box;

use ::askama::Template as _;
use ::sailfish::Template as _;
use ::sailfish::runtime::Buffer;

use super::Slots;
use crate::group::Group;

include!(concat!(env!("OUT_DIR"), "/compiled.rs"));

/// Adds the engines that turn a template into code.
pub fn add<'v>(group: &mut Group<'v>, slots: Slots<'v>) {
    let sailfish = Sailfish::new(&slots);
    group.fresh("sailfish", move || black_box(&sailfish).render().expect("a rendered template"));
    let sailfish = Sailfish::new(&slots);
    group.reused(
        "sailfish (reused buffer)",
        |buffer: &Buffer| buffer.as_str().as_bytes(),
        move |buffer: &mut Buffer| {
            buffer.clear();
            black_box(&sailfish).render_to(buffer).expect("a rendered template");
        },
    );
    let askama = Askama::new(&slots);
    group.fresh("askama", move || black_box(&askama).render().expect("a rendered template"));
    group.fresh("format!", move || format_macro(black_box(&slots)));
}
