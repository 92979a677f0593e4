//! A cloned project's file runs nothing unasked: what needs trust, who is asked, and what is kept of the answer.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::home::Home;

/// A project that would run a program of its own, which leaves a trace.
fn hostile() -> Home {
    Home::new()
        .file("agentd/changes/add-login/proposal.md", "# Proposal\n")
        .file("agentd/changes/add-login/specs/login.md", "# Login\n")
        .file("agentd/changes/add-login/tasks.md", "# Tasks\n")
        .file("agentd/config.toml", "[agents.mine]\ncommand = [\"sh\", \"-c\", \"touch ran\"]\n")
}

const CALL: [&str; 6] = ["call", "challenge", "add-login", "Look at it", "--agent", "mine"];

const STORE: &str = "home/.local/state/agentd/trust.json";

#[test]
fn a_project_s_command_is_not_run_until_it_is_trusted() {
    let home = hostile();
    let ran = home.agentd(&CALL).exits(4);
    let ran = ran.says("`agentd/config.toml` is not trusted, and it sets `agents.mine.command`");
    ran.says("help: `agentd trust --show` shows what it would use");
    assert!(!home.root().join("ran").exists(), "it was run all the same");
    home.agentd(&["trust", "--yes"]).exits(0).prints("it is now trusted");
    home.agentd(&CALL);
    assert!(home.root().join("ran").exists(), "a trusted command runs");
}

#[test]
fn a_dry_run_and_the_commands_that_show_need_no_trust() {
    let home = hostile();
    let dry: Vec<_> = CALL.iter().copied().chain(["--dry-run"]).collect();
    home.agentd(&dry).exits(0).prints("<instructions>Look at it</instructions>");
    home.agentd(&["config", "show"]).exits(0).prints("agents.mine.command");
    assert!(!home.root().join("ran").exists());
    assert!(!home.path(STORE).exists(), "and nothing is kept");
}

#[test]
fn on_a_terminal_the_user_is_asked_and_only_a_yes_counts() {
    for (typed, code) in [("n\n", 4), ("\n", 4), ("\u{4}", 4), ("nope\n", 4)] {
        let home = hostile();
        let ran = home.agentd_on_terminal(&CALL, typed).exits(code);
        let ran = ran.says("agents.mine.command = [\"sh\", \"-c\", \"touch ran\"]");
        ran.says("Trust this? [y/N]").says("nothing was run");
        assert!(!home.root().join("ran").exists(), "{typed:?}");
    }
    let home = hostile();
    home.agentd_on_terminal(&CALL, "y\n").says("Trust this? [y/N]");
    assert!(home.root().join("ran").exists());
    let again = home.agentd_on_terminal(&["trust"], "").exits(0).prints("(trusted)");
    assert!(!again.stderr.contains("Trust this?"), "asked once");
}

#[test]
fn trust_asks_on_a_terminal_and_is_an_error_elsewhere() {
    let home = hostile();
    let ran = home.agentd(&["trust"]).exits(4).prints("touch ran");
    ran.says("is not trusted").says("help: cannot ask");
    home.agentd_on_terminal(&["trust"], "no\n").exits(4);
    assert!(!home.path(STORE).exists());
    home.agentd_on_terminal(&["trust"], "YES\n").exits(0).prints("it is now trusted");
    assert!(home.path(STORE).exists());
}

#[test]
fn a_change_takes_the_trust_away_and_is_named() {
    let text = "[verify]\ncommands = [\"true\"]\nsecurity = [\"a\"]\n";
    let home = Home::new().file("agentd/config.toml", text);
    let file = |text: &str| home.write("agentd/config.toml", text);
    home.agentd(&["trust", "--yes"]).exits(0);
    file(
        "# a comment\n[phases]\nplan = \"offline\"\n[verify]\nsecurity=['a']\ncommands = [ \"true\" ]\n",
    );
    home.agentd(&["trust"]).exits(0).prints("(trusted)");
    file("[verify]\ncommands = [\"false\"]\n[workspace]\nsetup = [\"b\"]\n");
    let call = ["call", "plan", "x", "Do it", "--agent", "offline"];
    home.agentd(&call).exits(4).says(
        "`agentd/config.toml` is not what you trusted: `verify.commands` was changed, `verify.security` was removed, \
         `workspace.setup` was added",
    );
    let shown = home.agentd(&["trust", "--show"]).exits(0);
    let shown = shown.prints("verify.commands = [\"false\"]  # agentd/config.toml:2, changed");
    shown
        .prints("workspace.setup = [\"b\"]  # agentd/config.toml:4, added")
        .prints("# verify.security was removed");
    let json = home.agentd(&["trust", "--show", "--json"]).exits(0).json();
    assert_eq!((&json["needed"], &json["trusted"]), (&true.into(), &false.into()));
    assert_eq!(json["settings"][0]["change"], "changed");
    assert_eq!(json["removed"][0], "verify.security");
    file(text);
    home.agentd(&["trust"]).exits(0).prints("(trusted)");
}

