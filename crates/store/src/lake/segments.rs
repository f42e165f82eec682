//! The segments of the log that are on the disk, and when each may go.

use std::collections::BTreeMap;
use std::path::Path;

use crate::log;

/// How much of what is in the lake stays in the log, and in how many files at most.
const RECENT_BYTES: u64 = 32 << 20;
const RECENT_FILES: usize = 64;

/// What is known of a segment's file.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SegmentFile {
    /// The last record in it.
    pub(super) last: u64,
    /// How many records.
    pub(super) records: u64,
    /// Its size.
    pub(super) bytes: u64,
}

/// The segments of the log.
#[derive(Debug, Default)]
pub(super) struct Segments {
    files: BTreeMap<u64, SegmentFile>,
    /// All segments up to this one are in the lake.
    pub(super) flushed: u64,
    /// All records up to this one are woven and kept in a checkpoint.
    pub(super) woven: u64,
    /// Other replicas have all records up to this one; none if there are no others.
    pub(super) held: Option<u64>,
}

impl Segments {
    /// A record was written.
    pub(super) fn grew(&mut self, segment: u64, last: u64, records: u64, bytes: u64) {
        let file = self.files.entry(segment).or_default();
        file.last = file.last.max(last);
        file.records += records;
        file.bytes += bytes;
    }

    /// The size of all.
    pub(super) fn bytes(&self) -> u64 {
        self.files.values().map(|file| file.bytes).sum()
    }

    /// Their numbers.
    #[cfg(test)]
    fn numbers(&self) -> Vec<u64> {
        self.files.keys().copied().collect()
    }

    /// The first segment that has records after this one.
    pub(super) fn after(&self, sequence: u64) -> Vec<u64> {
        self.files.iter().filter(|(_, file)| file.last > sequence).map(|(number, _)| *number).collect()
    }

    /// The first record that is still there.
    pub(super) fn first(&self) -> u64 {
        self.files.values().next().map_or(0, |file| (file.last + 1).saturating_sub(file.records))
    }

    /// The newest segments that are in the lake: they tell what a client sent before a crash and sends again.
    pub(super) fn recent(&self) -> Vec<u64> {
        let mut bytes = 0;
        let flushed = self.files.range(..=self.flushed).rev().take(RECENT_FILES);
        let recent = flushed.take_while(|(_, file)| {
            let room = bytes < RECENT_BYTES;
            bytes += file.bytes;
            room
        });
        recent.map(|(number, _)| *number).collect()
    }

    /// Takes out the segments that nobody needs any more, and says how many records were lost to whoever weaves.
    pub(super) fn outlived(&mut self, limit: u64, for_replicas: u64) -> (Vec<u64>, u64) {
        let (mut gone, mut lost) = (Vec::new(), 0);
        let mut bytes = self.bytes();
        let recent = self.recent().last().copied().unwrap_or(0);
        for (number, file) in self.files.range(..recent) {
            let needed = file.last > self.woven;
            let wanted = self.held.is_some_and(|held| file.last > held) && bytes <= for_replicas;
            if (needed && bytes <= limit) || wanted {
                break;
            }
            if needed {
                lost += file.records;
            }
            bytes -= file.bytes;
            gone.push(*number);
        }
        for number in &gone {
            self.files.remove(number);
        }
        (gone, lost)
    }
}

/// Deletes segment files; one that is gone already is fine.
pub(super) fn delete(folder: &Path, numbers: &[u64]) -> Vec<String> {
    let delete = |number: &u64| {
        let path = log::path(folder, *number);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Some(format!("cannot delete {}: {error}", path.display()))
            }
            _ => None,
        }
    };
    numbers.iter().filter_map(delete).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_goes_when_it_is_in_the_lake_and_woven_and_no_longer_recent() {
        let mut segments = Segments::default();
        for number in 1..=4 {
            segments.grew(number, number * 10, 10, RECENT_BYTES);
        }
        let no_limit = u64::MAX;
        assert_eq!(segments.outlived(no_limit, no_limit), (vec![], 0));
        segments.flushed = 3;
        assert_eq!(segments.recent(), [3]);
        assert_eq!(segments.outlived(no_limit, no_limit), (vec![], 0));
        segments.woven = 15;
        assert_eq!(segments.outlived(no_limit, no_limit), (vec![1], 0));
        assert_eq!(segments.outlived(2 * RECENT_BYTES, 0), (vec![2], 10));
        assert_eq!(segments.numbers(), [3, 4]);
    }

    #[test]
    fn a_segment_that_a_replica_has_not_taken_stays_within_the_limit() {
        let mut segments = Segments::default();
        for number in 1..=4 {
            segments.grew(number, number * 10, 10, RECENT_BYTES);
        }
        (segments.flushed, segments.woven, segments.held) = (4, 40, Some(10));
        assert_eq!(segments.outlived(0, u64::MAX), (vec![1], 0));
        assert_eq!(segments.first(), 11);
        assert_eq!(segments.outlived(0, 2 * RECENT_BYTES), (vec![2], 0));
        segments.held = Some(40);
        assert_eq!(segments.outlived(0, u64::MAX), (vec![3], 0));
    }
}
