//! What the HTTP receivers have in common: bodies of bounded size, plain or gzip.

use std::io::Read;

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};

/// The largest body that is taken, before and after decompression.
pub(crate) const MAX_BODY: usize = 64 * 1024 * 1024;

/// Small answers must not wait for the acknowledgement of the one before: that takes 40 ms.
pub(crate) fn at_once(stream: &mut tokio::net::TcpStream) {
    let _ = stream.set_nodelay(true);
}

/// The body as it was before the sender compressed it.
pub(crate) fn plain_body(headers: &HeaderMap, body: Bytes, max: usize) -> Result<Bytes, (StatusCode, String)> {
    let encoding = headers.get(header::CONTENT_ENCODING).map(|value| value.to_str().unwrap_or("unknown"));
    match encoding {
        None | Some("identity" | "") => Ok(body),
        Some("gzip") => gunzip(&body, max),
        Some(other) => {
            Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("content encoding {other} is not taken: use gzip\n")))
        }
    }
}

fn gunzip(body: &[u8], max: usize) -> Result<Bytes, (StatusCode, String)> {
    let mut plain = Vec::new();
    // One byte more than allowed tells a body that is just large enough from one that is too large.
    let limited = flate2::read::MultiGzDecoder::new(body).take(max as u64 + 1).read_to_end(&mut plain);
    if let Err(error) = limited {
        return Err((StatusCode::BAD_REQUEST, format!("the body is no gzip: {error}\n")));
    }
    if plain.len() > max {
        return Err((StatusCode::PAYLOAD_TOO_LARGE, format!("the body is larger than {max} bytes\n")));
    }
    Ok(plain.into())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(plain: &[u8]) -> Bytes {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(plain).expect("write");
        encoder.finish().expect("finish").into()
    }

    fn taken(encoding: &'static str, body: Bytes, max: usize) -> Result<Bytes, StatusCode> {
        let headers = HeaderMap::from_iter([(header::CONTENT_ENCODING, encoding.parse().expect("value"))]);
        plain_body(&headers, body, max).map_err(|(code, _)| code)
    }

    #[test]
    fn gzip_is_unpacked_up_to_the_limit() {
        assert_eq!(taken("gzip", gzip(b"hello"), 5).as_deref(), Ok(&b"hello"[..]));
        assert_eq!(taken("gzip", gzip(b"hello!"), 5), Err(StatusCode::PAYLOAD_TOO_LARGE));
        assert_eq!(taken("gzip", gzip(&vec![0; 10_000_000]), 1000), Err(StatusCode::PAYLOAD_TOO_LARGE));
    }

    #[test]
    fn what_is_no_gzip_is_refused() {
        assert_eq!(taken("gzip", Bytes::from_static(b"hello"), 10), Err(StatusCode::BAD_REQUEST));
        assert_eq!(taken("br", Bytes::from_static(b"hello"), 10), Err(StatusCode::UNSUPPORTED_MEDIA_TYPE));
    }
}
