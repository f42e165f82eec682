//! How far this replica is in another's log, in a file.

use std::path::{Path, PathBuf};

use clew_store::Position;
use serde::{Deserialize, Serialize};

use crate::live::file;

/// How far this replica is in another's log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    /// All up to here is durable here.
    pub(super) after: u64,
    /// How many records the other had no longer when this one came for them.
    pub(super) lacks: u64,
    /// When that was found out last, in nanoseconds.
    pub(super) lacked_at: i64,
}

impl Place {
    /// The place in the log of a store.
    pub(super) fn read(folder: &Path, store: &str) -> Self {
        let bytes = file::read(&path(folder, store)).ok().flatten();
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Keeps it. An older one makes this replica take over again what it has, which changes nothing.
    pub(super) fn write(&self, folder: &Path, store: &str) -> std::io::Result<()> {
        let bytes = serde_json::to_vec(self).map_err(std::io::Error::other)?;
        file::write(&path(folder, store), &bytes)
    }

    /// Goes on behind a piece; what lies between the two is lacking. `first` is the oldest that the other still has.
    pub(super) fn move_on(&mut self, first: Position, last: Position, now: i64) {
        let missing = first.0.saturating_sub(self.after.saturating_add(1));
        if missing > 0 {
            self.lacks = self.lacks.saturating_add(missing);
            self.lacked_at = now;
        }
        // Also backwards, if the other lost the end of its log with its machine.
        self.after = last.0;
    }
}

fn path(folder: &Path, store: &str) -> PathBuf {
    folder.join(file::name_of(store, "place"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_other_no_longer_has_is_lacking() {
        let mut place = Place::default();
        place.move_on(Position(1), Position(10), 1);
        assert_eq!(place, Place { after: 10, lacks: 0, lacked_at: 0 });
        place.move_on(Position(8), Position(20), 2);
        assert_eq!((place.after, place.lacks), (20, 0));
        place.move_on(Position(26), Position(30), 3);
        assert_eq!(place, Place { after: 30, lacks: 5, lacked_at: 3 });
        place.move_on(Position(1), Position(7), 4);
        assert_eq!((place.after, place.lacks), (7, 5));
        place.move_on(Position(0), Position(7), 5);
        assert_eq!((place.after, place.lacks), (7, 5), "an empty log lacks nothing");
    }

    #[test]
    fn a_place_is_kept_for_each_store() {
        let folder = tempfile::tempdir().expect("folder");
        let place = Place { after: 7, lacks: 1, lacked_at: 2 };
        place.write(folder.path(), "clew-a/b").expect("written");
        assert_eq!(Place::read(folder.path(), "clew-a/b"), place);
        assert_eq!(Place::read(folder.path(), "clew-c"), Place::default());
    }
}
