//! Prints what was measured as a table.

use crate::group::UNIT;
use crate::measure::Measured;

/// Prints a group, the fastest first, with an arrow at agentd.
pub fn print(title: &str, mut group: Vec<Measured>) {
    let unit = group.iter().find(|case| case.name == UNIT).expect("every group has the unit");
    let unit = unit.nanoseconds;
    group.sort_by(|left, right| left.nanoseconds.total_cmp(&right.nanoseconds));
    println!("{title}\n");
    println!("   {:<26} {:>10} {:>8} {:>12}", "", "median", "ratio", "allocations");
    for Measured { name, nanoseconds, allocations } in group {
        let mark = if name.starts_with("agentd") { "->" } else { "" };
        let (time, ratio) = (time(nanoseconds), nanoseconds / unit);
        println!("{mark:<2} {name:<26} {time:>10} {ratio:>8.2} {allocations:>12}");
    }
    println!();
}

fn time(nanoseconds: f64) -> String {
    if nanoseconds < 10_000.0 {
        format!("{nanoseconds:.0} ns")
    } else {
        format!("{:.1} µs", nanoseconds / 1000.0)
    }
}
