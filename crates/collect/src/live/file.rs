//! Small files that a source keeps beside the data: whole or not there, and never half written.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// The bytes of the check that stands before the content.
const CHECK: usize = 16;

/// A file's name from a text that may hold anything.
pub(crate) fn name_of(text: &str, ending: &str) -> String {
    format!("{}.{ending}", utf8_percent_encode(text, NON_ALPHANUMERIC))
}

/// Replaces a file, durably.
pub(crate) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(folder)?;
    let fresh = path.with_extension("new");
    let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&fresh)?;
    file.write_all(&check(content))?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&fresh, path)?;
    File::open(folder)?.sync_all()
}

/// The content of a file; none if it is not there or not what was written.
pub(crate) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut all = match fs::read(path) {
        Ok(all) => all,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if all.len() < CHECK {
        return Ok(None);
    }
    let content = all.split_off(CHECK);
    Ok((all == check(&content)).then_some(content))
}

fn check(content: &[u8]) -> [u8; CHECK] {
    let mut check = [0; CHECK];
    check.copy_from_slice(&blake3::hash(content).as_bytes()[..CHECK]);
    check
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_back_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("deep").join(name_of("a/b:c", "cursor"));
        assert_eq!(read(&path).expect("readable"), None);
        write(&path, b"one").expect("written");
        write(&path, b"two").expect("written again");
        assert_eq!(read(&path).expect("readable").as_deref(), Some(&b"two"[..]));
        let mut damaged = fs::read(&path).expect("there");
        damaged[17] ^= 1;
        fs::write(&path, &damaged).expect("written");
        assert_eq!(read(&path).expect("readable"), None);
        fs::write(&path, b"short").expect("written");
        assert_eq!(read(&path).expect("readable"), None);
    }
}
