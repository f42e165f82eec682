//! The way out: direct, through a real CONNECT proxy on TCP, TLS and a unix socket, and over TLS to the collector.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]

mod support;

use clew_instrument::{EgressSelectorConfiguration, Environment, ServiceReference, Tracing, TracingConfiguration};
use clew_testkit::otlp::Sink;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::{PrivateKeyDer, pem::PemObject};
use std::path::Path;
use std::sync::{Arc, Mutex};
use support::{SOON, configuration, no_environment, quick, quick_retries};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixListener};

/// What a proxy was asked for.
type Asked = Arc<Mutex<Vec<String>>>;

/// Serves one CONNECT on a connection: reads the request, dials, copies both ways.
async fn tunnel(mut client: impl AsyncRead + AsyncWrite + Unpin, asked: Asked, refuse: bool) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(client.read_u8().await.unwrap());
    }
    let head = String::from_utf8(head).unwrap();
    let target = head.split_whitespace().nth(1).unwrap().to_owned();
    asked.lock().unwrap().push(head.lines().next().unwrap().to_owned());
    if refuse {
        client.write_all(b"HTTP/1.1 403 Forbidden\r\n\r\n").await.unwrap();
        return;
    }
    // A Service has a name that only the cluster knows; here it is the sink.
    let target = target.replace("collector.tracing.svc", "127.0.0.1");
    let mut server = TcpStream::connect(target).await.unwrap();
    client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await.unwrap();
    let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
}

async fn tcp_proxy(refuse: bool) -> (String, Asked) {
    let asked = Asked::default();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let keeps = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(tunnel(stream, Arc::clone(&keeps), refuse));
        }
    });
    (url, asked)
}

fn selector(name: &str, connection: &str) -> EgressSelectorConfiguration {
    let text = format!(
        "apiVersion: apiserver.k8s.io/v1beta1\nkind: EgressSelectorConfiguration\negressSelections:\n- name: {name}\n  connection:\n{connection}"
    );
    let selector = EgressSelectorConfiguration::decode(&text).unwrap();
    selector.validate().unwrap();
    selector
}

fn http_connect(url: &str) -> String {
    format!("    proxyProtocol: HTTPConnect\n    transport:\n      tcp:\n        url: {url}\n")
}

