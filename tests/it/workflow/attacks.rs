//! The attacks in `tests/attacks`: an agent runs them before its work, and a check of the same change does. Each says of itself
//! whether it has come through, and the change ends as if they had not been.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use agentd::process::{Support, support};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::corpus::{arm, corpus};
use super::scene::{ID, Scene};
use crate::project::{AGENTD, ran};
use crate::support::{install, read, skipped};

/// A change that waits for the user's word while the other is worked on.
const WAITING: &str = "add-cart";
/// How the second line of an attack begins that harms nothing but its scene where nothing confines it.
const SAFE: &str = "# unconfined: safe";

/// What nobody but the user may read, below the scene's folder.
const SECRETS: &[&str] = &[
    "home/.ssh/id_ed25519",
    "home/.netrc",
    "home/.git-credentials",
    "home/.config/gh/hosts.yml",
    "home/.npmrc",
    "home/.gnupg/key",
    "home/.kube/config",
    "home/.docker/config.json",
    "home/.bash_history",
    "home/.mozilla/cookies",
    "home/.config/google-chrome/Cookies",
    "home/.cargo/credentials.toml",
    "home/.pgpass",
    "home/.codex/auth.json",
    "home/.gemini/oauth_creds.json",
    "home/.copilot/config.json",
    "home/dotfiles/aws",
    "elsewhere/gnupg/key",
    "elsewhere/kube-config",
    "elsewhere/netrc",
    "elsewhere/aws-credentials",
    "elsewhere/docker/config.json",
    "elsewhere/npmrc",
];

/// The variables that say where some of them are.
const VARIABLES: [(&str, &str); 6] = [
    ("GNUPGHOME", "elsewhere/gnupg"),
    ("KUBECONFIG", "elsewhere/kube-config"),
    ("NETRC", "elsewhere/netrc"),
    ("AWS_SHARED_CREDENTIALS_FILE", "elsewhere/aws-credentials"),
    ("DOCKER_CONFIG", "elsewhere/docker"),
    ("NPM_CONFIG_USERCONFIG", "elsewhere/npmrc"),
];

/// Programs of the user that have nothing to do with agentd, and what they would notice.
struct Bystanders {
    victim: Child,
    tmux: Option<Command>,
    terminal: OwnedFd,
    streams: [UnixListener; 2],
    datagrams: [UnixDatagram; 2],
    network: TcpListener,
}

impl Bystanders {
    fn beside(scene: &Scene) -> Self {
        let key = fs::File::open(scene.path(SECRETS[0])).expect("a secret");
        let victim = Command::new("sleep").arg("600").env("KEY", "s3cret").stdin(key).spawn();
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&terminal).and_then(|()| unlockpt(&terminal)).expect("a terminal");
        let name = ptsname(&terminal, Vec::new()).expect("its name");
        symlink(name.to_str().expect("text"), scene.path("terminal")).expect("a link");
        let named = |name: &str| {
            let name = format!("{}{name}", scene.path("").display());
            SocketAddr::from_abstract_name(name).expect("a name")
        };
        let streams = [
            UnixListener::bind(scene.path("socket")).expect("a socket"),
            UnixListener::bind_addr(&named("abstract")).expect("a socket"),
        ];
        let datagrams = [
            UnixDatagram::bind(scene.path("datagrams")).expect("a socket"),
            UnixDatagram::bind_addr(&named("abstract-datagrams")).expect("a socket"),
        ];
        let network = TcpListener::bind("127.0.0.1:0").expect("a port");
        scene.write("port", network.local_addr().expect("a port").port().to_string());
        let tmux = |words: &[&str]| {
            let mut tmux = scene.command("tmux", &[&["-L", "agentd"], words].concat());
            // Its processes are not those that the test looks for.
            tmux.current_dir("/").env("TMUX_TMPDIR", scene.path("")).env("LC_ALL", "C.UTF-8");
            tmux
        };
        let is_up = tmux(&["new-session", "-d", "exec sleep 600"]).status();
        let tmux = is_up.is_ok_and(|it| it.success()).then(|| tmux(&["kill-server"]));
        let victim = victim.expect("sleep runs");
        Self { victim, tmux, terminal, streams, datagrams, network }
    }

    /// Says what somebody did to them.
    fn noticed(&mut self) -> Vec<&'static str> {
        let mut noticed = Vec::new();
        if !matches!(self.victim.try_wait(), Ok(None)) {
            noticed.push("an unrelated process has ended");
        }
        for listener in &self.streams {
            listener.set_nonblocking(true).expect("a mode");
            noticed.extend(listener.accept().is_ok().then_some("somebody connected to a socket"));
        }
        for socket in &self.datagrams {
            socket.set_nonblocking(true).expect("a mode");
            noticed.extend(socket.recv(&mut [0; 8]).is_ok().then_some("a socket got a message"));
        }
        self.network.set_nonblocking(true).expect("a mode");
        noticed.extend(self.network.accept().is_ok().then_some("somebody used the network"));
        noticed
    }
}

