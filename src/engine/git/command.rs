//! Running git, so that nothing of the repository's runs with it and nothing waits for a person.
//!
//! What remains are the content filters and merge drivers of the user's own configuration (`filter.*`, `merge.*`):
//! a repository's attributes can name them, but no clone can bring their commands along, and without them a checkout
//! would hold other bytes than the user's (Git LFS, say). An agent that may run commands can write them into `.git/config`.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufReader, Read as _, Write as _};
use std::os::fd::{AsFd as _, AsRawFd as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::author::{AGENTD, Author};
use super::error::GitError;
use super::lock::Lock;
use super::running::{Answer, Running};
use crate::files::own::Folder;
use crate::process::{Haste, Hold};

/// How much is read of a list or an answer that git prints.
const LARGEST_OUTPUT: u64 = 64 << 20;
/// How long a call may take: longer than the checkout of any repository, and not for ever.
const TIME_LIMIT: Duration = Duration::from_mins(30);

/// How long git may do nothing in a folder that others may fill with pipes. It never waits there for a person or for us.
const PATIENCE: Duration = Duration::from_secs(20);

/// What stands above every configuration of the user's.
const SETTINGS: [(&str, &str); 11] = [
    // No hook is found below a file.
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("commit.gpgSign", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("submodule.recurse", "false"),
    // What is to be committed is committed as a whole, whatever its line ends.
    ("add.ignoreErrors", "false"),
    ("core.safecrlf", "false"),
    // What the journal tells of is on the disk: git itself leaves single objects to the system, and those that are there
    // already as they are, so that whoever writes one first must see to it.
    ("core.fsync", "committed"),
    // Larger files are shown and compared as binary ones, which takes no memory. No agent's file is as large, unless the user
    // permits it.
    ("core.bigFileThreshold", "128m"),
    // An identity is configured or it is ours; it is never guessed from the machine's name.
    ("user.useConfigOnly", "true"),
];

/// The events of hooks, which newer versions of git also take from the configuration and turn off one by one.
const EVENTS: [&str; 11] = [
    "commit-msg",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "reference-transaction",
];

/// The variables that git reads, as we want them.
const VARIABLES: [(&str, &str); 15] = [
    ("LC_ALL", "C"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_EDITOR", ":"),
    ("GIT_SEQUENCE_EDITOR", ":"),
    ("GIT_MERGE_AUTOEDIT", "no"),
    // Nothing is fetched: not even what a partial clone lacks, since that would run `core.sshCommand`.
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_COMMITTER_NAME", AGENTD.0),
    ("GIT_COMMITTER_EMAIL", AGENTD.1),
    ("GIT_ADVICE", "0"),
    // A commit is what its name says, whatever replace refs and grafts want to show in its place.
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_GRAFT_FILE", "/dev/null"),
    ("GIT_LITERAL_PATHSPECS", "1"),
];

/// The user's variables for git that say who the user is and where git is, not what it is to work on.
const KEPT: [&str; 7] = [
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_EXEC_PATH",
];

/// The program `git`, and the environment that it runs in.
#[derive(Clone, Debug)]
pub struct Git {
    /// The program by its full path where it is found: a program that has yet to be looked for is started by a copy of the
    /// whole process, which takes longer than git itself.
    program: PathBuf,
    environment: Vec<(OsString, OsString)>,
    /// Hooks of the configuration, by their names there.
    hooks: Vec<OsString>,
    /// Whose commits are made, once git was asked.
    pub(super) author: Arc<OnceLock<Author>>,
}

impl Git {
    /// Takes the environment of git, of which variables that would lead it elsewhere are left out.
    pub fn new(environment: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let is_passed = |(name, _): &(OsString, OsString)| {
            !name.as_encoded_bytes().starts_with(b"GIT_") || KEPT.iter().any(|kept| name == kept)
        };
        let environment: Vec<_> = environment.into_iter().filter(is_passed).collect();
        let program = found_in(&environment).unwrap_or_else(|| "git".into());
        Self { program, environment, hooks: Vec::new(), author: Arc::default() }
    }

    /// Turns off hooks that the configuration names.
    pub(super) fn without_hooks(self, hooks: Vec<OsString>) -> Self {
        Self { hooks, ..self }
    }

    /// Prepares a call of git.
    pub(super) fn call<'a>(&self, arguments: impl IntoIterator<Item = &'a OsStr>) -> Call<'a> {
        let mut command = Command::new(&self.program);
        // The folder that we are in may be gone; this one is not.
        command.current_dir("/").env_clear().envs(self.environment.iter().map(|(k, v)| (k, v)));
        command.envs(VARIABLES).arg("--no-pager");
        for (key, value) in SETTINGS {
            command.arg("-c").arg(format!("{key}={value}"));
        }
        let events = EVENTS.iter().map(OsString::from);
        let hooks = events.chain(self.hooks.iter().cloned());
        // As variables, since a name on the command line may hold no `=`.
        let mut count = 0;
        for mut key in hooks {
            key = ["hook.".as_ref(), key.as_os_str(), ".enabled".as_ref()].into_iter().collect();
            command.env(format!("GIT_CONFIG_KEY_{count}"), key);
            command.env(format!("GIT_CONFIG_VALUE_{count}"), "false");
            count += 1;
        }
        command.env("GIT_CONFIG_COUNT", count.to_string());
        let (shown, input) = ("git".to_owned(), Input::Nothing);
        Call { command, shown, input, folder: None, held: None, haste: Haste::Soon }
            .arguments(arguments)
    }
}

/// Finds git in the folders that an environment names.
fn found_in(environment: &[(OsString, OsString)]) -> Option<PathBuf> {
    let (_, folders) = environment.iter().rfind(|(name, _)| name == "PATH")?;
    let is_program = |path: &PathBuf| {
        path.metadata()
            .is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
    };
    let folders = folders.as_bytes().split(|byte| *byte == b':');
    let programs = folders.map(|folder| Path::new(OsStr::from_bytes(folder)).join("git"));
    // What begins elsewhere than at the root would be found from another folder than ours.
    programs.take_while(|path| path.is_absolute()).find(is_program)
}

/// What a call of git reads.
enum Input<'a> {
    Nothing,
    Text(&'a [u8]),
    Lock(&'a Lock),
    /// One question after the other.
    Questions,
}

/// A call of git that is not yet made.
pub(super) struct Call<'a> {
    command: Command,
    shown: String,
    input: Input<'a>,
    /// The folder to enter, if another than the root.
    folder: Option<PathBuf>,
    haste: Haste,
    held: Option<Held>,
}

/// What the kernel holds git to, beside the folder that it enters.
pub(super) enum Held {
    /// It writes there.
    Writing(Hold),
    /// It only reads there.
    Reading(Hold),
}

impl Held {
    /// Returns what git is held to once it enters a folder.
    fn in_folder(self, folder: PathBuf) -> Hold {
        match self {
            Self::Writing(mut hold) => {
                hold.write.get_or_insert_default().push(folder);
                hold
            }
            Self::Reading(mut hold) => {
                hold.read.push(folder);
                hold
            }
        }
    }
}

impl<'a> Call<'a> {
    /// Adds arguments.
    pub(super) fn arguments<'b>(mut self, arguments: impl IntoIterator<Item = &'b OsStr>) -> Self {
        for argument in arguments {
            self.shown.push(' ');
            self.shown.push_str(&argument.to_string_lossy());
            self.command.arg(argument);
        }
        self
    }

    /// Adds an argument.
    pub(super) fn argument(self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments([argument.as_ref()])
    }

    /// Adds options that an error message need not show.
    pub(super) fn quietly(mut self, options: &[&OsStr]) -> Self {
        self.command.args(options);
        self
    }

    /// Sets a variable.
    pub(super) fn variable(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Has git work in a folder that others may have replaced: no link on the way there is followed.
    pub(super) fn entering(self, folder: &Path) -> Self {
        Self { folder: Some(folder.to_owned()), ..self }
    }

    /// Lets git come to its end when agentd is asked to end.
    pub(super) fn undivided(self) -> Self {
        Self { haste: Haste::Undivided, ..self }
    }

    /// Has the kernel hold git to where it belongs, whatever links others put in its way.
    pub(super) fn held(self, held: Option<Held>) -> Self {
        Self { held, ..self }
    }

    /// Returns git something to read.
    pub(super) fn input(self, text: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        Self { input: Input::Text(text.as_ref()), ..self }
    }

    /// Lets git hold a lock for as long as it runs, even if we do not.
    pub(super) fn holding(self, lock: &'a Lock) -> Self {
        Self { input: Input::Lock(lock), ..self }
    }

    /// Runs git, which must succeed, and gives what it prints.
    pub(super) fn run(self) -> Result<Vec<u8>, GitError> {
        self.answer()?.successful()
    }

    /// Runs git, which must succeed, and gives the one line that it prints, whatever its bytes.
    pub(super) fn line(self) -> Result<OsString, GitError> {
        let mut line = self.run()?;
        line.pop_if(|last| *last == b'\n');
        Ok(OsString::from_vec(line))
    }

    /// Runs git and gives what it prints and how it ended.
    pub(super) fn answer(self) -> Result<Answer<Vec<u8>>, GitError> {
        let answer = self.stream(|output| {
            let mut read = Vec::new();
            output.take(LARGEST_OUTPUT + 1).read_to_end(&mut read)?;
            Ok(read)
        })?;
        if answer.output.len() as u64 > LARGEST_OUTPUT {
            let (command, limit) = (answer.shown, LARGEST_OUTPUT);
            return Err(GitError::TooMuchOutput { command, limit });
        }
        Ok(answer)
    }

    /// Runs git with what it prints going to a file.
    pub(super) fn into_file(mut self, file: impl Into<Stdio>) -> Result<(), GitError> {
        self.command.stdout(file);
        self.finish(|_| Ok(()))?.successful()
    }

    /// Runs git and reads what it prints. What is not read is thrown away, and git is ended then.
    pub(super) fn stream<T>(
        mut self,
        read: impl FnOnce(&mut BufReader<ChildStdout>) -> io::Result<T>,
    ) -> Result<Answer<T>, GitError> {
        self.command.stdout(Stdio::piped());
        self.finish(|child| {
            let output = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
            read(&mut BufReader::new(output))
        })
    }

    fn finish<T>(
        self,
        read: impl FnOnce(&mut Child) -> io::Result<T>,
    ) -> Result<Answer<T>, GitError> {
        let (input, mut running) = self.start()?;
        let stdin = running.child.stdin.take();
        let output = write(stdin, &input).and_then(|()| read(&mut running.child));
        running.end(output)
    }

    /// Starts git, and returns what it is to read.
    fn start(self) -> Result<(Input<'a>, Running), GitError> {
        // It stays open until git has entered it.
        let entered = self.folder.as_deref().map(enter).transpose()?;
        let Self { mut command, shown, input, held, haste, .. } = self;
        if let Some((_, path)) = &entered {
            command.current_dir(path);
        }
        let failed = |source| GitError::NotRun { command: shown.clone(), source };
        let stdin = match &input {
            Input::Nothing => Stdio::null(),
            Input::Text(_) | Input::Questions => Stdio::piped(),
            Input::Lock(lock) => lock.as_input().map_err(failed)?,
        };
        let limit = if matches!(input, Input::Questions) { Duration::MAX } else { TIME_LIMIT };
        let patience = if entered.is_some() { PATIENCE } else { Duration::MAX };
        let hold = held.zip(entered.as_ref()).map(|(held, (_, path))| held.in_folder(path.clone()));
        let command = command.stdin(stdin);
        Ok((input, Running::start(command, shown, hold.as_ref(), (limit, patience), haste)?))
    }

    /// Starts a git that answers questions for as long as it is asked.
    pub(super) fn converse(mut self) -> Result<Running, GitError> {
        self.command.stdout(Stdio::piped());
        Ok(Self { input: Input::Questions, ..self }.start()?.1)
    }
}

/// Opens a folder to which no link leads, and names it so that it is meant whatever has its path by now.
fn enter(path: &Path) -> Result<(Folder, PathBuf), GitError> {
    let folder = Folder::open(path)
        .map_err(|source| GitError::NoWorkspace { path: path.to_owned(), source })?;
    #[cfg(target_os = "linux")]
    let path = PathBuf::from(format!("/proc/self/fd/{}", folder.as_fd().as_raw_fd()));
    #[cfg(not(target_os = "linux"))]
    let path = path.to_owned();
    Ok((folder, path))
}

fn write(stdin: Option<ChildStdin>, input: &Input<'_>) -> io::Result<()> {
    let (Some(mut stdin), Input::Text(text)) = (stdin, input) else { return Ok(()) };
    match stdin.write_all(text) {
        // Its status says why it did not read on.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
