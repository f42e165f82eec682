//! Trace contexts and parent links on objects.

use clew_model::annotation::{Codec, KNOWN_KEYS, parent_link};

/// Under any key: what is read is valid, and once written it is right and not written again.
pub fn annotation(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let codec = Codec::default();
    for known in KNOWN_KEYS {
        let Ok(Some(found)) = codec.read(|key| (key == known).then_some(text)) else {
            continue;
        };
        assert!(found.context.is_valid());
        assert_eq!(found.key, known);
        if let Some(value) = codec.write(&found.context, |_| None::<&str>) {
            assert_eq!(codec.write(&found.context, |_| Some(&value)), None);
        }
    }
    if let Ok(parent) = parent_link(text, "own") {
        assert!(!parent.cluster.is_empty() && !parent.resource.is_empty() && !parent.name.is_empty());
    }
}
