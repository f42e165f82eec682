//! OTLP requests, as anyone may send them to the receiver.

use clew_collect::receive::json_to_protobuf;
use clew_store::otlp::{Limits, check, decode};

/// A request in protobuf is refused, or read the same by everyone who reads it. Seeds are in hexadecimal.
pub fn otlp_protobuf(data: &[u8]) {
    match unhex(data) {
        Some(bytes) => request(&bytes),
        None => request(data),
    }
}

/// A request in JSON is refused, or becomes one in protobuf.
pub fn otlp_json(data: &[u8]) {
    if let Ok(request) = json_to_protobuf(data) {
        assert!(check(&request, &Limits::default()).is_ok(), "what was written cannot be read");
        self::request(&request);
    }
}

fn request(bytes: &[u8]) {
    let limits =
        Limits { spans: 50, attributes: 4, events: 2, links: 2, key_bytes: 20, value_bytes: 60, ..Limits::default() };
    for limits in [Limits::default(), limits] {
        let decoded = decode(bytes, &limits);
        let checked = check(&bytes.to_vec().into(), &limits);
        assert_eq!(decoded.is_ok(), checked.is_ok(), "a check and a decode must agree");
        let (Ok((batch, counts)), Ok(checked)) = (decoded, checked) else { return };
        assert_eq!(counts, checked.counts);
        let spans = batch.spans().expect("what was built can be read");
        assert_eq!(spans.len() as u64, counts.taken);

        let again = check(&checked.request, &limits).expect("what was checked is a request");
        assert_eq!((again.counts.refused(), again.counts.taken), (0, counts.taken), "a check leaves nothing to refuse");
        assert_eq!(again.request, checked.request);
        let (batch, _) = decode(&checked.request, &limits).expect("what was checked can be decoded");
        // By their text, since a NaN equals nothing.
        assert_eq!(format!("{:?}", batch.spans().expect("spans")), format!("{spans:?}"));
        let told = checked.native.iter().flat_map(|native| &native.spans).map(|spans| u64::from(spans.spans));
        assert_eq!(told.sum::<u64>(), counts.taken, "the weaver hears of each span once");
        assert_eq!(again.native, checked.native);
    }
}

fn unhex(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: &u8| (*byte as char).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = text.chunks(2).map(|pair| Some(digit(pair.first()?)? << 4 | digit(pair.get(1)?)?));
    pairs.collect()
}
