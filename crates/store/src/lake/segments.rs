//! The segments of the log that are on the disk, and when each may go.

use std::collections::BTreeMap;
use std::path::Path;

use crate::log;

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

    /// Takes out the segments that nobody needs any more, and says how many records were lost to whoever weaves. The last
    /// one that is in the lake stays: it tells what a client sent before a crash and sends again.
    pub(super) fn outlived(&mut self, limit: u64) -> (Vec<u64>, u64) {
        let (mut gone, mut lost) = (Vec::new(), 0);
        let mut bytes = self.bytes();
        for (number, file) in &self.files {
            if *number >= self.flushed {
                break;
            }
            let needed = file.last > self.woven;
            if needed && bytes <= limit {
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
    fn a_segment_goes_when_it_is_in_the_lake_and_woven_and_not_the_last_such() {
        let mut segments = Segments::default();
        for number in 1..=4 {
            segments.grew(number, number * 10, 10, 100);
        }
        assert_eq!(segments.outlived(1000), (vec![], 0));
        segments.flushed = 3;
        assert_eq!(segments.outlived(1000), (vec![], 0));
        segments.woven = 15;
        assert_eq!(segments.outlived(1000), (vec![1], 0));
        assert_eq!(segments.outlived(250), (vec![2], 10));
        assert_eq!(segments.numbers(), [3, 4]);
    }
}
