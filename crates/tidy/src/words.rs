//! Words that must not stand in the repository.

use crate::sources::Source;

struct Ban {
    text: &'static str,
    rust_only: bool,
    instead: &'static str,
}

const fn ban(text: &'static str, rust_only: bool, instead: &'static str) -> Ban {
    Ban { text, rust_only, instead }
}

const UNFINISHED: &str = "finish it, or leave it out";
const MACHINE: &str = "it is a path of one machine: make it relative, or take it from the environment";
const REGISTRY: &str = "tools know their registry: leave the host out";

const BANS: [Ban; 14] = [
    ban("todo!(", true, UNFINISHED),
    ban("unimplemented!(", true, UNFINISHED),
    ban("dbg!(", true, "remove it, or report through the error or tracing"),
    ban("FIXME", false, UNFINISHED),
    ban("TODO", false, UNFINISHED),
    ban(concat!("/wo", "rk/"), false, MACHINE),
    ban(concat!("/fa", "rm/"), false, MACHINE),
    ban("index.crates.io", false, REGISTRY),
    ban("static.crates.io", false, REGISTRY),
    ban("proxy.golang.org", false, REGISTRY),
    ban("files.pythonhosted.org", false, REGISTRY),
    ban("registry.npmjs.org", false, REGISTRY),
    ban("deb.debian.org", false, REGISTRY),
    ban("://pypi.org", false, REGISTRY),
];

/// Files that tools write, or that name the words in order to ban them.
const EXEMPT: [&str; 4] = ["crates/tidy/src/words.rs", "Cargo.lock", "fuzz/Cargo.lock", "package-lock.json"];

/// Every banned word, with its line and what to do instead.
pub fn banned(sources: &[Source]) -> Vec<String> {
    let mut faults = Vec::new();
    for source in sources.iter().filter(|source| !is_exempt(&source.path)) {
        for (number, line) in source.text.lines().enumerate() {
            let found = BANS.iter().filter(|ban| line.contains(ban.text) && (!ban.rust_only || source.is_rust()));
            faults.extend(found.map(|ban| format!("{}:{}: {:?}: {}", source.path, number + 1, ban.text, ban.instead)));
        }
    }
    faults
}

fn is_exempt(path: &str) -> bool {
    EXEMPT.iter().any(|exempt| path == *exempt || path.ends_with(&format!("/{exempt}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banned_words_are_found_with_their_line() {
        let sources = [
            Source::new("a.rs", "fn a() {\n    todo!()\n}\n"),
            Source::new("a.md", concat!("write todo!() never\nsee /wo", "rk/main/x\n")),
            Source::new("Cargo.lock", "https://index.crates.io/\n"),
            Source::new("network.md", "network/ and framework/ are words\n"),
        ];
        let faults = banned(&sources);
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults[0].starts_with("a.rs:2: \"todo!(\": "));
        assert!(faults[1].starts_with(concat!("a.md:2: \"/wo", "rk/\": ")));
    }
}
