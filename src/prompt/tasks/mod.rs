//! The tasks of a change: read from `tasks.md`, shown to an agent, and ticked off. `scan` finds them in the
//! Markdown, `check` says what is wrong with them.

mod check;
mod scan;

use std::collections::HashSet;

#[cfg(feature = "cli")]
pub(crate) use scan::id_and_title;

use crate::models::task::{Task, TaskError};

/// Reads the tasks of a `tasks.md`, or says everything that is wrong with it, in the order of its lines.
///
/// ```
/// use agentd::prompt::tasks;
///
/// let text = "- [x] 1.1 Parse the flag\n- [ ] 1.2 Obey it\n  depends: 1.1\n  files: src/main.rs\n";
/// let tasks = tasks::read(text).unwrap();
/// assert_eq!(tasks[1].depends, ["1.1"]);
/// assert_eq!(tasks::open_tasks(&tasks), "- [ ] 1.2 Obey it\n  depends: 1.1\n  files: src/main.rs");
/// assert_eq!(tasks::tick(text, &["1.2"]), text.replace("[ ]", "[x]"));
/// assert_eq!(tasks::untick(text, &["1.1"]), text.replace("[x]", "[ ]"));
/// let errors = tasks::read("- 1.1 Parse the flag").unwrap_err();
/// assert!(errors[0].to_string().contains("has no checkbox"));
/// ```
pub fn read(text: &str) -> Result<Vec<Task>, Vec<TaskError>> {
    let scan = scan::scan(text);
    let errors = check::check(&scan);
    if errors.is_empty() { Ok(tasks_of(scan)) } else { Err(errors) }
}

/// Reads what can be read of a list of tasks, such as the open ones of a longer list.
#[cfg(feature = "cli")]
pub(crate) fn read_leniently(text: &str) -> Vec<Task> {
    let mut tasks = tasks_of(scan::scan(text));
    tasks.retain(|task| !task.id.is_empty());
    tasks
}

/// Lists the words beside each checkbox, done or not; such a task needs no id.
#[cfg(feature = "cli")]
pub(crate) fn titles(text: &str) -> Vec<String> {
    let heads = scan::scan(text).found.into_iter().map(|found| found.head);
    heads.filter(|head| !head.is_empty()).collect()
}

/// Lists the words beside each checkbox that is not ticked.
#[cfg(feature = "cli")]
pub(crate) fn open_titles(text: &str) -> Vec<String> {
    let open = scan::scan(text).found.into_iter().filter(|found| !found.task.done);
    open.map(|found| found.head).collect()
}

/// Returns how many tasks are open, or whatever else they are, and names them; a long list is cut.
///
/// ```text
/// 2 tasks are open: `Write the test`, `Write the script`
/// ```
#[cfg(feature = "cli")]
pub(crate) fn counted(titles: &[String], what: &str) -> String {
    const MOST: usize = 20;
    let shown: Vec<_> = titles.iter().take(MOST).map(|title| format!("`{title}`")).collect();
    let more = match titles.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let subject = if titles.len() == 1 { "task is" } else { "tasks are" };
    format!("{} {subject} {what}: {}{more}", titles.len(), shown.join(", "))
}

fn tasks_of(scan: scan::Scan) -> Vec<Task> {
    scan.found.into_iter().map(|found| found.task).collect()
}

/// Shows the tasks that are still open, for the variable `TASKS`.
pub fn open_tasks(tasks: &[Task]) -> String {
    let open: Vec<_> = tasks.iter().filter(|task| !task.done).map(show).collect();
    if open.is_empty() { "(every task is done)".to_owned() } else { open.join("\n") }
}

fn show(task: &Task) -> String {
    let fields = [
        ("depends", task.depends.join(", ")),
        ("files", task.files.join(", ")),
        ("requirements", task.requirements.join(", ")),
        ("check", task.check.clone().unwrap_or_default()),
    ];
    let mut text = format!("- [ ] {} {}", task.id, task.title);
    for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
        text.push_str(&format!("\n  {name}: {value}"));
    }
    text
}

/// Writes a list with one task, 1.1: the request in a line. A request that would make no task of Markdown is pointed to.
///
/// ```
/// use agentd::prompt::tasks;
///
/// assert_eq!(tasks::of_request("Fix the\ntypo"), "# Tasks\n\n- [ ] 1.1 Fix the typo\n");
/// assert_eq!(tasks::read(&tasks::of_request("```")).unwrap().len(), 1);
/// ```
pub fn of_request(request: &str) -> String {
    const LONGEST: usize = 200;
    let list = |title: &str| format!("# Tasks\n\n- [ ] 1.1 {title}\n");
    let mut title = request.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = title.char_indices().nth(LONGEST) {
        title.truncate(end);
        title.push('…');
    }
    let text = list(&title);
    let is_task = |tasks: &[Task]| matches!(tasks, [task] if task.id == "1.1" && !task.done);
    let is_read = read(&text).is_ok_and(|tasks| is_task(&tasks));
    if is_read { text } else { list("Do what the request asks for") }
}

/// Ticks the checkboxes of these tasks; not a byte changes elsewhere.
pub fn tick(text: &str, ids: &[impl AsRef<str>]) -> String {
    marked(text, 'x', is_one_of(ids))
}

/// Opens the checkboxes of these tasks again; not a byte changes elsewhere.
pub fn untick(text: &str, ids: &[impl AsRef<str>]) -> String {
    marked(text, ' ', is_one_of(ids))
}

/// Opens every checkbox again; not a byte changes elsewhere.
#[cfg(feature = "cli")]
pub(crate) fn untick_all(text: &str) -> String {
    marked(text, ' ', |_| true)
}

fn is_one_of(ids: &[impl AsRef<str>]) -> impl Fn(&Task) -> bool {
    let ids: HashSet<&str> = ids.iter().map(AsRef::as_ref).collect();
    move |task| ids.contains(task.id.as_str())
}

fn marked(text: &str, mark: char, is_meant: impl Fn(&Task) -> bool) -> String {
    let mut marked = String::with_capacity(text.len());
    let mut copied = 0;
    for found in scan::scan(text).found {
        let is_so = found.task.done == (mark == 'x');
        if !is_so && is_meant(&found.task) {
            marked.push_str(&text[copied..found.checkbox]);
            marked.push(mark);
            copied = found.checkbox + 1;
        }
    }
    marked.push_str(&text[copied..]);
    marked
}
