//! What one replica tells the others of what an endpoint took.

use clew_model::TraceId;

use super::taken::{ENTRY, Mark};

/// A request that an endpoint took.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Note {
    /// The endpoint's folder.
    pub(super) endpoint: String,
    pub(super) marks: Vec<Mark>,
    pub(super) journeys: Vec<TraceId>,
}

impl Note {
    /// As it stands in the log.
    pub(super) fn encode(&self) -> Vec<u8> {
        let marks: Vec<[u8; ENTRY]> = self.marks.iter().map(|mark| mark.to_bytes()).collect();
        let journeys: Vec<[u8; 16]> = self.journeys.iter().map(|journey| journey.to_bytes()).collect();
        // Numbers and bytes: there is nothing that could not be written.
        postcard::to_allocvec(&(&self.endpoint, marks, journeys)).unwrap_or_default()
    }

    /// None if it is of another version.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        type Parts = (String, Vec<[u8; ENTRY]>, Vec<[u8; 16]>);
        let (endpoint, marks, journeys): Parts = postcard::from_bytes(bytes).ok()?;
        let marks = marks.into_iter().map(Mark::from_bytes).collect();
        Some(Self { endpoint, marks, journeys: journeys.into_iter().map(TraceId::from_bytes).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_read_as_it_was_written() {
        let marks = vec![Mark::from_bytes([7; ENTRY]), Mark::from_bytes([9; ENTRY])];
        let note = Note { endpoint: "e".to_owned(), marks, journeys: vec![TraceId::from_bytes([1; 16])] };
        assert_eq!(Note::decode(&note.encode()), Some(note));
        assert_eq!(Note::decode(&[0xff; 3]), None);
    }
}
