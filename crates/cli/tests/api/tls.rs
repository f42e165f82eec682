//! Asking a clew that listens with TLS and wants a token.

use crate::clew::Clew;

#[test]
fn commands_ask_over_tls_whom_they_trust_and_nobody_else() {
    let clew = Clew::with_tls("captures/rollout", "s3cret");
    let server = format!("https://{}", clew.address);
    let (ca, token) = (clew.file("data/own/ca.crt"), clew.file("token"));
    let asked = ["journeys", "--server", &server, "--output", "jsonl"];
    let ask = |more: &[&str]| clew.ask(&[&asked[..], more].concat());
    let (went_well, journeys, errors) = ask(&["--ca", &ca, "--token-file", &token]);
    assert!(went_well && journeys.lines().count() > 3, "{journeys}{errors}");
    let (went_well, _, errors) = ask(&["--token-file", &token]);
    assert!(!went_well && errors.contains("--server-ca"), "nobody signed for it that this machine knows: {errors}");
    let (went_well, _, errors) = ask(&["--ca", &ca]);
    assert!(!went_well && errors.contains("token is needed"), "{errors}");
    let (went_well, _, errors) = ask(&["--ca", &token, "--token-file", &token]);
    assert!(!went_well && !errors.is_empty(), "a file without a certificate is no authority");
    let plain = server.replace("https", "http");
    let (went_well, _, errors) = clew.ask(&["journeys", "--server", &plain, "--token-file", &token]);
    assert!(!went_well, "{errors}");
}
