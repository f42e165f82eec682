//! What goes on while replicas are harmed: changes by kubectl, and spans to either of them.

use std::net::SocketAddr;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Spans that are sent until it is stopped; it remembers what was acknowledged.
pub(crate) struct Spans {
    stop: Arc<AtomicBool>,
    sent: Arc<AtomicU64>,
    thread: JoinHandle<Vec<String>>,
}

impl Spans {
    /// Sends to each in turn; what one refuses or does not answer goes to the next.
    pub(crate) fn start(to: Vec<SocketAddr>) -> Self {
        let (stop, sent) = (Arc::<AtomicBool>::default(), Arc::<AtomicU64>::default());
        let (stopped, counted) = (Arc::clone(&stop), Arc::clone(&sent));
        let thread = std::thread::spawn(move || {
            let mut acknowledged = Vec::new();
            for number in 1_u64.. {
                if stopped.load(Ordering::Relaxed) {
                    break;
                }
                let (trace, body) = request(number);
                let first = usize::try_from(number).unwrap();
                if (0..to.len()).any(|step| post(to[(first + step) % to.len()], &body)) {
                    acknowledged.push(trace);
                    counted.store(acknowledged.len() as u64, Ordering::Relaxed);
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            acknowledged
        });
        Self { stop, sent, thread }
    }

    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// The traces that were acknowledged.
    pub(crate) fn end(self) -> Vec<String> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap()
    }
}

fn request(number: u64) -> (String, String) {
    let trace = format!("{:032x}", 0xabcd_0000_0000_u128 + u128::from(number));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    let span = serde_json::json!({
        "traceId": trace, "spanId": format!("{number:016x}"), "name": "test", "kind": 1,
        "startTimeUnixNano": now.to_string(), "endTimeUnixNano": (now + 1000).to_string(),
    });
    let resource = serde_json::json!({"attributes": [{"key": "service.name", "value": {"stringValue": "replicas"}}]});
    let body = serde_json::json!({"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": [span]}]}]});
    (trace, body.to_string())
}

/// Whether it was acknowledged.
fn post(to: SocketAddr, body: &str) -> bool {
    let mut curl = Command::new("curl");
    curl.args(["-sS", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "3", "-H"]);
    curl.args(["content-type: application/json", "-d", body, &format!("http://{to}/v1/traces")]);
    String::from_utf8_lossy(&curl.output().unwrap().stdout) == "200"
}
