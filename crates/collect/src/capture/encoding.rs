//! How a file is encoded, told by its first bytes rather than by its name.

use std::io::{self, BufRead, BufReader, Read};

const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Where a tar header says that it is one.
const TAR_MAGIC_AT: std::ops::Range<usize> = 257..262;
const TAR_BLOCK: usize = 512;
/// Large, so that few lines cross the end of a chunk and are copied.
const CHUNK: usize = 256 * 1024;

/// A stream of decoded bytes.
pub(super) type Decoded<'a> = BufReader<Box<dyn Read + 'a>>;

/// Decompresses the stream if it is zstd.
pub(super) fn decode<'a>(raw: impl Read + 'a) -> io::Result<Decoded<'a>> {
    let mut raw = BufReader::new(raw);
    let decoded: Box<dyn Read + 'a> =
        if starts_with_magic(&mut raw)? { Box::new(zstd::Decoder::with_buffer(raw)?) } else { Box::new(raw) };
    Ok(BufReader::with_capacity(CHUNK, decoded))
}

fn starts_with_magic(raw: &mut impl BufRead) -> io::Result<bool> {
    Ok(raw.fill_buf()?.starts_with(&ZSTD_MAGIC))
}

/// The first bytes of a stream, and the stream with those bytes put back.
pub(super) fn peek<'a>(mut stream: Decoded<'a>, length: usize) -> io::Result<(Vec<u8>, Decoded<'a>)> {
    let mut head = Vec::new();
    stream.by_ref().take(length as u64).read_to_end(&mut head)?;
    let whole: Box<dyn Read + 'a> = Box::new(io::Cursor::new(head.clone()).chain(stream));
    Ok((head, BufReader::with_capacity(CHUNK, whole)))
}

/// Whether these first bytes are those of a tar archive.
pub(super) fn is_tar(head: &[u8]) -> bool {
    head.len() >= TAR_BLOCK && &head[TAR_MAGIC_AT] == b"ustar"
}
