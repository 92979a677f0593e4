//! An agent that leaves anything but its documents in its outbox: nothing is followed, nothing of it is taken, and the next run
//! goes on.

use std::fs;

use super::scene::Scene;
use crate::project::AGENTD;

/// What an agent does to its outbox once it has written its plan, and the exit code of the run.
const ATTACKS: [(&str, i32); 13] = [
    ("rm -rf \"$O\"; ln -s ROOT/agentd/changes/add-login \"$O\"", 12),
    ("p=$(dirname \"$O\"); rm -rf \"$p\"; ln -s OUTSIDE \"$p\"", 12),
    ("rm -rf \"$O\"", 10),
    ("rm -rf \"$O\"; echo file >\"$O\"", 10),
    ("rm \"$O/proposal.md\"; ln -s OUTSIDE/secret \"$O/proposal.md\"", 12),
    ("rm \"$O/proposal.md\"; ln OUTSIDE/secret \"$O/proposal.md\"", 12),
    ("rm \"$O/proposal.md\"; mkfifo \"$O/proposal.md\"", 12),
    ("rm \"$O/proposal.md\"; mkdir \"$O/proposal.md\"", 12),
    ("rm -r \"$O/specs\"; ln -s OUTSIDE \"$O/specs\"", 12),
    ("truncate -s 2G \"$O/proposal.md\"", 11),
    ("truncate -s 2G \"$O/specs/large.md\"", 11),
    ("for i in $(seq 300); do echo x >\"$O/specs/s$i.md\"; done", 11),
    (
        "truncate -s 2G \"$O/nobody-asked.bin\"; ln -s OUTSIDE/secret \"$O/link\"; mkfifo \"$O/pipe\"",
        0,
    ),
];

#[test]
fn whatever_an_agent_makes_of_its_outbox_leads_nowhere_and_keeps_nobody_from_going_on() {
    for (attack, code) in ATTACKS {
        let scene = Scene::new();
        let outside = scene.home.path("outside");
        fs::create_dir(&outside).expect("made");
        fs::write(outside.join("secret"), "THE SECRET\n").expect("written");
        let steps = attack
            .replace("ROOT", &scene.home.root().to_string_lossy())
            .replace("OUTSIDE", &outside.to_string_lossy());
        let script = scene.home.path("evil.sh");
        let text = format!(
            "said=$({AGENTD} offline-agent --speak claude)\nO=$AGENTD_OUTBOX\n{steps}\nprintf '%s\\n' \"$said\"\n"
        );
        fs::write(&script, text).expect("written");
        let script = script.display().to_string();
        scene.config(&format!("[agents.evil]\ncli = \"claude\"\ncommand = [\"sh\", {script:?}]\n"));
        let ran = scene.run(&["--agent", "plan=evil", "--until", "plan"]).hides("THE SECRET");
        assert_eq!(ran.code, Some(code), "{attack}\n{}", ran.stderr);
        let left = fs::read_dir(&outside).expect("a folder").count();
        let secret = fs::read_to_string(outside.join("secret")).expect("text");
        assert_eq!((left, secret.as_str()), (1, "THE SECRET\n"), "{attack}");
        scene.run(&["--until", "challenge"]).exits(0).hides("THE SECRET");
        assert!(!scene.read("proposal.md").contains("SECRET"), "{attack}");
        for name in ["nobody-asked.bin", "link", "pipe"] {
            assert!(scene.change(name).symlink_metadata().is_err(), "{attack}: {name}");
        }
    }
}