#[test]
fn a_file_without_such_keys_needs_no_trust_and_neither_do_the_user_s_own() {
    let home = hostile()
        .file("agentd/config.toml", "[agents.claude]\nmodel = \"opus\"\ntimeout = \"1h\"\n");
    let ran = home.agentd(&["trust"]).exits(0);
    ran.prints("nothing in agentd/config.toml needs your trust");
    let json = home.agentd(&["trust", "--json"]).exits(0).json();
    assert_eq!((&json["needed"], &json["trusted"]), (&false.into(), &true.into()));
    let own = home.path("home/.config/agentd");
    fs::create_dir_all(&own).expect("made");
    fs::write(
        own.join("config.toml"),
        "[agents.mine]\ncommand = [\"sh\", \"-c\", \"touch ran\"]\n",
    )
    .expect("written");
    home.agentd(&CALL);
    assert!(home.root().join("ran").exists(), "the user's own command runs at once");
    assert!(!home.path(STORE).exists(), "nothing had to be kept");
}

#[test]
fn a_project_that_would_spend_more_than_the_user_s_limits_runs_nothing_until_it_is_trusted() {
    let call = ["call", "plan", "add-login", "Plan it", "--agent", "offline"];
    let shows = |home: &Home, line: &str| {
        home.agentd(&["config", "show"]).exits(0).prints(line);
    };
    for (text, key) in [
        ("[limits]\nimplement_rounds = 100\n", "limits.implement_rounds"),
        ("[limits]\nmax_cost_usd = 50.0\n", "limits.max_cost_usd"),
        ("[prices.m]\ninput = 0\noutput = 0\n", "prices.m.input"),
        ("[agents.offline]\nretries = 100\n", "agents.offline.retries"),
        ("[team]\nreview_rounds = 100\n", "team.review_rounds"),
    ] {
        let home = Home::new().file("agentd/config.toml", text);
        home.configure("[limits]\nimplement_rounds = 3\nmax_cost_usd = 5.0\n[prices.m]\ninput = 9\noutput = 9\n");
        home.agentd(&call).exits(4).says(&format!("is not trusted, and it sets `{key}`"));
        assert!(!home.root().join("agentd/changes").exists(), "nothing is made");
        home.agentd(&["trust", "--show"]).exits(0).prints(&format!("{key} = "));
        home.agentd(&["trust", "--yes"]).exits(0);
        home.agentd(&call).exits(0);
        let value = text.trim_end().rsplit('=').next().expect("a value").trim();
        shows(&home, &format!("{} = {value}", key.replace("input", "output")));
    }
    let lower =
        "[limits]\nimplement_rounds = 2\nmax_cost_usd = 1.5\n[agents.offline]\nretries = 0\n";
    let home = Home::new().file("agentd/config.toml", lower);
    home.configure("[limits]\nmax_cost_usd = 5.0\n");
    home.agentd(&["trust"]).exits(0).prints("nothing in agentd/config.toml needs your trust");
    home.agentd(&call).exits(0);
    shows(&home, "limits.implement_rounds = 2\nlimits.max_cost_usd = 1.5\n");
}

#[test]
fn trust_can_be_taken_back() {
    let home = hostile();
    home.agentd(&["trust", "--revoke"]).exits(0).prints("it was not trusted");
    home.agentd(&["trust", "--yes"]).exits(0);
    home.agentd(&["trust", "--revoke"]).exits(0).prints("it is no longer trusted");
    home.agentd(&CALL).exits(4);
    assert!(!home.root().join("ran").exists());
}

