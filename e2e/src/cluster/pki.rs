//! The cluster's keys: an authority of its own, the API server's certificate, the service accounts' key, tokens.

use std::fmt::Write as _;
use std::io::Read as _;
use std::process::Command;

use super::identity::{Identity, kubeconfig};
use crate::folders::{RunDir, write};
use crate::node::address;
use crate::{Error, Result, shell};

/// A cluster lives for hours; a week is enough for the longest.
const DAYS: &str = "7";

/// Makes all keys and certificates, and a kubeconfig for each identity that has a token from the start.
pub(crate) fn create(run: &RunDir, cluster: &str, port: u16) -> Result<()> {
    authority(run)?;
    api_server(run)?;
    let key = run.pki("service-accounts.key");
    shell::run(Command::new("openssl").args(["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out"]).arg(key))?;
    let mut tokens = String::new();
    for identity in Identity::ALL {
        let Some((user, groups)) = identity.user() else {
            continue;
        };
        let token = random_token()?;
        let _ = writeln!(tokens, "{token},{user},{identity},\"{groups}\"");
        let text = kubeconfig(cluster, port, &run.pki("ca.crt"), identity, &token);
        write(&run.kubeconfig(identity), text)?;
    }
    write(&run.pki("tokens.csv"), tokens)
}

fn authority(run: &RunDir) -> Result<()> {
    let mut command = openssl_request(run, "ca", "/CN=clew-test-authority");
    command.args(["-x509", "-days", DAYS]);
    command.args(["-addext", "keyUsage=critical,keyCertSign,cRLSign,digitalSignature"]);
    shell::run(&mut command).map(drop)
}

fn api_server(run: &RunDir) -> Result<()> {
    let names = format!(
        "subjectAltName=IP:127.0.0.1,IP:{},IP:{},DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,\
         DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local",
        address::NODE,
        address::API_SERVICE
    );
    let mut command = openssl_request(run, "apiserver", "/CN=kube-apiserver");
    command.args(["-x509", "-days", DAYS, "-addext", &names, "-addext", "extendedKeyUsage=serverAuth"]);
    command.args(["-addext", "basicConstraints=critical,CA:FALSE"]);
    command.arg("-CA").arg(run.pki("ca.crt")).arg("-CAkey").arg(run.pki("ca.key"));
    shell::run(&mut command).map(drop)
}

fn openssl_request(run: &RunDir, name: &str, subject: &str) -> Command {
    let mut command = Command::new("openssl");
    command.args(["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-subj", subject]);
    command.arg("-keyout").arg(run.pki(&format!("{name}.key")));
    command.arg("-out").arg(run.pki(&format!("{name}.crt")));
    command
}

fn random_token() -> Result<String> {
    let source = "/dev/urandom";
    let mut bytes = [0_u8; 16];
    let mut file = std::fs::File::open(source).map_err(Error::file("open", source))?;
    file.read_exact(&mut bytes).map_err(Error::file("read", source))?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}