/// Emits one span and waits for it; the number of exported spans.
async fn emit(configuration: TracingConfiguration, egress: EgressSelectorConfiguration) -> u64 {
    let builder =
        Tracing::builder("apiserver").environment(no_environment()).batching(quick()).retrying(quick_retries());
    let tracing = builder.configuration(configuration).egress(egress).build().unwrap();
    tracing.start("request", []).end();
    tokio::task::spawn_blocking(move || {
        tracing.flush(SOON);
        tracing.snapshot().ledger.exported
    })
    .await
    .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_goes_out_through_the_control_planes_proxy() {
    for name in ["controlplane", "master"] {
        let sink = Sink::start().unwrap();
        let (proxy, asked) = tcp_proxy(false).await;
        assert_eq!(emit(configuration(&sink, 1_000_000), selector(name, &http_connect(&proxy))).await, 1);
        assert_eq!(sink.spans().len(), 1);
        assert_eq!(asked.lock().unwrap()[0], format!("CONNECT {} HTTP/1.1", sink.address()), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_goes_out_through_the_clusters_proxy() {
    let sink = Sink::start().unwrap();
    let (proxy, asked) = tcp_proxy(false).await;
    let port = i32::from(sink.address().port());
    let service = ServiceReference { namespace: "tracing".into(), name: "collector".into(), port: Some(port) };
    let configuration =
        TracingConfiguration { service: Some(service), endpoint: None, ..configuration(&sink, 1_000_000) };
    assert_eq!(emit(configuration, selector("cluster", &http_connect(&proxy))).await, 1);
    assert_eq!(asked.lock().unwrap()[0], format!("CONNECT collector.tracing.svc:{port} HTTP/1.1"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proxy_can_be_on_a_unix_socket() {
    let sink = Sink::start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proxy.sock");
    let listener = UnixListener::bind(&path).unwrap();
    let asked = Asked::default();
    let keeps = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(tunnel(stream, Arc::clone(&keeps), false));
        }
    });
    let connection =
        format!("    proxyProtocol: HTTPConnect\n    transport:\n      uds:\n        udsName: {}\n", path.display());
    assert_eq!(emit(configuration(&sink, 1_000_000), selector("controlplane", &connection)).await, 1);
    assert_eq!(asked.lock().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_selection_and_a_direct_one_dial_directly() {
    for (name, connection) in [("etcd", "    proxyProtocol: Direct\n"), ("controlplane", "    proxyProtocol: Direct\n")]
    {
        let sink = Sink::start().unwrap();
        assert_eq!(emit(configuration(&sink, 1_000_000), selector(name, connection)).await, 1, "{name}");
    }
}

#[test]
fn a_missing_selection_says_that_it_dials_directly() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let log = std::fs::File::create(&path).unwrap();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(log).finish();
    tracing::subscriber::with_default(subscriber, || {
        let egress = selector("etcd", "    proxyProtocol: Direct\n");
        let builder = Tracing::builder("apiserver").environment(no_environment()).egress(egress);
        builder.configuration(TracingConfiguration::default()).build().unwrap();
    });
    let text = std::fs::read_to_string(path).unwrap();
    let said = "no egress selection for this network context: dialling directly context=\"controlplane\"";
    assert!(text.contains(said), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proxy_that_refuses_loses_the_span_and_is_counted() {
    let sink = Sink::start().unwrap();
    let (proxy, _) = tcp_proxy(true).await;
    assert_eq!(emit(configuration(&sink, 1_000_000), selector("controlplane", &http_connect(&proxy))).await, 0);
    assert_eq!(sink.connections(), 0);
}

#[test]
fn konnectivitys_grpc_is_refused_with_a_way_out() {
    let connection = "    proxyProtocol: GRPC\n    transport:\n      uds:\n        udsName: /run/konnectivity.sock\n";
    let builder =
        Tracing::builder("apiserver").environment(no_environment()).egress(selector("controlplane", connection));
    let error = builder.configuration(TracingConfiguration::default()).build().err().unwrap().to_string();
    assert!(error.ends_with("cannot carry spans: use Direct or HTTPConnect"), "{error}");
}

/// A certificate authority with a certificate for `localhost`, as PEM files.
struct Authority {
    folder: tempfile::TempDir,
}

impl Authority {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &issuer).unwrap();
        std::fs::write(folder.path().join("ca.pem"), issuer.pem()).unwrap();
        std::fs::write(folder.path().join("cert.pem"), certificate.pem()).unwrap();
        std::fs::write(folder.path().join("key.pem"), key.serialize_pem()).unwrap();
        Self { folder }
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// A TLS server in front of another one, that only takes clients of this authority.
    async fn terminate(&self, to: String) -> u16 {
        let certificates = rustls::pki_types::CertificateDer::pem_file_iter(Path::new(&self.file("cert.pem"))).unwrap();
        let certificates = certificates.collect::<Result<Vec<_>, _>>().unwrap();
        let key = PrivateKeyDer::from_pem_file(self.file("key.pem")).unwrap();
        let mut roots = rustls::RootCertStore::empty();
        roots.add(rustls::pki_types::CertificateDer::from_pem_file(self.file("ca.pem")).unwrap()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier =
            rustls::server::WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider));
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_client_cert_verifier(verifier.build().unwrap())
            .with_single_cert(certificates, key)
            .unwrap();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, to) = (acceptor.clone(), to.clone());
                tokio::spawn(async move {
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    let mut server = TcpStream::connect(to).await.unwrap();
                    let _ = tokio::io::copy_bidirectional(&mut stream, &mut server).await;
                });
            }
        });
        port
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_can_ask_for_tls_on_both_sides() {
    let sink = Sink::start().unwrap();
    let authority = Authority::new();
    let port = authority.terminate(sink.address().to_string()).await;
    let endpoint = format!("https://localhost:{port}");
    let (ca, certificate, key) = (authority.file("ca.pem"), authority.file("cert.pem"), authority.file("key.pem"));
    let mut pairs =
        vec![("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str()), ("OTEL_EXPORTER_OTLP_CERTIFICATE", ca.as_str())];
    let exported = |pairs: Vec<(&str, &str)>| {
        let builder =
            Tracing::from_env("cli", Environment::from_pairs(pairs)).batching(quick()).retrying(quick_retries());
        let tracing = builder.build().unwrap();
        tokio::task::spawn_blocking(move || {
            tracing.start("secret", []).end();
            tracing.flush(SOON);
            tracing.snapshot().ledger.exported
        })
    };
    assert_eq!(exported(pairs.clone()).await.unwrap(), 0, "without a certificate of its own");
    pairs.push(("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", certificate.as_str()));
    pairs.push(("OTEL_EXPORTER_OTLP_CLIENT_KEY", key.as_str()));
    assert_eq!(exported(pairs).await.unwrap(), 1);
    assert_eq!(sink.spans().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proxy_can_ask_for_tls() {
    let sink = Sink::start().unwrap();
    let authority = Authority::new();
    let (proxy, asked) = tcp_proxy(false).await;
    let port = authority.terminate(proxy.trim_start_matches("http://").to_owned()).await;
    let connection = format!(
        "    proxyProtocol: HTTPConnect\n    transport:\n      tcp:\n        url: https://localhost:{port}\n        tlsConfig:\n          caBundle: {}\n          clientKey: {}\n          clientCert: {}\n",
        authority.file("ca.pem"),
        authority.file("key.pem"),
        authority.file("cert.pem")
    );
    assert_eq!(emit(configuration(&sink, 1_000_000), selector("controlplane", &connection)).await, 1);
    assert_eq!(asked.lock().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_can_be_on_a_unix_socket() {
    let sink = Sink::start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("otlp.sock");
    let abstract_name = format!("clew-test-{}", std::process::id());
    let by_path = UnixListener::bind(&path).unwrap();
    let by_name = {
        use std::os::linux::net::SocketAddrExt;
        let address = std::os::unix::net::SocketAddr::from_abstract_name(&abstract_name).unwrap();
        let listener = std::os::unix::net::UnixListener::bind_addr(&address).unwrap();
        listener.set_nonblocking(true).unwrap();
        UnixListener::from_std(listener).unwrap()
    };
    for listener in [by_path, by_name] {
        let to = sink.address();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let mut server = TcpStream::connect(to).await.unwrap();
                    let _ = tokio::io::copy_bidirectional(&mut stream, &mut server).await;
                });
            }
        });
    }
    let endpoints = [
        format!("unix://{}", path.display()),
        format!("unix:{}", path.display()),
        format!("unix-abstract:{abstract_name}"),
    ];
    for (index, endpoint) in endpoints.into_iter().enumerate() {
        let configuration =
            TracingConfiguration { endpoint: Some(endpoint.clone()), ..configuration(&sink, 1_000_000) };
        assert_eq!(emit(configuration, EgressSelectorConfiguration::default()).await, 1, "{endpoint}");
        assert_eq!(sink.spans().len(), index + 1);
    }
}
