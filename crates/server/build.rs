//! Finds the files of the page, so that the feature `ui` can embed them.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_UI").is_none() {
        return Ok(());
    }
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../ui/dist");
    println!("cargo::rerun-if-changed={}", folder.display());
    if !folder.join("index.html").is_file() {
        println!("cargo::error=the feature `ui` needs the built page: run `npm ci && npm run build` in ui/ first");
        return Ok(());
    }
    let mut files = Vec::new();
    find(&folder.canonicalize()?, &mut files)?;
    files.sort();
    let root = folder.canonicalize()?;
    let mut list = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&root)?.to_string_lossy().replace('\\', "/");
        let path = file.to_string_lossy();
        writeln!(list, "    ({name:?}, include_bytes!({path:?})),")?;
    }
    list.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("page.rs"), list)?;
    Ok(())
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
