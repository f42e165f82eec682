//! Requests into spans, compared with what `prost` makes of them.

use bytes::Bytes;
use clew_model::Span;
use clew_store::otlp::{Limits, check, decode};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use proptest::collection::vec;
use proptest::prelude::*;
use prost::Message;

use crate::{arbitrary, reference};

const LIMITS: Limits = Limits {
    spans: 1000,
    attributes: 256,
    events: 256,
    links: 256,
    key_bytes: 512,
    value_bytes: 32768,
    depth: 32,
    earliest: 1,
    latest: u64::MAX,
};

fn decoded(request: &[u8]) -> Vec<Span> {
    decode(request, &LIMITS).expect("protobuf").0.spans().expect("columns")
}

proptest! {
    #[test]
    fn a_request_decodes_as_prost_decodes_it(spans in vec(arbitrary::span(), 0..4)) {
        let request = reference::request(&spans);
        let bytes = request.encode_to_vec();
        let expected = reference::spans(&request);
        prop_assert_eq!(&decoded(&bytes), &expected);

        let checked = check(&Bytes::from(bytes.clone()), &LIMITS).expect("protobuf");
        prop_assert_eq!(checked.counts.taken, expected.len() as u64);
        prop_assert_eq!(checked.counts.refused(), (spans.len() - expected.len()) as u64);
        prop_assert_eq!(checked.request == bytes, expected.len() == spans.len());
        prop_assert_eq!(&decoded(&checked.request), &expected);
    }

    #[test]
    fn the_weaver_hears_of_each_span_once(spans in vec(arbitrary::span(), 0..4), traces in vec(any::<bool>(), 4)) {
        let mut spans = spans;
        for (at, same) in (1..).zip(traces) {
            if let Some([before, span]) = spans.get_mut(at - 1..=at).filter(|_| same) {
                span.trace_id = before.trace_id;
            }
        }
        let checked = check(&reference::request(&spans).encode_to_vec().into(), &LIMITS).expect("protobuf");
        let spans = decoded(&checked.request);
        let mut rest = spans.as_slice();
        for told in checked.native.iter().flat_map(|native| &native.spans) {
            let (together, others) = rest.split_at(told.spans as usize);
            rest = others;
            prop_assert!(together.iter().all(|span| span.trace_id == told.trace));
            prop_assert_eq!(Some(told.start), together.iter().map(|span| span.start).min());
            prop_assert_eq!(told.links.len(), together.iter().map(|span| span.links.len()).sum::<usize>());
            let pods = together.iter().flat_map(|span| &span.attributes).filter(|(key, value)| {
                *key == "k8s.pod.uid" && value.as_str().is_some_and(|text| !text.is_empty())
            });
            prop_assert_eq!(told.pod.is_some(), pods.count() > 0);
        }
        prop_assert!(rest.is_empty());
    }

    #[test]
    fn damaged_bytes_are_refused_or_read(spans in vec(arbitrary::span(), 1..3), damage in vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = reference::request(&spans).encode_to_vec();
        for (at, byte) in damage {
            *at.get_mut(&mut bytes) = byte;
        }
        let ours = decode(&bytes, &LIMITS);
        let Ok(theirs) = ExportTraceServiceRequest::decode(bytes.as_slice()) else { return Ok(()) };
        // What prost reads is protobuf. Written anew it has each field once and in order, which leaves one way to read it.
        prop_assert!(ours.is_ok());
        prop_assert_eq!(format!("{:?}", decoded(&theirs.encode_to_vec())), format!("{:?}", reference::spans(&theirs)));
    }

    #[test]
    fn a_check_and_a_decode_agree_on_any_bytes(bytes in vec(any::<u8>(), 0..200)) {
        let decoded = decode(&bytes, &LIMITS);
        let checked = check(&Bytes::from(bytes), &LIMITS);
        prop_assert_eq!(decoded.is_ok(), checked.is_ok());
        if let (Ok((batch, counts)), Ok(checked)) = (decoded, checked) {
            prop_assert_eq!(counts, checked.counts);
            prop_assert_eq!(counts.taken, batch.len() as u64);
        }
    }
}
