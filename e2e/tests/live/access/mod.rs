//! Two users, each of one namespace: neither sees anything of the other's, at any path of a running `clew up`.

mod asked;
mod cases;
mod clew;
mod scene;

use std::collections::BTreeSet;

use crate::harness::{eventually, turn};
use crate::server::restart_api_server;
use asked::Asked;
use cases::{Case, Shows, cases};
use clew::OWN;
use scene::{Scene, Side};

#[test]
fn a_user_sees_nothing_of_others_namespaces_at_any_path() {
    let _turn = turn();
    let scene = Scene::play();
    let covered: BTreeSet<String> = cases(&scene.tea, &scene.coffee).into_iter().map(|case| case.path).collect();
    for path in clew_server::paths() {
        assert!(covered.contains(&path), "{path} has no case: say in cases.rs what users see of it");
        let open = path == "/healthz" || path == "/readyz";
        for token in [None, Some("guess")] {
            let answer = scene.clew.ask(token, &Asked::get(&path));
            assert_eq!(answer.status, if open { 200 } else { 401 }, "{path} with {token:?}: {answer:?}");
        }
    }
    let faults = both_ask(&scene);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    for (me, other) in [(&scene.tea, &scene.coffee), (&scene.coffee, &scene.tea)] {
        streams_tell_their_own(&scene, &me.token, &me.words, &other.words);
        counts_are_those_of_the_list(&scene, &me.token);
    }
    everything_is_shown_to_clews_own_token(&scene);
    println!("{}", scene.clew.ask(Some(OWN), &Asked::get("/metrics")).lines("clew_access_"));
    a_cluster_that_does_not_answer_denies(&scene);
}

/// What is wrong with the answers that each side gets, while the other asks as well.
fn both_ask(scene: &Scene) -> Vec<String> {
    let ask_all = |me, other| cases(me, other).iter().filter_map(|case| fault(scene, me, other, case)).collect();
    std::thread::scope(|threads| {
        let tea = threads.spawn(|| ask_all(&scene.tea, &scene.coffee));
        let coffee: Vec<String> = ask_all(&scene.coffee, &scene.tea);
        [tea.join().unwrap(), coffee].concat()
    })
}

/// What is wrong with the answer that one side gets: it tells of the other, or hides what is theirs.
fn fault(scene: &Scene, me: &Side, other: &Side, case: &Case) -> Option<String> {
    let answer = scene.clew.ask(Some(&me.token), &case.asked);
    let about = format!("{} by {}: {answer:?}", case.asked, me.namespace);
    if let Some(word) = other.words.iter().find(|word| answer.has(word)) {
        return Some(format!("tells of {word}: {about}"));
    }
    match case.shows {
        Shows::Status(status) if answer.status != status => Some(format!("is not {status}: {about}")),
        Shows::Mine if !me.words.iter().any(|word| answer.has(word)) => Some(format!("hides what is theirs: {about}")),
        Shows::Mine | Shows::Status(_) => None,
    }
}

/// What the stream of a user told since before anything happened.
fn streams_tell_their_own(scene: &Scene, token: &str, mine: &[String], others: &[String]) {
    let stream = scene.streams.iter().find(|stream| stream.token == token).unwrap();
    let told = eventually("the stream to tell", || {
        let told = stream.told();
        mine.iter().all(|word| told.contains(word)).then_some(told)
    });
    assert!(!others.iter().any(|word| told.contains(word)), "{told}");
}

/// Histogram and heatmap name nothing: they must count what the list holds, and no more.
fn counts_are_those_of_the_list(scene: &Scene, token: &str) {
    let list = scene.clew.json(token, "/api/v1/journeys?limit=1000");
    let rows = list["journeys"].as_array().unwrap();
    let all = scene.clew.json(OWN, "/api/v1/journeys?limit=1000");
    assert!(rows.len() < all["journeys"].as_array().unwrap().len());
    let histogram = scene.clew.json(token, "/api/v1/histogram");
    let states = ["open", "converged", "failed", "stuck"];
    let buckets = histogram["buckets"].as_array().unwrap().iter();
    let counted: u64 = buckets.flat_map(|bucket| states.map(|state| bucket[state].as_u64().unwrap())).sum();
    assert_eq!(counted, rows.len() as u64, "{histogram}");
    let heatmap = scene.clew.json(token, "/api/v1/heatmap");
    let columns = heatmap["columns"].as_array().unwrap().iter();
    let counted: u64 =
        columns.flat_map(|column| column["counts"].as_array().unwrap()).map(|count| count.as_u64().unwrap()).sum();
    let ended = rows.iter().filter(|row| row["state"] != "open").count();
    assert_eq!(counted, ended as u64, "{heatmap}");
}

fn everything_is_shown_to_clews_own_token(scene: &Scene) {
    let all = scene.clew.ask(Some(OWN), &Asked::get("/api/v1/journeys?limit=1000"));
    assert!(scene.tea.words.iter().chain(&scene.coffee.words).all(|word| all.has(word)));
    // A trace that the requests of one command share is shown to whoever may read all that it touched.
    let shared = Asked::get(&format!("/api/v1/journeys/{}?raw=1", scene.shared));
    let whole = scene.clew.ask(Some(OWN), &shared);
    assert!(whole.has(&scene.tea.namespace) && whole.has(&scene.coffee.namespace), "{whole:?}");
    assert_eq!(scene.clew.ask(Some(&scene.tea.token), &shared).status, 404);
    for path in ["/api/v1/sql?query=select%20name%20from%20journeys", "/api/v1/status", "/metrics"] {
        assert_eq!(scene.clew.ask(Some(OWN), &Asked::get(path)).status, 200, "{path}");
        if !path.contains("sql") {
            assert_eq!(scene.clew.ask(Some(&scene.monitor), &Asked::get(path)).status, 200, "{path}");
        }
    }
}

fn a_cluster_that_does_not_answer_denies(scene: &Scene) {
    let list = Asked::get("/api/v1/journeys");
    let _server = restart_api_server(&scene.cluster, || {
        let denied = scene.clew.ask(Some(&scene.unseen), &list);
        assert_eq!(denied.status, 503, "{denied:?}");
        assert!(denied.has("so nothing is shown"), "{denied:?}");
        assert_eq!(scene.clew.ask(Some(OWN), &list).status, 200);
    });
    eventually("the cluster to answer again", || {
        (scene.clew.ask(Some(&scene.unseen), &list).status == 200).then_some(())
    });
}
