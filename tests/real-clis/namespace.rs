//! Goes where no CLI can reach anything but our own model servers: a network namespace with nothing but loopback, and
//! an empty environment.

use std::env;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// The word that tells the suite that it is inside.
pub(crate) const INSIDE: &str = "--inside";

/// The ways to bring the loopback interface up; the first that works does.
const LOOPBACK_UP: [&[&str]; 4] = [
    &["ip", "link", "set", "lo", "up"],
    &["ifconfig", "lo", "up"],
    // SIOCSIFFLAGS with IFF_UP and IFF_RUNNING.
    &[
        "perl",
        "-MSocket",
        "-e",
        "socket(S,AF_INET,SOCK_DGRAM,0);$r=pack('a16sx22','lo',65);ioctl(S,0x8914,$r)||exit 1",
    ],
    &[
        "python3",
        "-c",
        "import fcntl,socket,struct;fcntl.ioctl(socket.socket(2,2),0x8914,struct.pack('16sh22x',b'lo',65))",
    ],
];

/// Runs this very program again inside, with the same CLIs.
pub(crate) fn enter(clis: &Path, filter: &[String]) -> Result<ExitCode, String> {
    let own = env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let root = rustix::process::geteuid().is_root();
    let namespace: &[&str] = if root { &["--net"] } else { &["--map-root-user", "--net"] };
    let may = Command::new("unshare").args(namespace).arg("true").stderr(Stdio::null()).status();
    if !may.is_ok_and(|status| status.success()) {
        return Err("`unshare --net` is not allowed here".to_owned());
    }
    let status = Command::new("unshare")
        .args(namespace)
        .arg(own)
        .arg(INSIDE)
        .arg(clis)
        .args(filter)
        .env_clear()
        .env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
        .status()
        .map_err(|error| format!("cannot run `unshare`: {error}"))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Brings the loopback interface up, and makes sure that there is no way out.
pub(crate) fn prepare() -> Result<(), String> {
    // The kernel may put interfaces of its own into a new namespace, all of them down: what counts is the routes.
    let routes = std::fs::read_to_string("/proc/net/route").unwrap_or_default();
    if let Some(route) = routes.lines().nth(1) {
        return Err(format!("there is a way out of here: `{}`", route.trim()));
    }
    for words in LOOPBACK_UP {
        let _ = Command::new(words[0]).args(&words[1..]).stderr(Stdio::null()).status();
        if reaches_itself() {
            return Ok(());
        }
    }
    let tried = LOOPBACK_UP.map(|words| words[0]).join(", ");
    Err(format!("none of {tried} brings the loopback interface up"))
}

fn reaches_itself() -> bool {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let address = listener.as_ref().map(TcpListener::local_addr);
    matches!(address, Ok(Ok(address)) if TcpStream::connect(address).is_ok())
}
