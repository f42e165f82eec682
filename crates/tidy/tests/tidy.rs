//! The house rules, run over the repository. A failure lists every fault and what to do about it.

use std::collections::BTreeSet;

use clew_tidy::exceptions::Exceptions;
use clew_tidy::metadata::Metadata;
use clew_tidy::sources::{self, Source};
use clew_tidy::{deny, layers, length, lints, map, pages, test_names, words};

fn all() -> Vec<Source> {
    sources::all(&sources::root()).expect("git lists the sources")
}

fn metadata() -> Metadata {
    Metadata::read(&sources::root()).expect("cargo knows the workspace")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(sources::root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn none(faults: impl AsRef<[String]>) {
    let faults = faults.as_ref();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn files_have_one_subject() {
    let exceptions = Exceptions::read(&sources::root()).unwrap();
    none(length::files(&all(), &exceptions));
    none(length::most_files(&all()));
}

#[test]
fn functions_fit_a_screen() {
    let exceptions = Exceptions::read(&sources::root()).unwrap();
    none(length::functions(&all(), &exceptions));
}

#[test]
fn every_file_opens_with_its_page() {
    none(pages::missing(&all()));
}

#[test]
fn no_banned_word_is_there() {
    none(words::banned(&all()));
}

#[test]
fn tests_are_named_by_sentences() {
    none(test_names::no_sentences(&all()));
}

#[test]
fn every_crate_takes_the_lints_and_says_what_it_allows() {
    none(lints::not_inherited(&all()));
    none(lints::unexplained(&all()));
}

#[test]
fn pure_crates_have_all_bans_and_more() {
    let files = ["crates/model/clippy.toml", "crates/weave/clippy.toml"];
    let pure: Vec<_> = files.iter().map(|path| Source::new(path, read(path))).collect();
    none(lints::clippy_files(&read("clippy.toml"), &pure));
    let without_clock = |file: &&Source| !file.text.contains("\"std::time::Instant::now\"");
    assert_eq!(pure.iter().filter(without_clock).count(), 0, "the clock is not banned in a pure crate");
}

#[test]
fn dependencies_point_down() {
    none(layers::faults(&metadata()));
    none(layers::published(&metadata()));
    none(layers::sdk_in_sources(&all()));
}

#[test]
fn what_we_depend_on_keeps_the_rules_of_deny_toml() {
    let rules = deny::Rules::parse(&read("deny.toml")).unwrap();
    let metadata = metadata();
    let faults = [deny::licences(&metadata, &rules), deny::sources(&metadata), deny::duplicates(&metadata, &rules)];
    none(faults.concat());
}

#[test]
fn the_map_names_every_crate_and_dependency() {
    let architecture = read("ARCHITECTURE.md");
    none(map::dependencies(&read("Cargo.toml"), &architecture).unwrap());
    let root = sources::root().canonicalize().unwrap();
    let folder = |path: &str| path.strip_prefix(root.to_str()?)?.strip_suffix("/Cargo.toml").map(str::to_owned);
    let folders: BTreeSet<String> = metadata().ours().filter_map(|package| folder(&package.manifest_path)).collect();
    let folders = folders.iter().map(|folder| folder.trim_start_matches('/').to_owned()).collect();
    none(map::crates(&folders, &all(), &architecture));
}
