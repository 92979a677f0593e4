//! The attacks in `tests/attacks`: one file each, for a shell or for Python. The first line says what it tries; at its end it prints
//! `held`, `skipped` and why, or `BROKEN` and what.

use super::scene::Scene;
use crate::project::AGENTD;
use crate::support::{files, install, read};

/// Returns the names of all attacks.
pub(super) fn corpus() -> Vec<String> {
    let paths = [files("tests/attacks", ".sh"), files("tests/attacks", ".py")].concat();
    let name = |path: String| path.trim_start_matches("tests/attacks/").to_owned();
    let mut names: Vec<_> = paths.into_iter().map(name).collect();
    names.sort();
    names
}

/// Puts attacks into a scene, and a script that runs them one after another. Its word says for whom it collects what they say.
pub(super) fn arm(scene: &Scene, attacks: &[String], victim: Option<u32>) -> String {
    for name in attacks {
        scene.write(&format!("attacks/{name}"), read(&format!("tests/attacks/{name}")));
    }
    let script = format!(
        "#!/bin/sh\nexport SCENE={} AGENTD={AGENTD} VICTIM={}\nTMPDIR=${{TMPDIR:-$SCENE/notes}}; export TMPDIR\n\
         for attack in {}; do\n  case $attack in *.py) with='python3 -IS';; *) with=sh;; esac\n  \
         timeout 20 $with \"$SCENE/attacks/$attack\" </dev/null >\"$TMPDIR/said\" 2>>\"$SCENE/notes/errors\"\n  \
         echo \"$attack $(cat \"$TMPDIR/said\")\" >>\"$SCENE/notes/$1\"\ndone\nrm \"$TMPDIR/said\"\n",
        scene.path("").display().to_string().trim_end_matches('/'),
        victim.map(|pid| pid.to_string()).unwrap_or_default(),
        attacks.join(" "),
    );
    install(&scene.path("attack"), script, 0o755);
    scene.path("attack").display().to_string()
}
