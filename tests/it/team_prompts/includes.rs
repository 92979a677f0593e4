//! The files that prompts include: what is there, what may be missing, and what must never be read.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use agentd::prompt::session::Session;
use agentd::template::{
    Dialect, IncludeFault, Includes as _, OnMissing, RenderError, Tags, parse, render,
};

use super::scene::{Scene, coder_of_plan_2, text};
use crate::process::scene::SOON;
use crate::support::{SPECIAL, make_special, skipped};

/// Prints the architect's prompt, which needs `requirements.md` and takes the analysis where there is one.
fn architect(scene: &Scene) -> crate::ran::Ran {
    scene.home.agentd(&["prompt", "--role", "architect", "--change", "add-login"])
}

const OPTIONAL: &str = "01_product_management/analysis.md";

#[test]
fn seed_002_a_missing_required_include_names_template_marker_and_path() {
    let scene = Scene::new();
    scene.without("requirements.md");
    architect(&scene)
        .exits(3)
        .says("`agents/architect.md`")
        .says("`[[include:requirements.md]]`")
        .says("help: write `requirements.md` in the change's folder");
}

#[test]
fn seed_002_a_missing_optional_include_is_empty() {
    let scene = Scene::new();
    let with = architect(&scene).exits(0).stdout;
    scene.without(OPTIONAL);
    let without = architect(&scene).exits(0).stdout;
    assert_eq!(without, with.replace("THE ANALYSIS\n", ""));
}

#[test]
fn what_leads_out_of_the_change_s_folder_is_refused_and_never_read() {
    for path in ["requirements.md", OPTIONAL] {
        let scene = Scene::new();
        let secret = scene.secret();
        for target in [
            &secret,
            "../../../secret.md",
            "../../../../secret.md",
            "/proc/self/exe",
            "/proc/self/environ",
        ] {
            scene.link(path, target);
            let ran = architect(&scene).hides("THE SECRET").hides("root:");
            // A link of the wrong depth leads nowhere, or out.
            if !scene.path(path).exists() {
                continue;
            }
            drop(ran.exits(12).says("`agents/architect.md`").says(&format!("`{path}`")));
        }
    }
    let scene = Scene::new();
    scene.home.write("outside/analysis.md", "THE SECRET\n");
    fs::remove_dir_all(scene.path("01_product_management")).expect("removed");
    symlink(scene.root().join("outside"), scene.path("01_product_management")).expect("linked");
    drop(architect(&scene).exits(12).hides("THE SECRET"));
}

#[test]
fn paths_that_leave_the_folder_are_refused_however_they_are_written() {
    let scene = Scene::new();
    let secret = scene.secret();
    let session = Session::open(&scene.session().feature_dir).expect("opened");
    for path in [
        "../../../secret.md",
        "04_planning/../../../../secret.md",
        secret.as_str(),
        "/etc/passwd",
        "..",
    ] {
        for marker in ["include", "include-optional"] {
            let source = format!("[[{marker}:[[placeholder:plan_file]]]]");
            let parsed = parse(&source, &Dialect::ROLE);
            let nodes = parsed.nodes.iter().map(|(node, _)| node);
            let scope = [("plan_file", path)];
            let mut out = String::new();
            let (tags, refuse) = (&Tags::PROTOCOL, OnMissing::Refuse);
            let error = render("t", nodes, &scope, &session, refuse, tags, &mut out)
                .expect_err("it leads out");
            let RenderError::Include { fault, .. } = &error else { panic!("{path}: {error}") };
            let expected = if path == ".." {
                [IncludeFault::Outside, IncludeFault::NotAFile]
            } else {
                [IncludeFault::Outside, IncludeFault::Outside]
            };
            assert!(expected.contains(fault), "{path}: {fault}");
            assert_eq!(out, "", "{path}");
        }
    }
}

