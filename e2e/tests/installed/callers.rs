//! Who is let in by the listener that `clew up` really uses: by a certificate, by a token, or not at all.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use clew_e2e::images;

use crate::harness::eventually;

const EVENTS: &str = r#"{"kind": "EventList", "apiVersion": "audit.k8s.io/v1", "items": []}"#;

/// A `clew up` without a cluster; killed at the end.
struct Clew {
    child: Child,
    url: String,
}

impl Clew {
    fn up(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(images::clew_binary(&mut |_| {}).unwrap());
        command.args(["up", "--no-open", "--http", "127.0.0.1:0", "--otlp-grpc", "127.0.0.1:0"]);
        command.args(["--otlp-http", "127.0.0.1:0"]).args(arguments);
        command.arg("--data").arg(folder.join("data")).arg("--key-file").arg(folder.join("key"));
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().find(|word| word.starts_with("https://"));
        let url = url.unwrap_or_else(|| panic!("clew up said {line:?}")).to_owned();
        Self { child, url }
    }

    /// The status of an answer, trusting an authority; none if there was none.
    fn ask(&self, authority: &Path, path: &str, arguments: &[&str]) -> Option<u16> {
        let mut command = Command::new("curl");
        // Over HTTP/2, this curl takes an answer that comes before all of its body is sent for a broken stream.
        command.args(["--http1.1", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "60"]).args(arguments);
        let output = command.arg("--cacert").arg(authority).arg(format!("{}{path}", self.url)).output().unwrap();
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        let status = String::from_utf8(output.stdout).unwrap().parse().ok();
        status.filter(|_| output.status.success())
    }
}

impl Drop for Clew {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An authority, and what it signed.
struct Authority<'a>(&'a Path, &'static str);

impl Authority<'_> {
    fn path(&self, name: &str, ending: &str) -> String {
        self.0.join(format!("{}-{name}.{ending}", self.1)).display().to_string()
    }

    fn request(&self, name: &str, more: &[&str]) {
        let (key, certificate) = (self.path(name, "key"), self.path(name, "crt"));
        let mut command = Command::new("openssl");
        command.args(["req", "-x509", "-days", "2", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]);
        command.args(["-noenc", "-subj", &format!("/CN={name}"), "-keyout", &key, "-out", &certificate]).args(more);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn make<'a>(folder: &'a Path, name: &'static str) -> Authority<'a> {
        let authority = Authority(folder, name);
        authority.request("ca", &["-addext", "keyUsage=critical,keyCertSign"]);
        authority
    }

    fn sign(&self, name: &str) {
        let (authority, key) = (self.path("ca", "crt"), self.path("ca", "key"));
        let more = ["-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE"];
        self.request(name, &[&more[..], &["-CA", &authority, "-CAkey", &key]].concat());
    }

    fn certificate(&self) -> PathBuf {
        self.path("ca", "crt").into()
    }
}

#[test]
fn an_api_server_that_shows_its_certificate_needs_no_token() {
    let folder = tempfile::tempdir().unwrap();
    let (servers, clients) = (Authority::make(folder.path(), "servers"), Authority::make(folder.path(), "clients"));
    servers.sign("clew");
    clients.sign("kube-apiserver");
    let token = folder.path().join("token").display().to_string();
    std::fs::write(&token, "s3cret\n").unwrap();
    let (certificate, key) = (servers.path("clew", "crt"), servers.path("clew", "key"));
    let authority = clients.path("ca", "crt");
    let tls = ["--tls-cert", &certificate, "--tls-key", &key, "--tls-client-ca", &authority, "--token-file", &token];
    let clew = Clew::up(folder.path(), &tls);
    let post = ["-d", EVENTS, "-H", "Content-Type: application/json"];
    let audit = |more: &[&str]| clew.ask(&servers.certificate(), "/audit/test", &[&post, more].concat());
    assert_eq!(audit(&[]), Some(401), "a stranger");
    assert_eq!(audit(&["-H", "Authorization: Bearer s3cret"]), Some(200));
    let (shown, with) = (clients.path("kube-apiserver", "crt"), clients.path("kube-apiserver", "key"));
    assert_eq!(audit(&["--cert", &shown, "--key", &with]), Some(200));
    let (shown, with) = (servers.path("clew", "crt"), servers.path("clew", "key"));
    assert_eq!(audit(&["--cert", &shown, "--key", &with]), None, "a certificate of another authority");
    let page = |more: &[&str]| clew.ask(&servers.certificate(), "/api/v1/status", more);
    let (shown, with) = (clients.path("kube-apiserver", "crt"), clients.path("kube-apiserver", "key"));
    assert_eq!(page(&["--cert", &shown, "--key", &with]), Some(401), "who may send may not read");

    // Another certificate, under another authority, while it runs.
    let others = Authority::make(folder.path(), "others");
    others.sign("clew");
    std::fs::copy(others.path("clew", "key"), &key).unwrap();
    std::fs::copy(others.path("clew", "crt"), &certificate).unwrap();
    let ask = |authority: &Path| clew.ask(authority, "/healthz", &[]);
    eventually("the new certificate to be shown", || ask(&others.certificate()));
    std::fs::write(&certificate, "half a certif").unwrap();
    let header = "Authorization: Bearer s3cret";
    eventually("the bad file to be told", || {
        let url = format!("{}/api/v1/status", clew.url);
        let output =
            Command::new("curl").args(["-sS", "-H", header, "--cacert"]).arg(others.certificate()).arg(url).output();
        String::from_utf8(output.unwrap().stdout).unwrap().contains("is still shown").then_some(())
    });
    assert_eq!(ask(&others.certificate()), Some(200));
}
