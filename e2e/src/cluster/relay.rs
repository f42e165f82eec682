//! The relay: bytes between the machine's loopback and the cluster's, over unix sockets that both can see.
//!
//! A cluster's network namespace has no way out. The API server's port and the ports of `--reach` are the only
//! ones that cross, each as two relays back to back: loopback to socket on one side, socket to loopback on the other.

use std::io;
use std::net::Shutdown;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::stream::{Address, Listener, Stream};

/// Connections that one relay carries at a time; more are refused.
const CONNECTIONS: usize = 512;
/// How long to wait after a failed accept, so that a lack of file handles does not spin.
const PAUSE: Duration = Duration::from_millis(50);

/// A bound listener and where its connections go.
#[derive(Debug)]
pub(crate) struct Relay {
    listener: Listener,
    to: Address,
    open: Arc<AtomicUsize>,
}

impl Relay {
    pub(crate) fn bind(from: &Address, to: Address) -> io::Result<Self> {
        Ok(Self { listener: from.bind()?, to, open: Arc::default() })
    }

    pub(crate) fn port(&self) -> io::Result<u16> {
        self.listener.port()
    }

    /// Carries connections in the background until the process ends.
    pub(crate) fn start(self) {
        std::thread::spawn(move || {
            loop {
                match self.listener.accept() {
                    Ok(stream) => self.take(stream),
                    Err(error) => {
                        eprintln!("relay to {:?} cannot accept: {error}", self.to);
                        std::thread::sleep(PAUSE);
                    }
                }
            }
        });
    }

    fn take(&self, from: Stream) {
        if self.open.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS {
            self.open.fetch_sub(1, Ordering::Relaxed);
            eprintln!("relay to {:?} is full: {CONNECTIONS} connections are open, one was refused", self.to);
            return;
        }
        let (to, open) = (self.to.clone(), Arc::clone(&self.open));
        std::thread::spawn(move || {
            // Nothing listens yet, or the peer reset: closing the connection tells the client.
            let _ = to.connect().and_then(|to| join(from, &to));
            open.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

fn join(from: Stream, to: &Stream) -> io::Result<()> {
    let (back_from, back_to) = (to.try_clone()?, from.try_clone()?);
    let back = std::thread::spawn(move || pour(back_from, &back_to));
    pour(from, to);
    let _ = back.join();
    Ok(())
}

fn pour(mut from: Stream, to: &Stream) {
    // An error and an end mean the same to the other side: no more will come.
    let _ = to.try_clone().and_then(|mut to| io::copy(&mut from, &mut to));
    let _ = to.shutdown(Shutdown::Write);
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    #[test]
    fn bytes_go_both_ways_and_the_end_is_passed_on() {
        let target = Address::Loopback(0).bind().unwrap();
        let target_port = target.port().unwrap();
        let relay = Relay::bind(&Address::Loopback(0), Address::Loopback(target_port)).unwrap();
        let relay_port = relay.port().unwrap();
        relay.start();

        let echo = std::thread::spawn(move || {
            let mut stream = target.accept().unwrap();
            let mut asked = String::new();
            stream.read_to_string(&mut asked).unwrap();
            stream.write_all(asked.to_uppercase().as_bytes()).unwrap();
        });
        let mut client = Address::Loopback(relay_port).connect().unwrap();
        client.write_all(b"thread").unwrap();
        client.shutdown(Shutdown::Write).unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).unwrap();
        echo.join().unwrap();
        assert_eq!(answer, "THREAD");
    }
}