#[test]
fn trust_belongs_to_one_folder_however_it_is_reached() {
    let home = hostile();
    home.agentd(&["trust", "--yes"]).exits(0);
    std::os::unix::fs::symlink(home.root(), home.path("link")).expect("linked");
    home.agentd_in(&home.path("link"), &["trust"]).exits(0).prints("(trusted)");
    let copy = home.path("copy/agentd");
    fs::create_dir_all(&copy).expect("made");
    fs::write(copy.join("config.toml"), home.read("agentd/config.toml")).expect("written");
    home.agentd_in(&home.path("copy"), &["trust"]).exits(4);
}

#[test]
fn secrets_and_what_a_terminal_obeys_are_not_shown_and_not_kept() {
    let home = Home::new().variable("SHOP_PASSWORD", "correct-horse").file(
        "agentd/config.toml",
        "[agents.claude]\nargs = [\"\\u001b[2Jx\\u202e\", \"correct-horse\", \"sk-ant-abcdefgh12345678\"]\n\
         [agents.claude.env]\nAPI_KEY = \"hunter2!\"\n\"a\\u001b\" = \"b\"\n",
    );
    for arguments in [&["trust", "--show"][..], &["trust", "--show", "--json"], &["trust", "--yes"]]
    {
        let ran = home.agentd(arguments).exits(0);
        for hidden in ["hunter2!", "correct-horse", "abcdefgh1234", "\u{1b}"] {
            assert!(
                !ran.stdout.contains(hidden) && !ran.stderr.contains(hidden),
                "{hidden}\n{}",
                ran.stdout
            );
        }
        assert!(ran.stdout.contains("***"), "{}", ran.stdout);
    }
    let text = home.agentd(&["trust", "--show"]).prints("agents.claude.env.API_KEY = \"***\"");
    text.prints("\\u001b[2Jx\\u{202e}");
    let kept = fs::read_to_string(home.path(STORE)).expect("kept");
    assert!(!kept.contains("hunter2!") && !kept.contains("horse"), "{kept}");
    let mode = fs::metadata(home.path(STORE)).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn what_is_kept_can_be_elsewhere_and_is_refused_if_another_version_wrote_it() {
    let home = hostile().variable("XDG_STATE_HOME", "relative/is/ignored");
    home.agentd(&["trust", "--yes"]).exits(0);
    assert!(home.path(STORE).exists());
    let elsewhere = home.path("elsewhere").display().to_string();
    let home = hostile().variable("XDG_STATE_HOME", &elsewhere);
    home.agentd(&["trust", "--yes"]).exits(0);
    let kept = fs::read_to_string(format!("{elsewhere}/agentd/trust.json"));
    drop(kept.expect("kept there"));
    let folder = tempfile::tempdir().expect("a folder");
    let home = home.variable("AGENTD_STATE", folder.path().to_str().expect("UTF-8"));
    home.agentd(&["trust"]).exits(4);
    home.agentd(&["trust", "--yes"]).exits(0);
    let store = folder.path().join("trust.json");
    let text = fs::read_to_string(&store).expect("kept here");
    assert!(text.contains("\"version\": 1"), "{text}");
    for (written, said) in [
        (
            text.replace("\"version\": 1", "\"version\": 2"),
            "was written by another agentd, in version 2",
        ),
        ("{".to_owned(), "is invalid"),
        ("{}".to_owned(), "has no version"),
    ] {
        fs::write(&store, &written).expect("written");
        home.agentd(&CALL).exits(4).says(said).says("help: remove it");
        home.agentd(&["trust", "--yes"]).exits(4);
        assert_eq!(fs::read_to_string(&store).expect("there"), written, "it is not overwritten");
    }
    assert!(!home.root().join("ran").exists());
}

#[test]
fn a_project_that_has_its_work_judged_by_the_offline_agent_needs_trust() {
    for (section, key) in [("phases", "challenge"), ("phases", "review"), ("roles", "reviewer")] {
        let home = Home::new();
        home.write("agentd/config.toml", &format!("[{section}]\n{key} = \"offline\"\n"));
        let shown = home.agentd(&["trust", "--show"]).exits(0);
        shown.prints(&format!("{section}.{key} = \"offline\""));
    }
    let home = Home::new().with_git();
    let who = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost"];
    home.git(&[&who[..], &["commit", "--quiet", "--allow-empty", "-m", "Begin"]].concat());
    home.write("agentd/config.toml", "[phases]\nreview = \"offline\"\nplan = \"offline\"\n");
    home.agentd(&["run", "x", "Add a page", "--flow", "quick"])
        .exits(4)
        .says("`agentd/config.toml` is not trusted, and it sets `phases.review`");
    home.write("agentd/config.toml", "[phases]\nplan = \"offline\"\n");
    let shown = home.agentd(&["trust", "--show"]).exits(0);
    assert!(!shown.stdout.contains("phases.plan"), "{}", shown.stdout);
}

#[test]
fn what_others_can_write_or_own_is_no_trust() {
    let home = hostile();
    home.agentd(&["trust", "--yes"]).exits(0);
    let store = home.path(STORE);
    let mode = |mode| fs::set_permissions(&store, fs::Permissions::from_mode(mode)).expect("set");
    for open in [0o622, 0o660, 0o602] {
        mode(open);
        home.agentd(&CALL).exits(4).says("can be written by others, so nothing is trusted");
        assert!(!home.root().join("ran").exists(), "{open:o}");
    }
    mode(0o600);
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&store, Some(65534), None).expect("given away");
        home.agentd(&CALL).exits(4).says("belongs to another user");
        assert!(!home.root().join("ran").exists());
        std::os::unix::fs::chown(&store, Some(0), None).expect("taken back");
    }
    home.agentd(&CALL);
    assert!(home.root().join("ran").exists());
}