impl Drop for Bystanders {
    fn drop(&mut self) {
        let _ = self.victim.kill().and_then(|()| self.victim.wait());
        let _ = self.tmux.as_mut().map(Command::status);
        let _ = &self.terminal;
    }
}

/// A scene with secrets, bystanders and a change that waits, whose coder and checks attack before they do their work.
fn scene(attacks: &[String]) -> (Scene, Bystanders) {
    let scene = Scene::new();
    for path in SECRETS {
        scene.write(path, "s3cret");
    }
    for folder in ["home/.aws", "home/.claude"] {
        fs::create_dir_all(scene.path(folder)).expect("a folder");
    }
    symlink("../dotfiles/aws", scene.path("home/.aws/credentials")).expect("a link");
    scene.write("opened", "");
    let waiting = ["run", WAITING, "Add a cart", "--agent", "offline", "--flow", "quick"];
    ran(&mut scene.agentd(&[&waiting[..], &["--pause", "implement"]].concat())).exits(0);
    let bystanders = Bystanders::beside(&scene);
    let attack = arm(&scene, attacks, Some(bystanders.victim.id()));
    let agent =
        format!("#!/bin/sh\n'{attack}' agent\nexec {AGENTD} offline-agent --speak claude\n");
    install(&scene.path("hostile"), agent, 0o755);
    let hostile = scene.path("hostile").display().to_string();
    let config = scene.read("user.toml").replace("[sandbox]", "[sandbox]\ncheck_network = \"off\"");
    // Once is enough, and then where an agent has been.
    let notes = scene.path("notes").display().to_string();
    let check = format!("test ! -e {notes}/agent || test -e {notes}/check || '{attack}' check");
    let config = config.replace("commands = [", &format!("commands = [{check:?}, "));
    let agent = format!("\n[agents.hostile]\ncli = \"claude\"\ncommand = [{hostile:?}]\n");
    scene.write("user.toml", config + &agent);
    (scene, bystanders)
}

/// Sets up the change, from a shell that has files open and looks for programs in odd places.
fn attacked(scene: &Scene) -> Command {
    let script = "exec 7<home/.ssh/id_ed25519 8>>opened; cd repo; exec \"$0\" \"$@\"";
    let words = ["run", ID, "Add a login page", "--flow", "quick", "--agent", "offline"];
    let words = [&["-c", script, AGENTD], &words[..], &["--agent", "implement=hostile"]].concat();
    let mut shell = scene.command("sh", &words);
    let path = std::env::var("PATH").expect("a PATH");
    shell.current_dir(scene.path("")).env("LD_LIBRARY_PATH", ":/opt/none");
    shell.env("PATH", format!(":./node_modules/.bin:{path}"));
    shell.envs(VARIABLES.map(|(name, path)| (name, scene.path(path))));
    shell
}

/// Returns whether an attack harms nothing but its scene where nothing confines it.
pub(super) fn is_safe(name: &str) -> bool {
    read(&format!("tests/attacks/{name}")).lines().nth(1) == Some(SAFE)
}

/// Reads what the attacks said that were run for somebody, each as often as it was run.
pub(super) fn said(scene: &Scene, whom: &str) -> BTreeMap<String, Vec<String>> {
    let mut said = BTreeMap::<_, Vec<_>>::new();
    let text = fs::read_to_string(scene.path("notes").join(whom)).unwrap_or_default();
    for line in text.lines() {
        let (name, words) = line.split_once(' ').unwrap_or((line, ""));
        said.entry(name.to_owned()).or_default().push(words.to_owned());
    }
    said
}

