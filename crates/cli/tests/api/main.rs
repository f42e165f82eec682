//! The real binary over its real store: the query API, from YAML scenarios (start clew on a capture, ask, compare), and the
//! commands of the documentation.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod check;
mod clew;
mod docs;
mod http;
mod runs;
mod scenario;
mod tls;
mod yaml;

use std::path::Path;

use scenario::Scenario;

/// Every scenario is a test of its own; the last test sees to it that none is left out.
macro_rules! scenarios {
    ($($name:ident: $file:literal),* $(,)?) => {
        $(#[test]
        fn $name() {
            Scenario::read($file).run();
        })*

        #[test]
        fn no_scenario_is_left_out() {
            let named = [$($file),*];
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api/scenarios");
            for entry in std::fs::read_dir(folder).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                assert!(named.contains(&name.as_str()), "{name} is not run: name it in scenarios!");
            }
        }
    };
}

scenarios! {
    a_rollout_is_found_again: "rollout.yaml",
    what_is_stuck_says_what_it_waits_on: "broken.yaml",
    numbers_over_many_journeys_add_up: "numbers.yaml",
    wrong_questions_are_told_what_is_wrong: "wrong.yaml",
    a_token_keeps_others_out: "token.yaml",
    journeys_come_live: "live.yaml",
}
