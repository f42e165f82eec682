//! Packed bodies, unpacked up to a limit.

use std::io::Read;

use bytes::Bytes;

use super::budget::Share;
use super::refusal::Refusal;

/// How much is unpacked at a time.
const STEP: usize = 64 * 1024;
/// The largest window of zstd, as a power of two, that is allocated for a client: 16 MiB.
const ZSTD_WINDOW: u32 = 24;

/// How a body is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Plain,
    Gzip,
    Zstd,
}

impl Encoding {
    /// The encoding of this name; none is plain.
    pub(super) fn named(name: Option<&str>) -> Result<Self, Refusal> {
        match name.map(str::trim) {
            None | Some("" | "identity") => Ok(Self::Plain),
            Some("gzip") => Ok(Self::Gzip),
            Some("zstd") => Ok(Self::Zstd),
            Some(other) => Err(Refusal::Encoding(other.chars().take(40).collect())),
        }
    }

    /// The body as it was before it was packed, if that is not larger than `max`.
    pub(super) fn unpack(self, body: Bytes, max: usize, share: &mut Share) -> Result<Bytes, Refusal> {
        match self {
            Self::Plain => Ok(body),
            Self::Gzip => read(flate2::read::MultiGzDecoder::new(body.as_ref()), "gzip", max, share),
            Self::Zstd => {
                let wrong = |error: std::io::Error| Refusal::Malformed(format!("the body is no zstd: {error}"));
                let mut decoder = zstd::stream::read::Decoder::with_buffer(body.as_ref()).map_err(wrong)?;
                decoder.window_log_max(ZSTD_WINDOW).map_err(wrong)?;
                read(decoder, "zstd", max, share)
            }
        }
    }
}

fn read(mut packed: impl Read, name: &str, max: usize, share: &mut Share) -> Result<Bytes, Refusal> {
    let mut plain = Vec::new();
    loop {
        let before = plain.len();
        share.grow(STEP)?;
        // One byte more than allowed tells a body that is just large enough from one that is too large.
        let step = STEP.min(max + 1 - before);
        let more = packed.by_ref().take(step as u64).read_to_end(&mut plain);
        more.map_err(|error| Refusal::Malformed(format!("the body is no {name}: {error}")))?;
        if plain.len() > max {
            return Err(Refusal::TooLarge(max));
        }
        if plain.len() == before {
            return Ok(plain.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::super::budget::Budget;
    use super::*;

    fn gzip(plain: &[u8]) -> Bytes {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(plain).expect("write");
        encoder.finish().expect("finish").into()
    }

    fn unpack(encoding: Encoding, body: Bytes, max: usize) -> Result<Bytes, Refusal> {
        encoding.unpack(body, max, &mut Share::new(&Budget::new(1 << 24)))
    }

    #[test]
    fn what_was_packed_is_unpacked_up_to_the_limit() {
        let plain = vec![b'x'; 200_000];
        let zstd: Bytes = zstd::encode_all(plain.as_slice(), 3).expect("zstd").into();
        for (encoding, packed) in [(Encoding::Gzip, gzip(&plain)), (Encoding::Zstd, zstd)] {
            assert_eq!(unpack(encoding, packed.clone(), 200_000).as_deref(), Ok(plain.as_slice()));
            assert_eq!(unpack(encoding, packed, 199_999), Err(Refusal::TooLarge(199_999)));
        }
    }

    #[test]
    fn what_is_not_packed_so_is_refused() {
        for (encoding, name) in [(Encoding::Gzip, "gzip"), (Encoding::Zstd, "zstd")] {
            let refused = unpack(encoding, Bytes::from_static(b"hello"), 10);
            assert!(matches!(&refused, Err(Refusal::Malformed(why)) if why.contains(name)), "{refused:?}");
        }
        assert_eq!(Encoding::named(Some("br")), Err(Refusal::Encoding("br".into())));
        assert_eq!(Encoding::named(Some("identity")), Ok(Encoding::Plain));
    }

    #[test]
    fn a_window_that_takes_too_much_memory_is_refused() {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).expect("zstd");
        encoder.window_log(27).expect("window");
        encoder.write_all(&vec![1; 1 << 20]).expect("write");
        let packed = encoder.finish().expect("finish").into();
        assert!(matches!(unpack(Encoding::Zstd, packed, 1 << 22), Err(Refusal::Malformed(_))));
    }

    #[test]
    fn all_requests_share_one_memory() {
        let packed = gzip(&vec![0; 1_000_000]);
        let refused = Encoding::Gzip.unpack(packed, 2_000_000, &mut Share::new(&Budget::new(500_000)));
        assert_eq!(refused, Err(Refusal::Busy));
    }
}
