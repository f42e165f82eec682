//! Configuration is read, refused and validated as Kubernetes v1.34.4 does it, in its words.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]

use clew_instrument::{EgressSelectorConfiguration, TracingConfiguration};
use serde_json::Value;

fn golden(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn decoding_gives_the_answers_of_kubernetes() {
    for case in golden(include_str!("golden/tracing_configuration.jsonl")) {
        let input = case["in"].as_str().unwrap();
        let answer = TracingConfiguration::decode(input);
        if input.contains("OpenTelemetryClientConfiguration") {
            // KEP-647's first form, which Kubernetes itself never shipped: read with a warning.
            assert!(!answer.unwrap().deprecations.is_empty());
            continue;
        }
        match case["err"].as_str() {
            None => {
                let configuration = answer.unwrap_or_else(|error| panic!("{input}: {error}")).configuration;
                assert_eq!(serde_json::to_value(&configuration).unwrap(), case["ok"], "{input}");
            }
            Some(expected) => {
                let error = answer.expect_err(input).to_string();
                let ours = error.strip_prefix("unable to decode tracing configuration data: ").unwrap();
                if expected.starts_with("yaml: ") {
                    // A syntax error is in the words of the YAML library, which is another one here.
                    assert!(ours.starts_with("yaml: "), "{input}: {ours}");
                    continue;
                }
                assert_eq!(ours, expected, "{input}");
            }
        }
    }
}

#[test]
fn validation_gives_the_answers_of_kubernetes() {
    for case in golden(include_str!("golden/validation.jsonl")) {
        let endpoint = case["endpoint"].as_str().unwrap();
        // gRPC's own short forms; Kubernetes reads them as a host with a broken port.
        let on_purpose = ["unix:a", "unix-abstract:foo"].contains(&endpoint);
        let configuration = TracingConfiguration {
            endpoint: Some(endpoint.to_owned()),
            sampling_rate_per_million: i32::try_from(case["rate"].as_i64().unwrap()).ok(),
            service: None,
        };
        for (path, key) in [("", "err"), ("tracing", "err_in_section")] {
            let ours = configuration.validate(path).err().map(|errors| errors.to_string());
            if on_purpose {
                assert_eq!(ours, None, "{endpoint}");
                continue;
            }
            assert_eq!(ours.as_deref(), case[key].as_str(), "{endpoint}");
        }
    }
}

#[test]
fn egress_selectors_give_the_answers_of_kubernetes() {
    for case in golden(include_str!("golden/egress.jsonl")) {
        let input = case["in"].as_str().unwrap();
        let answer = EgressSelectorConfiguration::decode(input);
        let Some(expected) = case["err"].as_str() else {
            if input.contains("TracingConfiguration") {
                assert!(answer.is_err(), "the wrong kind");
                continue;
            }
            let names: Vec<String> = answer.unwrap().selections.into_iter().map(|selection| selection.name).collect();
            assert_eq!(names, [case["ok"]["EgressSelections"][0]["Name"].as_str().unwrap()], "{input}");
            continue;
        };
        let error = answer.expect_err(input).to_string();
        assert_eq!(error.strip_prefix("unable to decode egress selector configuration: "), Some(expected), "{input}");
    }
}

#[test]
fn a_missing_file_is_refused_in_the_words_of_kubernetes() {
    let error = TracingConfiguration::from_file("test-tracing-config-absent".as_ref()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unable to read tracing configuration from \"test-tracing-config-absent\": open test-tracing-config-absent: no such file or directory"
    );
    assert_eq!(TracingConfiguration::from_file("".as_ref()).unwrap_err().to_string(), "tracing config file was empty");
}

#[test]
fn a_file_is_read_decoded_and_validated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tracing.yaml");
    let head = "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: TracingConfiguration\n";
    std::fs::write(&path, format!("{head}samplingRatePerMillion: 100\nendpoint: localhost:4317\n")).unwrap();
    let loaded = TracingConfiguration::from_file(&path).unwrap();
    assert_eq!(loaded.configuration.sampling_rate_per_million, Some(100));
    std::fs::write(&path, format!("{head}samplingRatePerMillion: 1000001\n")).unwrap();
    let error = TracingConfiguration::from_file(&path).unwrap_err().to_string();
    assert_eq!(
        error,
        "failed to validate tracing configuration: samplingRatePerMillion: Invalid value: 1000001: \
         sampling rate per million must be less than or equal to one million"
    );
}

#[test]
fn egress_validation_has_the_texts_of_kubernetes() {
    let check = |connection: &str| {
        let text = format!(
            "apiVersion: apiserver.k8s.io/v1beta1\nkind: EgressSelectorConfiguration\negressSelections:\n- name: cluster\n  connection:\n{connection}"
        );
        EgressSelectorConfiguration::decode(&text).unwrap().validate().err().map(|errors| errors.to_string())
    };
    assert_eq!(check("    proxyProtocol: Direct\n"), None);
    assert_eq!(check("    proxyProtocol: HTTPConnect\n    transport: {tcp: {url: \"http://a:1\"}}\n"), None);
    assert_eq!(
        check("    proxyProtocol: HTTPConnect\n").unwrap(),
        "service.connection.transport: Required value: transport must be set for HTTPConnect"
    );
    assert_eq!(
        check("    proxyProtocol: http-connect\n").unwrap(),
        "service.connection.protocol: Unsupported value: \"http-connect\": supported values: \"Direct\", \"GRPC\", \"HTTPConnect\""
    );
    assert_eq!(
        check("    proxyProtocol: HTTPConnect\n    transport: {tcp: {url: \"ftp://a:1\"}}\n").unwrap(),
        "service.connection.url: Invalid value: \"ftp://a:1\": supported connection protocols are http:// and https://"
    );
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,200}") {
        let _ = TracingConfiguration::decode(&text);
        let _ = EgressSelectorConfiguration::decode(&text);
        let configuration = TracingConfiguration { endpoint: Some(text), ..Default::default() };
        let _ = configuration.validate("tracing");
    }
}
