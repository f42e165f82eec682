//! Every target on stable Rust, over random bytes and over damaged seeds.

use std::collections::BTreeSet;
use std::path::Path;

use clew_fuzz_targets::{TARGETS, Target};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// So many inputs of either kind for each target; `PROPTEST_CASES` overrules it.
const CASES: u32 = 2_000;

/// One place of a seed, and what is done to it.
#[derive(Debug, Clone)]
enum Damage {
    Set(prop::sample::Index, u8),
    Insert(prop::sample::Index, Vec<u8>),
    Remove(prop::sample::Index),
    Truncate(prop::sample::Index),
    Double(prop::sample::Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        (any::<prop::sample::Index>(), interesting()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        (any::<prop::sample::Index>(), vec(interesting(), 1..8)).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        any::<prop::sample::Index>().prop_map(Damage::Remove),
        any::<prop::sample::Index>().prop_map(Damage::Truncate),
        any::<prop::sample::Index>().prop_map(Damage::Double),
    ]
}

/// Any byte, but mostly those that mean something to some grammar.
fn interesting() -> impl Strategy<Value = u8> {
    let meaningful = b"0123456789abcdefABCDEF-=,;:@%.+ \t{}[]\"\\TZz_*/";
    prop_oneof![3 => proptest::sample::select(meaningful.as_slice()), 1 => any::<u8>()]
}

fn damaged(seed: &str, damages: &[Damage]) -> Vec<u8> {
    let mut bytes = seed.as_bytes().to_vec();
    for damage in damages.iter().filter(|_| !seed.is_empty()) {
        if bytes.is_empty() {
            break;
        }
        match damage {
            Damage::Set(at, byte) => *at.get_mut(&mut bytes) = *byte,
            Damage::Insert(at, more) => {
                let at = at.index(bytes.len());
                bytes.splice(at..at, more.iter().copied());
            }
            Damage::Remove(at) => drop(bytes.remove(at.index(bytes.len()))),
            Damage::Truncate(at) => bytes.truncate(at.index(bytes.len())),
            Damage::Double(at) => bytes.extend_from_within(at.index(bytes.len())..),
        }
    }
    bytes
}

fn runner() -> TestRunner {
    let default = Config::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { CASES };
    TestRunner::new(Config { cases, failure_persistence: None, ..default })
}

fn exercise(target: &Target) {
    let run = |bytes: Vec<u8>| {
        (target.run)(&bytes);
        Ok(())
    };
    let seeds: Vec<&str> = target.seeds.lines().collect();
    for seed in &seeds {
        (target.run)(seed.as_bytes());
    }
    let random = runner().run(&vec(any::<u8>(), 0..300), run);
    let seeds = proptest::sample::select(seeds);
    let near = (seeds, vec(damage(), 1..6)).prop_map(|(seed, damages)| damaged(seed, &damages));
    let near = runner().run(&near, run);
    for result in [random, near] {
        result.unwrap_or_else(|error| panic!("{}: {error}", target.name));
    }
}

#[test]
fn no_input_breaks_a_rule_of_a_decoder() {
    std::thread::scope(|scope| {
        for target in TARGETS {
            scope.spawn(|| exercise(target));
        }
    });
}

#[test]
fn a_broken_rule_is_found() {
    let broken = |data: &[u8]| assert!(!data.contains(&b'%'), "a percent sign");
    let target = Target { name: "broken", run: broken, seeds: "abc\n" };
    assert!(std::panic::catch_unwind(|| exercise(&target)).is_err());
}

#[test]
fn every_target_has_its_fuzzer() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = std::fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    for target in TARGETS {
        assert!(manifest.contains(&format!("name = \"{}\"", target.name)), "{}: add its [[bin]]", target.name);
    }
    let files = std::fs::read_dir(fuzz.join("fuzz_targets")).unwrap();
    let files: BTreeSet<String> =
        files.map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned()).collect();
    let names: BTreeSet<String> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    assert_eq!(files, names, "fuzz/fuzz_targets and TARGETS must name the same");
}
