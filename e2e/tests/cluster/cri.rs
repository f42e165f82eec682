//! A proxy between the kubelet and containerd.

use std::io;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use clew_e2e::folders::RunDir;
use clew_e2e::{Identity, Options};

use crate::harness::{deploy, name, phases, turn, up};

#[test]
fn the_kubelet_speaks_to_the_cri_endpoint_that_was_given() {
    let _turn = turn();
    let name = name("cri");
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("proxy.sock");
    let bytes = proxy(UnixListener::bind(&socket).unwrap(), RunDir::of(&name).unwrap().containerd_socket());
    let endpoint = Some(socket.display().to_string());
    let cluster = up(Options { cri_endpoint: endpoint, ..Options::new(name) });
    deploy(&cluster, Identity::Alice, "web", 1);
    assert_eq!(phases(&cluster), ["Running"]);
    assert!(bytes.load(Ordering::Relaxed) > 1000, "the kubelet went around the proxy");
}

/// Passes everything through, and counts what the kubelet sent.
fn proxy(listener: UnixListener, to: PathBuf) -> Arc<AtomicU64> {
    let bytes = Arc::<AtomicU64>::default();
    let counted = Arc::clone(&bytes);
    std::thread::spawn(move || {
        for kubelet in listener.incoming().flatten() {
            let Ok(containerd) = UnixStream::connect(&to) else {
                continue;
            };
            let answers = (containerd.try_clone().unwrap(), kubelet.try_clone().unwrap());
            std::thread::spawn(move || pour(answers.0, answers.1, &AtomicU64::default()));
            let counted = Arc::clone(&counted);
            std::thread::spawn(move || pour(kubelet, containerd, &counted));
        }
    });
    bytes
}

fn pour(mut from: UnixStream, mut to: UnixStream, counted: &AtomicU64) {
    let mut buffer = [0; 8192];
    while let Ok(length @ 1..) = io::Read::read(&mut from, &mut buffer) {
        counted.fetch_add(length as u64, Ordering::Relaxed);
        if io::Write::write_all(&mut to, &buffer[..length]).is_err() {
            return;
        }
    }
}
