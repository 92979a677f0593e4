//! The name under which the workspaces of a repository are kept. It is recorded in the repository's state, so that workspaces
//! are found again after the repository was moved; a copy of a repository whose original is still there gets a name of its own.

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files::{make_private_folder, own, write_atomically};
use crate::models::hash::Hash;

/// The file of the name, in the folder of a repository's state.
const FILE: &str = "id";

/// The folder of agentd's own state in which each name says whose it is.
const OWNERS: &str = "repositories";

/// The largest of these files.
const LARGEST: u64 = 64 << 10;

/// What a repository records of its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Claim {
    version: u32,
    /// The name.
    id: String,
    /// The folder of the repository's state when the name was recorded.
    place: PathBuf,
}

/// Returns the name of a repository's workspaces, given the folder of its state and that of agentd. Nothing is written, so that
/// two calls before [`claim`] return the same.
pub fn find(repository: &Path, agentd: &Path) -> io::Result<String> {
    match read(repository)? {
        Some(claim)
            if claim.place == repository
                || !(is_held(&claim.place, &claim.id)?
                    || is_held_by_other(&claim.id, repository, agentd)?) =>
        {
            Ok(claim.id)
        }
        // None yet, or this is a copy.
        Some(_) | None => free(repository, agentd),
    }
}

/// Returns the same, and records it.
pub fn claim(repository: &Path, agentd: &Path) -> io::Result<String> {
    let id = find(repository, agentd)?;
    let claim = Claim { version: 1, id: id.clone(), place: repository.to_owned() };
    if read(repository)?.as_ref() != Some(&claim) {
        let owners = agentd.join(OWNERS);
        make_private_folder(repository)?;
        make_private_folder(&owners)?;
        write_atomically(&owners.join(&id), repository.as_os_str().as_encoded_bytes())?;
        write_atomically(&repository.join(FILE), &serde_json::to_vec(&claim)?)?;
    }
    Ok(id)
}

/// Returns a name that no other repository has: after the folder of the repository, and the place where it is.
fn free(repository: &Path, agentd: &Path) -> io::Result<String> {
    let root = repository.ancestors().nth(2).and_then(Path::file_name);
    let root = root.unwrap_or_default().to_string_lossy();
    let hash = Hash::of(repository.as_os_str().as_encoded_bytes());
    let first = format!("{root}-{}", &hash.as_str()[..12]);
    let mut id = first.clone();
    for number in 2_u32.. {
        // A repository that was here before may have taken the name with it.
        let has_moved = owner(&id, agentd)?.is_some_and(|owner| owner == repository)
            && has_moved(repository, &id, agentd)?;
        if !has_moved && !is_held_by_other(&id, repository, agentd)? {
            break;
        }
        id = format!("{first}-{number}");
    }
    Ok(id)
}

/// Returns the repository that last recorded a name as its own.
fn owner(id: &str, agentd: &Path) -> io::Result<Option<PathBuf>> {
    let bytes = own::read(&agentd.join(OWNERS).join(id), LARGEST)?;
    Ok(bytes.map(|bytes| PathBuf::from(OsString::from_vec(bytes))))
}

/// Returns whether a name is another repository's: the original of a copy may have been moved, and another copy may have kept the
/// name.
fn is_held_by_other(id: &str, repository: &Path, agentd: &Path) -> io::Result<bool> {
    match owner(id, agentd)? {
        Some(owner) if owner != repository => is_held(&owner, id),
        Some(_) | None => Ok(false),
    }
}

/// Returns whether the workspaces of a name are still those of a repository that was moved away from a place.
fn has_moved(place: &Path, id: &str, agentd: &Path) -> io::Result<bool> {
    let is_used = agentd.join("workspaces").join(id).symlink_metadata().is_ok();
    Ok(is_used && !is_held(place, id)?)
}

/// Returns whether the repository at a place has a name.
fn is_held(place: &Path, id: &str) -> io::Result<bool> {
    Ok(read(place)?.is_some_and(|claim| claim.id == id && claim.place == place))
}

fn read(repository: &Path) -> io::Result<Option<Claim>> {
    let bytes = own::read(&repository.join(FILE), LARGEST)?;
    let claim = bytes.and_then(|bytes| serde_json::from_slice::<Claim>(&bytes).ok());
    // A name is one of a folder.
    let is_name = |id: &str| !id.is_empty() && !id.starts_with('.') && !id.contains(['/', '\0']);
    Ok(claim.filter(|claim| claim.version == 1 && is_name(&claim.id)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    struct Scene(tempfile::TempDir);

    impl Scene {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        /// Returns the state of a repository, whose folder is made.
        fn repository(&self, name: &str) -> PathBuf {
            let root = self.0.path().canonicalize().unwrap().join(name);
            fs::create_dir_all(root.join(".git")).unwrap();
            root.join(".git/agentd")
        }

        fn claim(&self, name: &str) -> String {
            let agentd = self.0.path().canonicalize().unwrap().join("agentd");
            let repository = self.repository(name);
            let found = find(&repository, &agentd).unwrap();
            let id = claim(&repository, &agentd).unwrap();
            assert_eq!(found, id, "who looks sees the same");
            fs::create_dir_all(agentd.join("workspaces").join(&id)).unwrap();
            assert_eq!(claim(&repository, &agentd).unwrap(), id);
            id
        }

        fn moved(&self, from: &str, to: &str) {
            fs::rename(self.0.path().join(from), self.0.path().join(to)).unwrap();
        }
    }

    #[test]
    fn a_repository_that_is_moved_keeps_its_name_and_one_in_its_place_gets_another() {
        let scene = Scene::new();
        let id = scene.claim("shop");
        assert!(id.starts_with("shop-"), "{id}");
        scene.moved("shop", "store");
        assert_eq!(scene.claim("store"), id);
        assert_ne!(scene.claim("shop"), id, "a new one where the old one was");
        scene.moved("store", "depot");
        assert_eq!(scene.claim("depot"), id);
    }

    #[test]
    fn a_copy_gets_a_name_of_its_own_for_as_long_as_the_original_is_there() {
        let scene = Scene::new();
        let id = scene.claim("shop");
        let (state, copy) = (scene.repository("shop"), scene.repository("copy"));
        fs::create_dir_all(&copy).unwrap();
        fs::copy(state.join(FILE), copy.join(FILE)).unwrap();
        let other = scene.claim("copy");
        assert_ne!(other, id);
        assert_eq!(scene.claim("shop"), id);
        fs::remove_dir_all(scene.0.path().join("shop")).unwrap();
        assert_eq!(scene.claim("copy"), other, "it keeps what it has");
    }

    #[test]
    fn a_copy_and_its_moved_original_do_not_share_a_name() {
        let scene = Scene::new();
        let id = scene.claim("shop");
        let (state, copy) = (scene.repository("shop"), scene.repository("copy"));
        fs::create_dir_all(&copy).unwrap();
        fs::copy(state.join(FILE), copy.join(FILE)).unwrap();
        scene.moved("shop", "store");
        let (first, second) = (scene.claim("copy"), scene.claim("store"));
        assert_eq!(first, id, "nobody else has it");
        assert_ne!(second, id);
        assert_eq!((scene.claim("copy"), scene.claim("store")), (first, second));
    }

    #[test]
    fn a_name_that_leads_elsewhere_is_none() {
        let scene = Scene::new();
        let state = scene.repository("shop");
        fs::create_dir_all(&state).unwrap();
        let forged = r#"{"version":1,"id":"../../home","place":"/"}"#;
        fs::write(state.join(FILE), forged).unwrap();
        assert!(scene.claim("shop").starts_with("shop-"));
    }
}
