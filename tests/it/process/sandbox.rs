//! What the kernel keeps a confined program from: writing, reading, signals and looking into other processes.

use std::fs;

use agentd::models::run::End;
use agentd::process::{Support, support};
use rustix::thread::{
    CapabilitySet, capabilities, configure_capability_in_ambient_set,
    remove_capability_from_bounding_set, set_capabilities,
};

use super::scene::Scene;
use crate::support::skipped;

/// Returns whether this kernel can confine programs; the tests have nothing to show without.
fn is_there() -> bool {
    let is_there = support() == Support::Full;
    if !is_there {
        skipped(support().describe());
    }
    is_there
}

/// Runs a script that says `NAME ok` or `NAME no` of each thing that it tries.
fn tried(script: &str) -> (Scene, Vec<String>) {
    let scene = Scene::of(&format!("try() {{ name=$1; shift; if \"$@\" 2>/dev/null; then echo \"$name ok\"; else echo \"$name no\"; fi; }}\n{script}"))
        .confined(&["work"], &["secret"]);
    fs::write(scene.path("plain"), "old\n").expect("a file");
    fs::write(scene.path("secret/key"), "s3cret").expect("a file");
    let outcome = scene.run();
    assert_eq!(outcome.record().end, End::Exited { code: 0 });
    (scene, outcome.lines)
}

#[test]
fn a_confined_program_writes_where_it_may_and_nowhere_else() {
    if !is_there() {
        return;
    }
    let (scene, lines) = tried(
        "w() { echo new > \"$1\"; }\n\
         try workspace w work/file; try temporary w \"$TMPDIR/file\"; try null w /dev/null\n\
         try beside w beside; try over w plain; try remove rm plain; try rename mv plain work/plain\n\
         try link ln plain work/hard; try into sh -c 'ln -s ../plain work/soft && echo new > work/soft'\n\
         try mode_of_run w runs/001-plan/end.json; try folder mkdir other\n\
         try child sh -c 'setsid sh -c \"echo new > beside\"'",
    );
    let expected = [
        "workspace ok",
        "temporary ok",
        "null ok",
        "beside no",
        "over no",
        "remove no",
        "rename no",
        "link no",
        "into no",
        "mode_of_run no",
        "folder no",
        "child no",
    ];
    assert_eq!(lines, expected);
    assert_eq!(fs::read_to_string(scene.path("plain")).unwrap(), "old\n");
    assert_eq!(fs::read_dir(scene.path("tmp")).unwrap().count(), 0, "temporary files are gone");
}

#[test]
fn a_confined_program_reads_all_but_what_is_hidden_also_by_links() {
    if !is_there() {
        return;
    }
    let (_, lines) = tried(
        "ln -s ../secret/key work/link\n\
         try plain cat plain; try system test -s /etc/passwd; try hidden cat secret/key; try link cat work/link\n\
         try absolute cat \"$PWD/secret/key\"; try proc cat \"/proc/self/cwd/secret/key\"; try list ls secret",
    );
    let read: Vec<_> =
        lines.iter().filter(|line| line.ends_with(" ok") || line.ends_with(" no")).collect();
    assert_eq!(
        read,
        ["plain ok", "system ok", "hidden no", "link no", "absolute no", "proc no", "list ok"]
    );
    assert!(lines.iter().all(|line| !line.contains("s3cret")), "{lines:?}");
}

#[test]
fn a_confined_program_can_neither_signal_nor_look_into_guard_and_agentd() {
    if !is_there() {
        return;
    }
    let (_, lines) = tried(
        "guard=$PPID; agentd=$(cut -d' ' -f4 /proc/$guard/stat)\n\
         for one in $guard $agentd; do for signal in 0 STOP KILL TERM CONT; do try $signal kill -$signal $one; done; done\n\
         r() { head -c1 \"$1\" > \"$TMPDIR/read\" && test -s \"$TMPDIR/read\"; }\n\
         for one in $guard $agentd; do try environ r /proc/$one/environ; try memory r /proc/$one/mem; try files readlink /proc/$one/fd/0; done\n\
         try group kill -STOP -$guard; try mount unshare -m true; try namespace unshare -Ur true",
    );
    let refused = lines.iter().filter(|line| line.ends_with(" no")).count();
    let allowed: Vec<_> = lines.iter().filter(|line| line.ends_with(" ok")).collect();
    // A namespace of its own gives it nothing: what it may write stays the same.
    assert!(
        allowed.iter().all(|line| ["namespace ok", "mount ok"].contains(&line.as_str())),
        "{lines:?}"
    );
    assert!(refused >= 17, "{lines:?}");
}

/// Runs an agent whose agentd was started with other rights: what is done to this thread is done to the guard that it starts.
fn run_after(scene: &Scene, prepare: impl FnOnce() + Send) -> crate::process::scene::Outcome {
    std::thread::scope(|threads| {
        let run = threads.spawn(|| {
            prepare();
            scene.run()
        });
        run.join().expect("it does not panic")
    })
}

