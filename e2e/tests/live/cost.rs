//! What a webhook costs that hangs; what it costs otherwise is measured by `examples/cost`.

use std::time::{Duration, Instant};

use clew_e2e::{Cluster, Identity, Options};
use clew_server::admission::{Reached, Trust, configuration};
use tokio::runtime::Runtime;

use crate::harness::{eventually, name, turn, up};
use crate::tls;

#[test]
fn a_webhook_that_hangs_costs_a_second_and_refuses_nothing() {
    let _turn = turn();
    let runtime = Runtime::new().unwrap();
    let hangs = axum::Router::new().fallback(|| async { tokio::time::sleep(Duration::from_mins(5)).await });
    let (port, authority) = tls::serve(&runtime, hangs);
    let cluster = up(Options { control_plane_only: true, reach: vec![port], ..Options::new(name("live-hangs")) });
    let make = |name: &str| {
        let start = Instant::now();
        let made = cluster.kubectl(Identity::Alice, &["create", "configmap", name, "--from-literal=a=1"]);
        made.unwrap_or_else(|error| panic!("{error}"));
        start.elapsed()
    };
    let before = make("before");
    configure(&cluster, port, &authority);
    let mut number = 0;
    let slow = eventually("the API server to call the webhook", || {
        number += 1;
        Some(make(&format!("after-{number}"))).filter(|took| *took > Duration::from_secs(1))
    });
    println!("a create took {before:?} without the webhook and {slow:?} with one that hangs");
    assert!(slow < before + Duration::from_secs(2), "one second of the webhook, and the create itself: {slow:?}");
}

fn configure(cluster: &Cluster, port: u16, authority: &str) {
    let reached = Reached::Url(format!("https://127.0.0.1:{port}"));
    let object = configuration("clew", &reached, &Trust::Authorities(authority.to_owned())).to_string();
    cluster.kubectl_with(Identity::Admin, &["apply", "-f", "-"], &object).unwrap_or_else(|error| panic!("{error}"));
}
