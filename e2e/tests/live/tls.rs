//! HTTPS on the machine's loopback, with a certificate of its own.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::Router;
use clew_collect::tls::{Clients, Keep, Own, Tls};
use clew_model::Time;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// Serves a router with certificates that clew makes; gives the port, and the PEM of their authority.
pub(crate) fn serve(runtime: &Runtime, router: Router) -> (u16, String) {
    let folder = tempfile::tempdir().unwrap();
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    let now = Time::from_nanos(i64::try_from(nanos).unwrap());
    let keep = Keep::Folder(folder.path().to_owned());
    let own = runtime.block_on(Own::open(keep, folder.path().to_owned(), vec!["127.0.0.1".to_owned()], now)).unwrap();
    let acceptor = Tls { certificate: own.certificate(), clients: Clients::Any }.acceptor().unwrap();
    let authority = runtime.block_on(own.authorities(now)).unwrap().bundle();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let port = listener.local_addr().unwrap().port();
    runtime.spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // Small answers must not wait for the acknowledgement of the one before.
            let _ = stream.set_nodelay(true);
            let (acceptor, router) = (acceptor.clone(), router.clone());
            tokio::spawn(async move {
                let Ok(stream) = acceptor.accept(stream).await else { return };
                let service = TowerToHyperService::new(router);
                let _ = Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
    (port, authority)
}