#[test]
fn a_confined_program_keeps_no_right_that_agentd_was_given_to_pass_on() {
    if !is_there() || !rustix::process::geteuid().is_root() {
        return;
    }
    let given = CapabilitySet::SYS_ADMIN | CapabilitySet::MKNOD | CapabilitySet::SYS_PTRACE;
    let scene = Scene::of("sed -n 's/^Cap//p' /proc/self/status").confined(&["work"], &[]);
    let outcome = run_after(&scene, || {
        let mut sets = capabilities(None).unwrap();
        sets.inheritable |= given;
        set_capabilities(None, sets).unwrap();
        for one in given.iter() {
            configure_capability_in_ambient_set(one, true).unwrap();
        }
    });
    assert_eq!(outcome.lines.len(), 5, "{:?}", outcome.lines);
    for line in &outcome.lines {
        let set = u64::from_str_radix(line.split_whitespace().last().unwrap(), 16).unwrap();
        let kept = CapabilitySet::from_bits_retain(set) & given;
        assert!(kept.is_empty(), "{line}: {kept:?}");
    }
}

#[test]
fn a_sandbox_that_cannot_take_rights_away_is_none_that_is_required() {
    if !is_there() || !rustix::process::geteuid().is_root() {
        return;
    }
    let run = |is_required: bool| {
        let mut scene = Scene::of("echo up").confined(&["work"], &[]);
        scene.grant.as_mut().expect("a grant").is_required = is_required;
        // Without this right nobody gives up others.
        let prepare = || remove_capability_from_bounding_set(CapabilitySet::SETPCAP).unwrap();
        run_after(&scene, prepare)
    };
    let refused = run(true);
    let End::NotExecutable { reason } = &refused.record().end else { panic!("it ran") };
    assert!(reason.contains("required") && reason.contains("rights of root"), "{reason}");
    assert_eq!(run(false).lines, ["up"]);
}

#[test]
fn a_confined_program_sets_no_limits_but_its_own_and_uses_no_keys_of_the_kernel() {
    if !is_there() {
        return;
    }
    let keyctl = if cfg!(target_arch = "x86_64") { 250 } else { 219 };
    let (_, lines) = tried(&format!(
        "guard=$PPID; agentd=$(cut -d' ' -f4 /proc/$guard/stat)\n\
         for one in $guard $agentd; do try other prlimit --pid $one --nofile=0:0; try other prlimit --pid $one --fsize=0; done\n\
         try own sh -c 'ulimit -n 100'; try read prlimit --pid $guard --nofile\n\
         try keys python3 -c 'import ctypes, sys; libc = ctypes.CDLL(None, use_errno=True); sys.exit(libc.syscall({keyctl}, 0, -3, 0) < 0)'",
    ));
    let results: Vec<_> =
        lines.iter().filter(|line| line.ends_with(" ok") || line.ends_with(" no")).collect();
    let others = ["other no"; 4];
    assert_eq!(results, [&others[..], &["own ok", "read ok", "keys no"]].concat());
}

#[test]
fn a_confined_program_reaches_no_other_through_a_socket_unless_it_may() {
    if !is_there() {
        return;
    }
    let scene = Scene::of("true");
    let listener = std::os::unix::net::UnixListener::bind(scene.path("socket")).unwrap();
    let connect = format!(
        "import socket, sys\na, b = socket.socketpair()\ntry:\n  s = socket.socket(socket.AF_UNIX)\n  s.connect('{}')\n  print('connected')\n\
         except PermissionError:\n  print('refused')",
        scene.path("socket").display()
    );
    for (sockets, said) in [(true, "connected"), (false, "refused")] {
        let mut scene = Scene::program("python3", &["-c", &connect]).confined(&["work"], &[]);
        scene.grant.as_mut().expect("a grant").sockets = sockets;
        assert_eq!(scene.run().lines, [said], "{sockets}");
    }
    drop(listener);
}

#[test]
fn a_confined_program_uses_no_terminal_and_no_disk_of_others() {
    if !is_there() {
        return;
    }
    let terminal = rustix::pty::openpt(rustix::pty::OpenptFlags::RDWR).unwrap();
    rustix::pty::grantpt(&terminal).and_then(|()| rustix::pty::unlockpt(&terminal)).unwrap();
    let name = rustix::pty::ptsname(&terminal, Vec::new()).unwrap();
    let name = name.to_str().unwrap();
    let (_, lines) = tried(&format!(
        "try read sh -c ': <{name}'; try write sh -c ': >{name}'; try stop stty -F {name} -ixon\n\
         try null sh -c ': </dev/null >/dev/null'; try random head -c1 /dev/urandom\n\
         for disk in /dev/[sv]d? /dev/loop0; do [ ! -b $disk ] || head -c1 $disk && echo disk; done; true",
    ));
    assert_eq!(lines[..4], ["read no", "write no", "stop no", "null ok"]);
    assert!(lines[4].ends_with("random ok") && lines.len() == 5, "{lines:?}");
}

#[test]
fn a_confined_program_opens_no_connection_where_that_is_switched_off() {
    if !is_there() {
        return;
    }
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let connect = format!("(exec 3<>/dev/tcp/127.0.0.1/{port}) && echo connected || echo refused");
    for (network, said) in [(true, "connected"), (false, "refused")] {
        let mut scene = Scene::program("bash", &["-c", &connect]).confined(&["work"], &[]);
        scene.grant.as_mut().expect("a grant").network = network;
        assert_eq!(scene.run().lines, [said], "{network}");
    }
}

#[test]
fn a_program_that_is_not_there_is_told_apart_also_when_it_is_confined() {
    let mut scene = Scene::program("agentd-no-such-program", &[]).confined(&["work"], &[]);
    scene.grant.as_mut().expect("a grant").is_required = false;
    assert_eq!(scene.run().record().end, End::NotFound);
}
