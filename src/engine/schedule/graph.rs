//! A schedule as a picture: in plain text, and as a Mermaid flowchart.

use super::lanes::{Lane, Schedule};
use crate::models::plan::Mode;

/// Draws the groups one below the other, with their lanes and what each needs.
pub fn text(schedule: &Schedule) -> String {
    let width = schedule.lanes().map(|lane| lane.index().to_string().len()).max().unwrap_or(0);
    let mut text = String::new();
    for (number, group) in schedule.groups().iter().enumerate() {
        if number > 0 {
            text.push_str("  |\n  v\n");
        }
        text.push_str(&format!("{} ({})\n", group.id(), group.mode()));
        for (place, lane) in group.lanes().iter().enumerate() {
            let mark = match group.mode() {
                Mode::Parallel => "=",
                Mode::Serial if place == 0 => "-",
                Mode::Serial => ">",
            };
            let needs: Vec<_> = lane.dependencies().iter().map(ToString::to_string).collect();
            let needs =
                if needs.is_empty() { String::new() } else { format!("  <- {}", needs.join(", ")) };
            text.push_str(&format!("  {mark} {:<width$}  {}{needs}\n", lane.index(), lane.name()));
        }
    }
    text
}

/// Draws a Mermaid flowchart: a subgraph for each group, arrows for the order, dotted ones for dependencies.
pub fn mermaid(schedule: &Schedule) -> String {
    let mut text = String::from("flowchart TD\n");
    for (number, group) in schedule.groups().iter().enumerate() {
        let title = escaped(&format!("{} ({})", group.id(), group.mode()));
        text.push_str(&format!("    subgraph group_{}[\"{title}\"]\n", number + 1));
        for lane in group.lanes() {
            let label = escaped(&format!("{}: {}", lane.index(), lane.name()));
            text.push_str(&format!("        {}[\"{label}\"]\n", lane.index()));
        }
        if group.mode() == Mode::Serial {
            for pair in group.lanes().windows(2) {
                text.push_str(&format!("        {} --> {}\n", pair[0].index(), pair[1].index()));
            }
        }
        text.push_str("    end\n");
    }
    for number in 1..schedule.groups().len() {
        text.push_str(&format!("    group_{number} --> group_{}\n", number + 1));
    }
    let arrow = |lane: &Lane| -> String {
        let needed = lane.dependencies().iter();
        needed.map(|needed| format!("    {needed} -.-> {}\n", lane.index())).collect()
    };
    text.extend(schedule.lanes().map(arrow));
    text
}

/// Writes a label so that nothing in it is an instruction to Mermaid: whatever is neither letter, digit nor plain
/// punctuation becomes the number of its character.
fn escaped(label: &str) -> String {
    let mut out = String::new();
    for character in label.chars() {
        match character {
            ' ' | '.' | ',' | ':' | '(' | ')' | '-' | '_' | '/' | '+' => out.push(character),
            character if character.is_alphanumeric() => out.push(character),
            character => out.push_str(&format!("#{};", u32::from(character))),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_label_can_end_it_or_mean_something() {
        assert_eq!(escaped("plan_1: Log in (2nd)"), "plan_1: Log in (2nd)");
        assert_eq!(escaped("\"] --> `x` <b>#1;"), "#34;#93; --#62; #96;x#96; #60;b#62;#35;1#59;");
        assert_eq!(escaped("é\u{202e}"), "é#8238;");
    }
}