#[test]
fn what_is_not_a_regular_file_is_refused_at_once() {
    let scene = Scene::new();
    let start = Instant::now();
    for kind in SPECIAL {
        let scene = Scene::new();
        scene.without("requirements.md");
        if make_special(kind, &scene.path("requirements.md")) {
            let ran = architect(&scene).exits(12).says("it is not a regular file");
            drop(ran.says("`requirements.md`"));
        } else {
            skipped(&format!("a {kind} as an include, for none can be made here"));
        }
    }
    scene.link("requirements.md", "/dev/zero");
    drop(architect(&scene).exits(12).says("`requirements.md`"));
    scene.link("requirements.md", "requirements.md");
    drop(architect(&scene).exits(12).says("`requirements.md`"));
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

#[test]
fn a_file_of_a_gigabyte_is_refused_before_it_is_read() {
    let scene = Scene::new();
    let sparse = File::create(scene.path("requirements.md")).expect("made");
    sparse.set_len(1 << 30).expect("it has holes");
    drop(architect(&scene).exits(11).says("larger than 8388608 bytes"));
}

#[test]
fn what_cannot_be_read_as_text_is_replaced_and_counted() {
    let scene = Scene::new();
    let mut bytes = b"caf\xe9 \xef\xbf\xbe ".to_vec();
    bytes.extend(vec![b'x'; 9_000]);
    bytes.extend(b"\0 end\n");
    scene.file("requirements.md", bytes);
    let ran = architect(&scene).exits(0).says("3 characters of `requirements.md`");
    assert!(
        ran.stdout.contains("caf\u{fffd} \u{fffd} xxx") && ran.stdout.contains("x\u{fffd} end")
    );
}

#[test]
fn a_binary_file_is_left_out_with_a_note_in_its_place() {
    let scene = Scene::new();
    scene.file(OPTIONAL, b"\x7fELF\x02\x01\0\0rest");
    architect(&scene)
        .exits(0)
        .prints("(binary file `01_product_management/analysis.md` of 12 bytes, left out)")
        .says("`01_product_management/analysis.md` is a binary file")
        .hides("ELF");
}

#[test]
fn an_included_file_s_markers_stay_as_they_are() {
    let scene = Scene::new();
    let secret = scene.secret();
    let literal = format!(
        "[[include:{secret}]] [[include:04_planning/plan.md]] {{{{TASKS}}}} [[placeholder:feature_dir]] \
         [[shared:coder-discipline]] [[placeholder:project_instructions]]"
    );
    scene.home.write("agentd/prompts/agents/coder.md", "OUR OWN RULES");
    scene.file("04_planning/plan_2.md", &literal);
    scene.file("state.json", &literal);
    let prompt = text(coder_of_plan_2(&scene.session()));
    assert_eq!(prompt.matches(&literal).count(), 2, "{prompt}");
    assert_eq!(prompt.matches("OUR OWN RULES").count(), 1);
    assert!(!prompt.contains("THE SECRET") && !prompt.contains("THE OVERVIEW"));
}

#[test]
fn a_link_that_is_swapped_while_files_are_read_never_leads_out() {
    let scene = Scene::new();
    let secret = scene.secret();
    let folder = scene.path("");
    let session = Session::open(&folder).expect("opened");
    let stop = AtomicBool::new(false);
    let (mut inside, mut refused, mut outside) = (0, 0, 0);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                symlink(&secret, folder.join("next")).expect("linked");
                fs::rename(folder.join("next"), folder.join("requirements.md")).expect("swapped");
                fs::write(folder.join("next"), "THE REQUEST\n").expect("written");
                fs::rename(folder.join("next"), folder.join("requirements.md")).expect("swapped");
            }
        });
        for _ in 0..10_000 {
            match session.read("requirements.md") {
                Ok(Some(text)) if text == "THE REQUEST\n" => inside += 1,
                // To fail here would leave the other thread at work.
                Ok(Some(_)) => outside += 1,
                Ok(None) => {}
                Err(_) => refused += 1,
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(outside, 0, "it was led out");
    assert!(inside > 0 && refused > 0, "{inside} read and {refused} refused: nothing was swapped");
}
