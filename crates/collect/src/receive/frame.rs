//! gRPC's frame around the one message of a call.

use bytes::{BufMut, Bytes, BytesMut};

use super::refusal::Refusal;

/// Bytes before a message: whether it is packed, and its length.
pub(super) const HEAD: usize = 5;

/// What a body says before its message: the flags, and how long the message is; none if that is not there yet.
pub(super) fn head(body: &[u8]) -> Option<(u8, usize)> {
    let (&[flags, ref length @ ..], _) = body.split_first_chunk::<HEAD>()?;
    Some((flags, usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX)))
}

/// The message of a call's body, and whether it is packed.
pub(super) fn unwrap(mut body: Bytes, max: usize) -> Result<(Bytes, bool), Refusal> {
    let malformed = |why: &str| Refusal::Malformed(why.to_owned());
    let Some((packed, length)) = head(&body) else {
        return Err(malformed("the call has no message"));
    };
    if length > max {
        return Err(Refusal::TooLarge(max));
    }
    let message = body.split_off(HEAD);
    match (message.len().cmp(&length), packed) {
        (std::cmp::Ordering::Less, _) => Err(malformed("the message is cut off")),
        (std::cmp::Ordering::Greater, _) => Err(malformed("the call has more than one message")),
        (_, 0 | 1) => Ok((message, packed == 1)),
        _ => Err(malformed("the message has unknown flags")),
    }
}

/// A plain message with its frame.
pub(super) fn wrap(message: &[u8]) -> Bytes {
    let mut framed = BytesMut::with_capacity(HEAD + message.len());
    framed.put_u8(0);
    framed.put_u32(u32::try_from(message.len()).unwrap_or(u32::MAX));
    framed.put_slice(message);
    framed.freeze()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_read_as_it_was_written() {
        assert_eq!(unwrap(wrap(b"hello"), 5), Ok((Bytes::from_static(b"hello"), false)));
        assert_eq!(unwrap(Bytes::from_static(&[1, 0, 0, 0, 1, 9]), 5), Ok((Bytes::from_static(&[9]), true)));
    }

    #[test]
    fn a_frame_that_lies_is_refused() {
        assert_eq!(unwrap(wrap(b"hello!"), 5), Err(Refusal::TooLarge(5)));
        for bad in [&[0, 0, 0, 0][..], &[0, 0, 0, 0, 2, 1], &[0, 0, 0, 0, 1, 1, 1], &[7, 0, 0, 0, 1, 1]] {
            let refused = unwrap(Bytes::from_static(bad), 5);
            assert!(matches!(refused, Err(Refusal::Malformed(_))), "{bad:?} {refused:?}");
        }
    }
}
