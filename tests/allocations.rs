//! Counts allocations: a rendered prompt costs one, a reused buffer none, a document one.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use agentd::catalog::CATALOG;
use agentd::models::prompt::UnifiedPrompt;
use agentd::{Agent, Phase, Values, Variable};

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

#[expect(
    unsafe_code,
    reason = "a global allocator is an unsafe trait; this one only counts and passes on"
)]
// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Counts the allocations that `action` makes.
fn allocations<T>(action: impl FnOnce() -> T) -> usize {
    let before = COUNT.get();
    let result = black_box(action());
    let after = COUNT.get();
    drop(result);
    after - before
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| 1), 0);
    assert_eq!(allocations(|| String::from("x")), 1);
    assert_eq!(allocations(|| (String::from("x"), vec![1])), 2);
}

#[test]
fn rendering_allocates_once_and_not_at_all_into_a_reused_buffer() {
    let value = "value ".repeat(100);
    let all =
        Variable::ALL.iter().fold(Values::new(), |values, variable| values.with(*variable, &value));
    for values in [Values::new(), all] {
        for template in CATALOG.templates {
            assert_eq!(allocations(|| template.render(&values)), 1, "{}", template.file);
            let mut buffer = template.render(&values);
            assert_eq!(buffer.capacity(), buffer.len(), "{}: the size is not exact", template.file);
            let reused = allocations(|| {
                buffer.clear();
                template.render_into(&values, &mut buffer);
            });
            assert_eq!(reused, 0, "{}", template.file);
        }
    }
}

#[test]
fn looking_up_a_template_does_not_allocate() {
    assert_eq!(allocations(|| CATALOG.system(Agent::Gemini, Phase::Archive)), 0);
    assert_eq!(allocations(|| CATALOG.find("GEMINI", "archive")), 0);
}

#[test]
fn a_document_of_source_files_allocates_once() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/src/");
    let files =
        ["lib.rs", "catalog.rs", "template/lexer.rs", "template/parser.rs", "models/prompt.rs"];
    let system = CATALOG.system(Agent::Claude, Phase::Review).render(&Values::new());
    let mut prompt = UnifiedPrompt::new("Look for <b>mistakes</b>").with_system_prompt(system);
    for file in files.iter().cycle().take(20) {
        let text = std::fs::read_to_string(format!("{root}{file}")).expect("a source file");
        prompt = prompt.with_file(*file, text);
    }
    assert_eq!(allocations(|| prompt.to_xml()), 1);
}

#[test]
fn streaming_a_document_does_not_allocate() {
    let prompt = UnifiedPrompt::new("a < b").with_file("x & y", "<file> ]]> & text");
    assert_eq!(allocations(|| prompt.write_xml(std::io::sink()).expect("written")), 0);
}
