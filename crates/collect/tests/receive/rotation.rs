//! Certificates that change while they are shown.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clew_collect::live::{SourceHandle, SourceKind, SourceState, Sources};
use clew_collect::tls::{Clients, Files, Keep, Own, Tls, VerifiedClient, client_of};
use clew_model::Time;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio_rustls::TlsConnector;

use crate::tls::Authority;

const DAY: i64 = 86_400_000_000_000;

fn now() -> Time {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock").as_nanos();
    Time::from_nanos(i64::try_from(elapsed).expect("a time"))
}

/// A listener, and who came.
struct Shown {
    address: SocketAddr,
    came: mpsc::Receiver<Option<VerifiedClient>>,
}

impl Shown {
    async fn new(tls: Tls) -> Self {
        let acceptor = tls.acceptor().expect("acceptor");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("listener");
        let address = listener.local_addr().expect("address");
        let (tell, came) = mpsc::channel(16);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                if let Ok(stream) = acceptor.accept(stream).await {
                    let _ = tell.send(client_of(&stream)).await;
                }
            }
        });
        Self { address, came }
    }

    /// Whether a client that trusts these authorities is content.
    async fn is_trusted(&self, bundle: &str) -> bool {
        self.visit(bundle, None).await.is_ok()
    }

    async fn visit(&self, bundle: &str, client: Option<(String, String)>) -> io::Result<()> {
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(bundle.as_bytes()) {
            roots.add(certificate.expect("PEM")).expect("a root");
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let builder = builder.expect("versions").with_root_certificates(roots);
        let config = match client {
            None => builder.with_no_client_auth(),
            Some((certificate, key)) => {
                let chain = vec![CertificateDer::from_pem_slice(certificate.as_bytes()).expect("certificate")];
                let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).expect("key");
                builder.with_client_auth_cert(chain, key).expect("a client")
            }
        };
        let stream = TcpStream::connect(self.address).await?;
        let name = ServerName::try_from("localhost").expect("name");
        TlsConnector::from(Arc::new(config)).connect(name, stream).await.map(drop)
    }
}

fn write(folder: &Path, authority: &Authority) -> Files {
    let (certificate, key) = authority.issue("localhost");
    let path = |name: &str, text: &str| -> PathBuf {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("written");
        path
    };
    Files { certificate: path("tls.crt", &certificate), key: path("tls.key", &key) }
}

async fn until(what: &str, mut ask: impl AsyncFnMut() -> bool) {
    let waited = async {
        while !ask().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), waited).await.unwrap_or_else(|_| panic!("waited for {what}"));
}

fn source(sources: &Sources) -> SourceHandle {
    sources.of("test", SourceKind::Certificate, "files")
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_change_are_shown_at_once_and_bad_ones_are_not() {
    let folder = tempfile::tempdir().expect("folder");
    let (first, second) = (Authority::new(), Authority::new());
    let files = write(folder.path(), &first);
    let certificate = files.certificate().expect("certificate");
    let shown = Shown::new(Tls { certificate: certificate.clone(), clients: Clients::Any }).await;
    let (sources, (_stop, stopped)) = (Sources::default(), watch::channel(false));
    let every = Duration::from_millis(10);
    tokio::spawn(files.clone().follow(certificate, source(&sources), (every, |_| {}), stopped));
    assert!(shown.is_trusted(&first.pem()).await);
    until("the files to be followed", async || sources.list()[0].state == SourceState::Up).await;
    write(folder.path(), &second);
    until("the second certificate", async || shown.is_trusted(&second.pem()).await).await;
    std::fs::write(&files.certificate, "half a certif").expect("written");
    until("the failure to be said", async || sources.list()[0].state == SourceState::Failed).await;
    let said = sources.list()[0].message.clone();
    assert!(said.contains("tls.crt") && said.contains("still shown"), "{said}");
    assert!(shown.is_trusted(&second.pem()).await, "the one before is still shown");
    write(folder.path(), &first);
    until("good files again", async || shown.is_trusted(&first.pem()).await).await;
    until("that to be said", async || sources.list()[0].state == SourceState::Up).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_authority_of_our_own_is_followed_by_another_while_connections_come() {
    let folder = tempfile::tempdir().expect("folder");
    let keep = || Keep::Folder(folder.path().to_owned());
    let names = || vec!["localhost".to_owned()];
    let (now, long_ago) = (now(), now().saturating_sub(500 * DAY));
    let own = Own::open(keep(), folder.path().to_owned(), names(), long_ago).await.expect("made");
    let before = own.authorities(long_ago).await.expect("kept").bundle();
    let shown = Shown::new(Tls { certificate: own.certificate(), clients: Clients::Any }).await;
    assert!(!shown.is_trusted(&before).await, "a certificate of 90 days that was not followed by another");

    let authorities = own.authorities(now).await.expect("renewed");
    let after = authorities.bundle();
    assert!(after.contains(&before) && after != before, "both are trusted before the new one signs");
    assert!(own.renew(&authorities, now).expect("renewed"));
    assert!(!own.renew(&authorities, now).expect("still good"));
    assert!(shown.is_trusted(&after).await && !shown.is_trusted(&before).await);

    let another = Own::open(keep(), folder.path().to_owned(), names(), now).await.expect("opened");
    assert_eq!(another.authorities(now).await.expect("kept").bundle(), after, "kept over restarts");
    let mode = std::os::unix::fs::MetadataExt::mode(&folder.path().join("authorities.json").metadata().expect("there"));
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_shows_a_certificate_is_known_and_another_is_let_in_as_a_stranger() {
    let folder = tempfile::tempdir().expect("folder");
    let (authority, clients) = (Authority::new(), Authority::new());
    let certificate = write(folder.path(), &authority).certificate().expect("certificate");
    let path = folder.path().join("clients.crt");
    std::fs::write(&path, clients.pem()).expect("written");
    let mut shown = Shown::new(Tls { certificate, clients: Clients::May(path) }).await;
    shown.visit(&authority.pem(), Some(clients.issue("kube-apiserver"))).await.expect("let in");
    assert_eq!(shown.came.recv().await.flatten().map(|client| client.name).as_deref(), Some("kube-apiserver"));
    shown.visit(&authority.pem(), None).await.expect("let in");
    assert_eq!(shown.came.recv().await, Some(None));
    // In TLS 1.3 a client learns of the refusal only when it reads: the listener tells.
    let _ = shown.visit(&authority.pem(), Some(Authority::new().issue("kube-apiserver"))).await;
    shown.visit(&authority.pem(), None).await.expect("let in");
    assert_eq!(shown.came.recv().await, Some(None), "the one with a wrong certificate did not come");
}
