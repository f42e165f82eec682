//! A way between two parts of a test that can be cut: connections are carried to the first target that answers.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Carries connections, as a Service does.
pub(crate) struct Way {
    port: u16,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    targets: Vec<SocketAddr>,
    is_cut: bool,
    open: Vec<TcpStream>,
    carried: usize,
}

impl Way {
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::<Mutex<State>>::default();
        let carrying = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                carry(&stream, &carrying);
            }
        });
        Self { port, state }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Where connections go from now on: to each in turn, or to the next if one does not answer.
    pub(crate) fn lead_to(&self, targets: &[SocketAddr]) {
        targets.clone_into(&mut self.state.lock().unwrap().targets);
    }

    /// Ends every connection and lets none through, or lets them through again.
    pub(crate) fn cut(&self, is_cut: bool) {
        let mut state = self.state.lock().unwrap();
        state.is_cut = is_cut;
        for stream in state.open.drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn carry(stream: &TcpStream, state: &Mutex<State>) {
    let mut state = state.lock().unwrap();
    if state.is_cut {
        return;
    }
    state.carried += 1;
    let (count, first) = (state.targets.len(), state.carried);
    let targets = (0..count).map(|step| state.targets[(first + step) % count]);
    let Some(target) = targets.into_iter().find_map(|target| TcpStream::connect(target).ok()) else { return };
    for (from, to) in [(stream, &target), (&target, stream)] {
        let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
        state.open.push(from.try_clone().unwrap());
        std::thread::spawn(move || copy(from, to));
    }
}

fn copy(mut from: TcpStream, mut to: TcpStream) {
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(read @ 1..) = from.read(&mut bytes) {
        if to.write_all(&bytes[..read]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
