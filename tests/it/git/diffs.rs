//! What lies between two commits.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use agentd::engine::git::Stat;

use super::scene::{Scene, bytes, write};

#[test]
fn a_diff_leaves_out_whole_files_that_do_not_fit_and_names_them() {
    let scene = Scene::new();
    let (workspace, start) = scene.workspace();
    let at = |name: &[u8]| workspace.path().join(bytes(name));
    write(&at(b"a.txt"), "small\n");
    write(&at(b"b-\xff\nlong.txt"), "long line\n".repeat(10_000));
    write(&at(b"bytes.bin"), [0, 1, 2]);
    fs::remove_file(at(b"link")).unwrap();
    write(&at(b"link"), "now a file\n");
    write(&at(b"z.txt"), b"not \xff UTF-8\n");
    scene.git_in(workspace.path(), &["mv", "two\nlines", "moved"]);
    let end = workspace.commit(&start, "all").unwrap().0;
    let repository = scene.repository();

    let all = repository.diff(&start, &end, 1 << 20).unwrap();
    assert_eq!(all.left_out, Vec::<PathBuf>::new());
    assert!(all.text.contains("+not \u{fffd} UTF-8\n") && all.text.contains("rename to moved\n"));
    assert!(all.text.contains("Binary files a/bytes.bin and b/bytes.bin differ"));
    assert_eq!(all.text.matches("\n+long line").count(), 10_000);

    let some = repository.diff(&start, &end, 4000).unwrap();
    assert_eq!(some.left_out, [bytes(b"b-\xff\nlong.txt")]);
    assert!(some.text.len() <= 4000 && some.text.contains("+small") && some.text.contains("z.txt"));
    assert!(!some.text.contains("long"));

    let none = repository.diff(&start, &end, 10).unwrap();
    assert_eq!((none.text.as_str(), none.left_out.len()), ("", 6), "{:?}", none.left_out);
    assert_eq!(repository.diff(&start, &start, 10).unwrap().text, "");
}

#[test]
fn a_file_that_became_a_link_is_named_once() {
    let scene = Scene::new();
    let (workspace, start) = scene.workspace();
    fs::remove_file(workspace.path().join("src/main.rs")).unwrap();
    symlink("../link", workspace.path().join("src/main.rs")).unwrap();
    write(&workspace.path().join("zz"), "last\n");
    let end = workspace.commit(&start, "link").unwrap().0;
    let repository = scene.repository();
    let whole = repository.diff(&start, &end, 1 << 20).unwrap();
    assert_eq!(whole.text.matches("diff --git").count(), 3);
    let none = repository.diff(&start, &end, 0).unwrap();
    assert_eq!(none.left_out, ["src/main.rs", "zz"].map(PathBuf::from));
}

#[test]
fn a_stat_counts_files_and_lines() {
    let scene = Scene::new();
    let (workspace, start) = scene.workspace();
    write(&workspace.path().join("src/main.rs"), "one\ntwo\nthree\n");
    write(&workspace.path().join("12\t34\tname\n"), "x\n");
    write(&workspace.path().join("bytes.bin"), [0, 1]);
    scene.git_in(workspace.path(), &["mv", "two\nlines", "5\t6\tmoved"]);
    let end = workspace.commit(&start, "all").unwrap().0;
    let stat = scene.repository().stat(&start, &end).unwrap();
    assert_eq!((stat.files, stat.insertions, stat.deletions), (4, 4, 1));
    let sum = "4 files changed, 4 insertions(+), 1 deletion(-)";
    assert!(
        stat.text.contains("src/main.rs") && stat.text.trim_end().ends_with(sum),
        "{}",
        stat.text
    );
    assert_eq!(scene.repository().stat(&start, &start).unwrap(), Stat::default());
}
