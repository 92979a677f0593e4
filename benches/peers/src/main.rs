//! Measures agentd's templates and XML envelope beside other libraries, and prints tables.

mod allocations;
mod engines;
mod envelope;
mod group;
mod inputs;
mod measure;
mod syntax;
mod table;

fn main() {
    for size in [2_000, 64_000] {
        engines::compare(size);
    }
    envelope::compare();
}
