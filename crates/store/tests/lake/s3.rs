//! The same lake in a bucket of a real S3 server.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use clew_store::lake::{Lake, Options};
use clew_store::{SpanQuery, Store};
use clew_weave::State;

use crate::python::programs;
use crate::support::{Native, options, records, trace, woven};

/// `SeaweedFS` with everything in one process; it ends with the test.
struct Server {
    process: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Server {
    fn start() -> Option<Self> {
        let weed = programs()?.join("weed");
        let folder = tempfile::tempdir().unwrap();
        let free = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let port = free();
        let ports = [("master.port", free()), ("volume.port", free()), ("filer.port", free()), ("s3.port", port)];
        let mut command = Command::new(weed);
        command.arg("server").arg(format!("-dir={}", folder.path().display())).args([
            "-s3",
            "-ip=127.0.0.1",
            "-volume.max=20",
            "-master.volumeSizeLimitMB=64",
        ]);
        for (name, port) in ports {
            command.arg(format!("-{name}={port}")).arg(format!("-{name}.grpc={}", free()));
        }
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let server = Self { process, port, _folder: folder };
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(30), "the S3 server does not come up");
            std::thread::sleep(Duration::from_millis(100));
        }
        Some(server)
    }

    fn options(&self, data: &Path) -> Options {
        let mut options = options(data);
        options.tables = Some("s3://lake/clew".to_owned());
        let storage = [
            ("aws_endpoint", format!("http://127.0.0.1:{}", self.port)),
            ("aws_allow_http", "true".to_owned()),
            ("aws_region", "us-east-1".to_owned()),
            ("aws_access_key_id", "any".to_owned()),
            ("aws_secret_access_key", "any".to_owned()),
            ("aws_skip_signature", "true".to_owned()),
        ];
        options.storage = storage.map(|(key, value)| (key.to_owned(), value)).to_vec();
        options
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn make_bucket(port: u16) {
    use std::io::{Read, Write};
    for _ in 0..100 {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        write!(
            stream,
            "PUT /lake HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        if answer.starts_with("HTTP/1.1 200") {
            return;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    panic!("the S3 server makes no bucket");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_holds_the_tables_and_two_writers_commit_to_it() {
    let Some(server) = Server::start() else { return };
    make_bucket(server.port);
    let folder = tempfile::tempdir().unwrap();
    let mut lakes = Vec::new();
    for name in ["one", "other"] {
        lakes.push(Lake::open(server.options(&folder.path().join(name))).await.unwrap());
    }
    let mut work = Vec::new();
    for (place, lake) in lakes.into_iter().enumerate() {
        work.push(tokio::spawn(async move {
            for round in 0..3_u64 {
                let number = place as u64 * 100 + round + 1;
                lake.append(records(&[Native(u128::from(number), number, 0)])).await.unwrap();
                lake.weave(woven(u128::from(number) + 5000, State::Converged, 0)).await.unwrap();
                lake.flush().await.unwrap();
            }
            lake
        }));
    }
    for work in work {
        drop(work.await.unwrap());
    }
    let lake = Lake::open(server.options(&folder.path().join("one"))).await.unwrap();
    assert_eq!(lake.spans(&SpanQuery { limit: 100, ..SpanQuery::default() }).await.unwrap().len(), 6);
    assert_eq!(lake.journey(trace(5001)).await.unwrap().unwrap().spans.len(), 2);
    lake.compact(|_| {}).await.unwrap();
    assert_eq!(lake.verify(|_| {}).await.unwrap().problems, Vec::<String>::new());
    assert_eq!(lake.spans(&SpanQuery { limit: 100, ..SpanQuery::default() }).await.unwrap().len(), 6);
}