/// Reads a file, or all below a folder but for workspaces.
fn tree(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut seen = BTreeMap::from([(path.to_owned(), fs::read(path).unwrap_or_default())]);
    if path.is_dir() && !path.is_symlink() && !path.ends_with("workspaces") {
        let entries = fs::read_dir(path).expect("a folder");
        seen.extend(entries.flat_map(|entry| tree(&entry.expect("an entry").path())));
    }
    seen
}

/// Lists how often each daemon has written that it lives.
fn beats(scene: &Scene) -> BTreeMap<PathBuf, Vec<u8>> {
    let is_beat = |path: &Path| path.display().to_string().contains("/notes/beat-");
    tree(&scene.path("notes")).into_iter().filter(|(path, _)| is_beat(path)).collect()
}

#[test]
fn no_attack_of_an_agent_or_a_check_comes_through() {
    if support() != Support::Full {
        skipped(support().describe());
        return;
    }
    let names = corpus();
    let (scene, mut bystanders) = scene(&names);
    let waiting = scene.path("repo/.git/agentd/changes").join(WAITING);
    let kept = ["home", "state", "elsewhere", "user.toml", "opened"].map(|path| scene.path(path));
    let own =
        || kept.iter().chain([&waiting]).flat_map(|path| tree(path)).collect::<BTreeMap<_, _>>();
    let (checkout, before) = (scene.checkout(), own());
    let run = ran(&mut attacked(&scene));
    assert_eq!(scene.processes(), Vec::<String>::new(), "nobody survives");
    let living = beats(&scene);
    let reports = ["agent", "check"].map(|whom| (whom, said(&scene, whom)));
    let mut wrong = Vec::new();
    for (whom, said) in &reports {
        wrong.extend(
            names
                .iter()
                .filter(|name| !said.contains_key(*name))
                .map(|name| format!("{whom}: {name} said nothing")),
        );
        for (name, words) in said {
            let is_well = |it: &&String| *it == "held" || it.starts_with("skipped ");
            wrong.extend(
                words.iter().filter(|it| !is_well(it)).map(|it| format!("{whom}: {name} {it}")),
            );
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "{}", scene.read("notes/errors"));
    run.exits(0);
    assert_eq!(bystanders.noticed(), Vec::<&str>::new());
    assert_eq!(scene.checkout(), checkout, "the user's checkout and branches");
    let after = own();
    let paths: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let changed: Vec<_> =
        paths.into_iter().filter(|path| before.get(*path) != after.get(*path)).collect();
    assert_eq!(changed, Vec::<&PathBuf>::new(), "what is the user's, and agentd's own");
    assert!(!scene.path("ran-outside").exists(), "a program of a workspace ran outside");
    let history = scene.history().join("\n");
    assert!(!history.contains("approved"), "{history}");
    let branches = scene.git(&["branch", "--format=%(refname:short)"]);
    assert_eq!(branches, format!("agentd/{WAITING}\nagentd/{ID}\nmain\n"));
    scene.git(&["fsck", "--no-progress"]);
    assert_eq!(beats(&scene), living, "a daemon lives");
    let is_skipped = |name: &&String| {
        let said = reports.iter().filter_map(|(_, said)| said[*name].first());
        said.into_iter().all(|words| words != "held")
    };
    for name in names.iter().filter(is_skipped) {
        skipped(&format!("the attack {name}: {}", reports[1].1[name][0]));
    }
}

#[test]
fn many_attacks_come_through_where_nothing_confines_them() {
    let names: Vec<_> = corpus().into_iter().filter(|name| is_safe(name)).collect();
    let (scene, _bystanders) = scene(&names);
    ran(attacked(&scene).env("AGENTD_SANDBOX", "off"));
    let all = ["agent", "check"].map(|whom| said(&scene, whom));
    let is_broken = |words: &&String| words.starts_with("BROKEN ");
    let broken = |name: &&String| {
        all.iter().filter_map(|said| said.get(*name)).flatten().any(|it| is_broken(&it))
    };
    let (broken, held): (Vec<_>, Vec<_>) = names.iter().partition(broken);
    assert!(broken.len() >= 30, "only {broken:?} came through, and not {held:?}");
}
