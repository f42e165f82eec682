//! TLS, and clients that show who they are.

use std::path::Path;

use clew_collect::CollectError;
use clew_collect::receive::Settings;
use clew_collect::tls::{Clients, Files, Tls};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_client::TraceServiceClient;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Identity};

use crate::client::{request, span};
use crate::server::{Server, settings};

pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("parameters");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().expect("key")).expect("certificate"))
    }

    pub(crate) fn pem(&self) -> String {
        self.0.pem()
    }

    /// A certificate and its key.
    pub(crate) fn issue(&self, name: &str) -> (String, String) {
        let key = KeyPair::generate().expect("key");
        let mut params = CertificateParams::new(vec![name.to_owned()]).expect("parameters");
        params.distinguished_name.push(DnType::CommonName, name);
        (params.signed_by(&key, &self.0).expect("signed").pem(), key.serialize_pem())
    }
}

fn write(folder: &Path, name: &str, text: &str) -> std::path::PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("write");
    path
}

fn tls(folder: &Path, authority: &Authority, clients: Option<&Authority>) -> Settings {
    let (certificate, key) = authority.issue("localhost");
    let files = Files { certificate: write(folder, "tls.crt", &certificate), key: write(folder, "tls.key", &key) };
    let clients = clients.map(|clients| Clients::Must(write(folder, "clients.crt", &clients.pem())));
    let tls = Tls { certificate: files.certificate().expect("certificate"), clients: clients.unwrap_or_default() };
    Settings { tls: Some(tls), ..settings() }
}

async fn connect(
    server: &Server,
    config: ClientTlsConfig,
) -> Result<TraceServiceClient<Channel>, tonic::transport::Error> {
    let port = server.receiver.grpc().expect("gRPC").port();
    let endpoint = Channel::from_shared(format!("https://localhost:{port}")).expect("endpoint");
    Ok(TraceServiceClient::new(endpoint.tls_config(config)?.connect().await?))
}

#[tokio::test(flavor = "multi_thread")]
async fn spans_come_over_tls() {
    let folder = tempfile::tempdir().expect("folder");
    let authority = Authority::new();
    let server = Server::start(&tls(folder.path(), &authority, None)).await;
    let trusting = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(authority.pem()));
    let mut client = connect(&server, trusting).await.expect("connects");
    client.export(request(vec![span("over TLS")])).await.expect("taken");
    assert_eq!(server.names(), ["over TLS"]);
    let stranger = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(Authority::new().pem()));
    assert!(connect(&server, stranger).await.is_err());
    server.wait_until(|received| received.handshakes_failed >= 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_clients_with_the_right_certificate_are_taken() {
    let folder = tempfile::tempdir().expect("folder");
    let (authority, clients) = (Authority::new(), Authority::new());
    let server = Server::start(&tls(folder.path(), &authority, Some(&clients))).await;
    let trusting = || ClientTlsConfig::new().ca_certificate(Certificate::from_pem(authority.pem()));
    let with = |issuer: &Authority| {
        let (certificate, key) = issuer.issue("client");
        trusting().identity(Identity::from_pem(certificate, key))
    };
    let mut client = connect(&server, with(&clients)).await.expect("connects");
    client.export(request(vec![span("known")])).await.expect("taken");
    for config in [trusting(), with(&Authority::new())] {
        // In TLS 1.3 a client learns of the refusal only when it reads.
        let refused = match connect(&server, config).await {
            Ok(mut client) => client.export(request(vec![span("unknown")])).await.is_err(),
            Err(_) => true,
        };
        assert!(refused);
    }
    assert_eq!(server.names(), ["known"]);
    server.wait_until(|received| received.handshakes_failed >= 2).await;
}

#[test]
fn a_file_that_is_no_certificate_is_named() {
    let folder = tempfile::tempdir().expect("folder");
    let (certificate, key) = Authority::new().issue("localhost");
    let key = write(folder.path(), "tls.key", &key);
    let files = Files { certificate: write(folder.path(), "tls.crt", "no certificate\n"), key: key.clone() };
    let refused = files.certificate().expect_err("no certificate");
    assert!(matches!(&refused, CollectError::Tls { path, .. } if path.ends_with("tls.crt")), "{refused}");
    let files = Files { certificate: folder.path().join("missing.crt"), key };
    assert!(files.certificate().expect_err("missing").to_string().contains("missing.crt"));
    let another = write(folder.path(), "another.key", &Authority::new().issue("localhost").1);
    let files = Files { certificate: write(folder.path(), "tls.crt", &certificate), key: another };
    assert!(files.certificate().is_err(), "a key of another certificate");
}
