//! Counts allocations: the system's allocator with a counter in front.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static COUNT: AtomicU64 = AtomicU64::new(0);

struct Counting;

impl Counting {
    /// Counts one allocation. There is one thread, so a plain load and store will do; an atomic addition
    /// would cost each engine more time the more it allocates.
    fn add_one() {
        COUNT.store(COUNT.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }
}

#[expect(unsafe_code, reason = "an allocator cannot be written without")]
// SAFETY: every call is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::add_one();
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::add_one();
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::add_one();
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Gives how many allocations and reallocations there were so far.
pub fn count() -> u64 {
    COUNT.load(Ordering::Relaxed)
}
