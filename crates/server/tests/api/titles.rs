//! The titles of every journey of every capture, as a person reads them.

use clew_server::title;

use crate::support::woven;

/// The distinct titles of a capture in their order, without the names that differ from one recording to the next.
fn titles(capture: &str) -> String {
    let mut titles: Vec<String> = woven(capture).journeys.iter().map(title).collect();
    titles.dedup();
    titles.join("\n")
}

macro_rules! titles_of {
    ($($name:ident: $capture:literal),* $(,)?) => {
        $(#[test]
        fn $name() {
            insta::assert_snapshot!(titles($capture));
        })*
    };
}

titles_of! {
    broken_deployments_have_titles: "broken",
    a_busy_cluster_has_titles: "busy",
    a_drained_node_has_titles: "drain",
    helm_releases_have_titles: "helm",
    jobs_and_ticks_have_titles: "jobs",
    changes_of_people_have_titles: "people",
    policies_have_titles: "policy",
    rollbacks_have_titles: "rollback",
}