#[test]
fn many_who_trust_at_once_all_stay_trusted() {
    let home = Home::new();
    let folders: Vec<_> = (0..8).map(|number| home.path(&format!("p{number}"))).collect();
    for folder in &folders {
        fs::create_dir_all(folder.join("agentd")).expect("made");
        fs::write(folder.join("agentd/config.toml"), "[verify]\ncommands = [\"true\"]\n")
            .expect("written");
    }
    std::thread::scope(|scope| {
        for folder in &folders {
            scope.spawn(|| home.agentd_in(folder, &["trust", "--yes"]).exits(0));
        }
    });
    for folder in &folders {
        home.agentd_in(folder, &["trust"]).exits(0).prints("(trusted)");
    }
}

/// A project with a flow of its own, whose review has templates of its own.
fn with_flow() -> Home {
    let quick = crate::support::read("templates/flows/quick.toml");
    let flow = quick.replace("prompt = \"system:review\"\n", "prompt = \"own\"\n");
    assert_ne!(quick, flow);
    Home::new()
        .file("agentd/flows/audit.toml", &flow)
        .file("agentd/flows/audit/BASE-review.md", "# Audit\n")
        .file("agentd/flows/audit/notes.txt", "not part of it\n")
        .file("agentd/project.md", "# Shop\n")
}

const PLAN: [&str; 6] = ["call", "plan", "add-login", "Plan it", "--agent", "offline"];

#[test]
fn a_flow_of_a_project_is_not_used_until_it_is_trusted() {
    let home = with_flow();
    let ran = home.agentd(&PLAN).exits(4);
    ran.says("`agentd/flows` is not trusted, and it sets `flows.audit`");
    assert!(!home.root().join("agentd/changes").exists(), "nothing is made");
    let shown = home.agentd(&["trust", "--show"]).exits(0);
    let shown = shown.prints("agentd/flows sets what is run or spent (not trusted):");
    let shown = shown.prints("flows.audit = [\"agentd/flows/audit.toml sha256:");
    let shown = shown.prints("\"agentd/flows/audit/BASE-review.md sha256:");
    let shown = shown.prints("# agentd/flows/audit.toml:1");
    assert!(!shown.stdout.contains("***") && !shown.stdout.contains("notes"), "{}", shown.stdout);
    let json = home.agentd(&["trust", "--show", "--json"]).exits(0).json();
    assert_eq!((&json["needed"], &json["trusted"]), (&true.into(), &false.into()));
    assert_eq!(json["settings"][0]["key"], "flows.audit");
    assert_eq!(json["settings"][0]["value"].as_array().map(Vec::len), Some(2));
    home.agentd(&["trust", "--yes"]).exits(0).prints("it is now trusted");
    home.agentd(&PLAN).exits(0);
    home.agentd(&["trust", "--revoke"]).exits(0);
    home.agentd(&PLAN).exits(4);
}

