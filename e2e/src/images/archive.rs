//! An image as a docker archive: a tar of one layer, its configuration and a manifest.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::json;
use sha2::{Digest as _, Sha256};
use tar::{Builder, Header};

use crate::folders::write as write_file;
use crate::{Error, Result};

/// Writes the archive of an image with one binary at its root, and libraries at their own paths; an archive of the same
/// binary is left as it is.
pub(crate) fn write(
    folder: &Path,
    reference: &str,
    entrypoint: &str,
    (binary, libraries): (&Path, &[PathBuf]),
) -> Result<PathBuf> {
    let content = std::fs::read(binary).map_err(Error::file("read", binary))?;
    let short = &hex(&Sha256::digest(&content))[..12];
    let path = folder.join(format!("{entrypoint}-{short}.tar"));
    if path.is_file() {
        return Ok(path);
    }
    let mut files = vec![(entrypoint.to_owned(), content)];
    for library in libraries {
        let content = std::fs::read(library).map_err(Error::file("read", library))?;
        files.push((library.to_string_lossy().trim_start_matches('/').to_owned(), content));
    }
    let archive = pack(reference, entrypoint, &files).map_err(Error::file("pack", binary))?;
    std::fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
    // Renamed when whole, so that a half-written archive is never taken for one.
    let partial = path.with_extension(format!("partial-{}", std::process::id()));
    write_file(&partial, archive)?;
    std::fs::rename(&partial, &path).map_err(Error::file("rename", &partial))?;
    Ok(path)
}

/// The archive's bytes; the same content gives the same bytes.
fn pack(reference: &str, entrypoint: &str, files: &[(String, Vec<u8>)]) -> std::io::Result<Vec<u8>> {
    let files: Vec<_> = files.iter().map(|(name, content)| (name.as_str(), content.as_slice(), 0o755)).collect();
    let layer = tar_of(&files)?;
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let config = json!({
        "architecture": architecture,
        "os": "linux",
        "config": {"Entrypoint": [format!("/{entrypoint}")], "Env": ["PATH=/"]},
        "rootfs": {"type": "layers", "diff_ids": [format!("sha256:{}", hex(&Sha256::digest(&layer)))]},
    });
    let manifest = json!([{"Config": "config.json", "RepoTags": [reference], "Layers": ["layer.tar"]}]);
    tar_of(&[
        ("manifest.json", manifest.to_string().as_bytes(), 0o644),
        ("config.json", config.to_string().as_bytes(), 0o644),
        ("layer.tar", &layer, 0o644),
    ])
}

fn tar_of(files: &[(&str, &[u8], u32)]) -> std::io::Result<Vec<u8>> {
    let mut tar = Builder::new(Vec::new());
    for (name, content, mode) in files {
        let mut header = Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(*mode);
        header.set_mtime(0);
        tar.append_data(&mut header, name, *content)?;
    }
    tar.into_inner()
}

/// Bytes as lowercase hexadecimal text.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn the_manifest_names_the_image_and_the_layer_holds_the_binary() {
        let bytes = pack("docker.io/clew/x:1", "x", &[("x".to_owned(), b"binary".to_vec())]).unwrap();
        let mut archive = tar::Archive::new(bytes.as_slice());
        let mut found = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            found.push((entry.path().unwrap().display().to_string(), content));
        }
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["manifest.json", "config.json", "layer.tar"]);
        assert!(String::from_utf8_lossy(&found[0].1).contains("docker.io/clew/x:1"));
        let layer = hex(&Sha256::digest(&found[2].1));
        assert!(String::from_utf8_lossy(&found[1].1).contains(&layer));
    }

    #[test]
    fn the_same_binary_gives_the_same_archive() {
        let files = [("x".to_owned(), b"binary".to_vec())];
        assert_eq!(pack("a", "x", &files).unwrap(), pack("a", "x", &files).unwrap());
    }
}
