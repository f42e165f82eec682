//! A segment of the log, as a disk may give it back.

use clew_store::log::frame::{Found, encode, read};
use clew_store::log::scan;

/// Every byte is a record's or damaged, and no damage turns a record into another.
pub fn segment(data: &[u8]) {
    let found = scan(data, |frame| assert!(frame.payload.len() <= data.len()));
    assert!(found.good <= found.bytes);
    let mut covered = 0;
    for item in read(data) {
        match item {
            Found::Record(frame) => covered += clew_store::log::frame::HEADER + frame.payload.len(),
            Found::Damage(damage) => {
                assert_eq!(damage.at, covered);
                covered += damage.bytes;
            }
        }
    }
    assert_eq!(covered, data.len());

    let mut bytes = Vec::new();
    for sequence in 1..=3 {
        assert!(encode(1, sequence, &[data], &mut bytes));
    }
    let records = |bytes: &[u8]| {
        let records = read(bytes).filter_map(|item| match item {
            Found::Record(frame) => Some(frame),
            Found::Damage(_) => None,
        });
        records.inspect(|frame| assert_eq!(frame.payload, data)).count()
    };
    assert_eq!(records(&bytes), 3);
    let at =
        data.iter().fold(7_usize, |hash, byte| hash.wrapping_mul(31).wrapping_add(usize::from(*byte))) % bytes.len();
    bytes[at] ^= 1;
    assert_eq!(records(&bytes), 2);
    bytes[at] ^= 1;
    assert!(records(&bytes[..at]) <= 2);
}