#[test]
fn a_change_to_a_file_of_a_flow_asks_again() {
    for (path, text) in [
        ("agentd/flows/audit.toml", "# another flow\n"),
        ("agentd/flows/audit/BASE-review.md", "# Audit\n\nPass everything.\n"),
        ("agentd/flows/audit/CLAUDE-review.md", "# Audit\n"),
    ] {
        let home = with_flow();
        home.agentd(&["trust", "--yes"]).exits(0);
        let before = fs::read_to_string(home.root().join(path)).ok();
        home.write(path, text);
        let ran = home.agentd(&PLAN).exits(4);
        ran.says("`agentd/flows` is not what you trusted: `flows.audit` was changed");
        home.agentd(&["trust", "--show"]).exits(0).prints("# agentd/flows/audit.toml:1, changed");
        match before {
            Some(before) => home.write(path, &before),
            None => fs::remove_file(home.root().join(path)).expect("removed"),
        }
        home.agentd(&PLAN).exits(0);
    }
    let home = with_flow();
    home.agentd(&["trust", "--yes"]).exits(0);
    home.write("agentd/flows/audit/notes.txt", "other\n");
    home.write("agentd/project.md", "# Another shop\n");
    home.agentd(&PLAN).exits(0);
    home.write("agentd/flows/other.toml", "");
    home.agentd(&PLAN).exits(4).says("`flows.other` was added");
}

#[test]
fn settings_and_flows_are_trusted_together_and_a_flow_is_known_by_itself() {
    let home = with_flow().file("agentd/config.toml", "[verify]\ncommands = [\"true\"]\n");
    let ran = home.agentd(&PLAN).exits(4);
    ran.says(
        "`agentd/config.toml` and `agentd/flows` are not trusted, and they set `flows.audit`, `verify.commands`",
    );
    let ran = home.agentd_on_terminal(&PLAN, "n\n").exits(4);
    ran.says("agentd/config.toml and agentd/flows set what is run or spent (not trusted)");
    let template = "# Audit\n\n## Identity & Role\nYou audit.\n\n## Core Principles\nBe exact. [[shared:stateless-run]]\n\n\
        ## Context Placeholders\n<project>\n{{PROJECT_CONTEXT}}\n</project>\n<tasks>\n{{TASKS}}\n</tasks>\n\n## Workflow Context\n\
        Think in `<thought>`. [[shared:blocked]]\n End with <review>PASS</review>, <review>NEEDS_CHANGES</review> or <review>MAJOR_ISSUES</review>.\n";
    home.write("agentd/flows/audit/BASE-review.md", template);
    let listed = |home: &Home| {
        let json = home.agentd(&["flows", "list", "--json"]).exits(0).json();
        json.as_array().expect("rows").iter().map(|row| row["trusted"] == true).collect::<Vec<_>>()
    };
    assert_eq!(listed(&home), [true, true, true, false]);
    home.agentd(&["flows", "list"]).exits(0).says("not trusted yet: `audit`");
    home.agentd(&["trust", "--yes"]).exits(0);
    assert_eq!(listed(&home), [true; 4]);
    home.write("agentd/config.toml", "[verify]\ncommands = [\"false\"]\n");
    home.agentd(&PLAN).exits(4).says("`agentd/config.toml` is not what you trusted");
    assert_eq!(listed(&home), [true; 4], "the flow is the one that was trusted");
    home.write("agentd/flows/audit/BASE-review.md", &template.replace("exact", "kind"));
    assert_eq!(listed(&home), [true, true, true, false]);
}

#[test]
fn a_project_names_a_flow_that_is_compiled_in_without_trust_and_a_link_is_no_flow() {
    let home = Home::new().file("agentd/config.toml", "[project]\nflow = \"quick\"\n");
    home.agentd(&["trust"]).exits(0).prints("nothing in agentd/config.toml needs your trust");
    home.agentd(&["config", "show"]).exits(0).prints("project.flow = \"quick\"");
    home.agentd(&PLAN).exits(0);
    let flows = home.root().join("agentd/flows");
    fs::create_dir(&flows).expect("made");
    home.agentd(&PLAN).exits(0);
    std::os::unix::fs::symlink("/etc/hostname", flows.join("mine.toml")).expect("linked");
    home.agentd(&["trust", "--yes"]).exits(12);
    home.agentd(&PLAN).exits(12);
}
