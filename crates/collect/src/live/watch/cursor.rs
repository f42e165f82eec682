//! Where the watch of a cluster is, in a file: after a restart it goes on from there.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use clew_model::Time;
use serde::{Deserialize, Serialize};

use super::ledger::{Account, Ledger};
use crate::live::file;
use crate::watch::ResourceKey;

/// Another form of the file is not read, and the watch begins anew.
const FORM: u32 = 1;

#[derive(Serialize)]
struct Saved<'a> {
    form: u32,
    began: i64,
    accounts: &'a BTreeMap<ResourceKey, Account>,
}

#[derive(Deserialize)]
struct Loaded {
    form: u32,
    began: i64,
    accounts: BTreeMap<ResourceKey, Account>,
}

/// The file of a cluster.
pub(super) fn path(folder: &Path, cluster: &str) -> PathBuf {
    folder.join("watch").join(file::name_of(cluster, "cursor"))
}

/// The ledger as bytes.
pub(super) fn encode(ledger: &Ledger) -> postcard::Result<Vec<u8>> {
    let saved = Saved { form: FORM, began: ledger.began.as_nanos(), accounts: &ledger.accounts };
    postcard::to_allocvec(&saved)
}

/// Writes the file.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    file::write(path, bytes)
}

/// The ledger of a former run; none if there is none that can be read.
pub(super) fn read(path: &Path, most_objects: usize) -> io::Result<Option<Ledger>> {
    let Some(bytes) = file::read(path)? else { return Ok(None) };
    let loaded = postcard::from_bytes::<Loaded>(&bytes).ok().filter(|loaded| loaded.form == FORM);
    Ok(loaded.map(|loaded| {
        let objects = loaded.accounts.values().map(|account| account.known.len()).sum();
        Ledger { began: Time::from_nanos(loaded.began), accounts: loaded.accounts, objects, most_objects }
    }))
}

#[cfg(test)]
mod tests {
    use clew_weave::fact::{ObjectState, Observation, Observed};

    use super::super::told::Watched;
    use super::*;
    use crate::live::{SourceKind, Sources};
    use crate::watch::Resource;

    #[test]
    fn a_ledger_survives_its_file() {
        let folder = tempfile::tempdir().expect("folder");
        let path = path(folder.path(), "kind-a/b");
        assert!(read(&path, 10).expect("readable").is_none());
        let source = Sources::default().of("c", SourceKind::Watch, "pods");
        let pods = Watched::new(&Resource::new("", "v1", "pods"), source);
        let mut ledger = Ledger { began: Time::from_nanos(7), most_objects: 10, ..Ledger::default() };
        ledger.begin_list(&pods);
        let state = ObjectState { uid: "a".into(), version: 3, ..ObjectState::default() };
        ledger.observe(&pods, &mut Observation { time: Time::default(), observed: Observed::Listed, state });
        ledger.end_list(&pods, "5", Time::default());
        write(&path, &encode(&ledger).expect("encoded")).expect("written");
        let loaded = read(&path, 10).expect("readable").expect("there");
        assert_eq!(loaded.resume(&pods.key).as_deref(), Some("5"));
        assert_eq!((loaded.began, loaded.objects, loaded.held(&pods.key)), (Time::from_nanos(7), 1, 1));
    }
}
