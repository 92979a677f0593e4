//! The system itself is asked what agentd does: what has its name, or is acknowledged, was brought onto the disk before.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use crate::project::{AGENTD, ran};
use crate::workflow::scene::Scene;

#[test]
fn what_is_acknowledged_was_brought_onto_the_disk_first() {
    let tracer = Command::new("strace").arg("-V").stdout(Stdio::null()).status();
    if !tracer.is_ok_and(|status| status.success()) {
        println!("SKIPPED: 1 test, for `strace` is not there to tell what reaches the disk");
        return;
    }
    let scene = Scene::new();
    let calls = scene.path("calls").display().to_string();
    let traced = "trace=fsync,fdatasync,rename,renameat,renameat2,linkat";
    let mut words = vec!["-f", "-y", "-o", &calls, "-e", traced, AGENTD];
    words.extend([
        "run",
        "add-login",
        "Add a login page",
        "--agent",
        "offline",
        "--until",
        "challenge",
    ]);
    ran(&mut scene.command("strace", &words)).exits(0);

    // Which files were brought onto the disk since they last had a name given.
    let mut synced: BTreeMap<String, usize> = BTreeMap::new();
    let (mut journal, mut named) = (0, 0);
    for line in scene.read("calls").lines() {
        let quoted: Vec<_> = line.split('"').skip(1).step_by(2).collect();
        if line.contains("fdatasync(") && line.contains("/journal.jsonl>") {
            journal += 1;
        } else if line.contains("fsync(") {
            let path = line.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
            *synced.entry(path.map_or("", |(path, _)| path).to_owned()).or_default() += 1;
        } else if let [from, to] = quoted[..]
            && to.contains("/agentd/changes/")
            && !to.ends_with("/.before")
            && line.contains("rename")
        {
            named += 1;
            // A folder has its files brought onto the disk one by one.
            let is_synced = synced.keys().any(|path| path == from || path.ends_with(from));
            assert!(is_synced, "`{to}` got its name before its bytes were on the disk");
        }
    }
    assert_eq!(journal, scene.entries(), "one for each entry of the journal");
    assert!(named > 20, "only {named} files got their names");
}
