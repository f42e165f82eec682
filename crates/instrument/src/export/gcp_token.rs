//! Application default credentials of Google Cloud: a service account's key, a person's login, or the machine's own identity.

use super::exporter::ExportError;
use super::http_client::HttpClient;
use crate::net::Dialer;
use crate::settings::Environment;
use crate::sync::lock;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http::{Request, header};
use http_body_util::Full;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject as _;
use serde::Deserialize;
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const SCOPE: &str = "https://www.googleapis.com/auth/cloud-platform";
const LOGIN_TOKEN_URI: &str = "https://oauth2.googleapis.com/token";
const FORM: &str = "application/x-www-form-urlencoded";
/// A token is renewed this long before it ends.
const MARGIN: Duration = Duration::from_mins(2);

/// Where tokens come from.
pub(super) struct TokenSource {
    credentials: Credentials,
    dialer: Dialer,
    cached: Mutex<Option<(String, Instant)>>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Credentials {
    ServiceAccount {
        client_email: String,
        private_key: String,
        token_uri: String,
        #[serde(default)]
        project_id: Option<String>,
    },
    AuthorizedUser {
        client_id: String,
        client_secret: String,
        refresh_token: String,
        #[serde(default)]
        quota_project_id: Option<String>,
    },
    #[serde(skip)]
    Machine { host: String },
}

#[derive(Deserialize)]
struct Answer {
    access_token: String,
    expires_in: u64,
}

impl TokenSource {
    /// The credentials that Google's libraries would take.
    pub(super) fn find(env: &Environment, dialer: Dialer) -> Result<Self, String> {
        let named = env.get("GOOGLE_APPLICATION_CREDENTIALS").map(PathBuf::from);
        let login =
            env.get("HOME").map(|home| PathBuf::from(home).join(".config/gcloud/application_default_credentials.json"));
        let path = named.or_else(|| login.filter(|path| path.exists()));
        let credentials = match path {
            None => Credentials::Machine {
                host: env.get("GCE_METADATA_HOST").unwrap_or("metadata.google.internal").to_owned(),
            },
            Some(path) => {
                let shown = path.display();
                let text =
                    std::fs::read_to_string(&path).map_err(|error| format!("reading credentials {shown}: {error}"))?;
                // The reason is not shown: it could quote a part of the key.
                serde_json::from_str(&text)
                    .map_err(|_| format!("credentials {shown} are neither of a service account nor of a login: run gcloud auth application-default login"))?
            }
        };
        Ok(Self { credentials, dialer, cached: Mutex::new(None) })
    }

    /// The project that the credentials belong to, if they say.
    pub(super) fn project(&self) -> Option<String> {
        match &self.credentials {
            Credentials::ServiceAccount { project_id, .. } => project_id.clone(),
            Credentials::AuthorizedUser { quota_project_id, .. } => quota_project_id.clone(),
            Credentials::Machine { .. } => None,
        }
    }

    /// A token that is valid for a while.
    pub(super) async fn token(&self) -> Result<String, ExportError> {
        let cached = lock(&self.cached).clone();
        if let Some((token, _)) = cached.filter(|(_, until)| Instant::now() < *until) {
            return Ok(token);
        }
        let (url, request) = self.request().map_err(|reason| ExportError::fatal("credentials", reason))?;
        let client = HttpClient::for_url(&url, self.dialer.clone())
            .map_err(|reason| ExportError::fatal("credentials", reason))?;
        let body = client.send(request).await.map_err(|error| ExportError {
            message: format!("asking {url} for a token failed: {error}"),
            kind: "credentials".into(),
            ..error
        })?;
        let answer: Answer = serde_json::from_slice(&body)
            .map_err(|_| ExportError::retryable("credentials", format!("the answer of {url} has no token")))?;
        let until = Instant::now() + Duration::from_secs(answer.expires_in).saturating_sub(MARGIN);
        *lock(&self.cached) = Some((answer.access_token.clone(), until));
        Ok(answer.access_token)
    }

    fn request(&self) -> Result<(String, Request<Full<Bytes>>), String> {
        let (url, form) = match &self.credentials {
            Credentials::Machine { host } => {
                let url = format!("http://{host}/computeMetadata/v1/instance/service-accounts/default/token");
                let request = Request::get(&url).header("Metadata-Flavor", "Google").body(Full::default());
                return Ok((url, request.map_err(|error| error.to_string())?));
            }
            Credentials::ServiceAccount { client_email, private_key, token_uri, .. } => {
                let assertion = signed(client_email, private_key, token_uri)?;
                let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer";
                (token_uri.clone(), format!("grant_type={grant}&assertion={assertion}"))
            }
            Credentials::AuthorizedUser { client_id, client_secret, refresh_token, .. } => {
                let pairs =
                    [("client_id", client_id), ("client_secret", client_secret), ("refresh_token", refresh_token)];
                let pairs: Vec<String> =
                    pairs.iter().map(|(key, value)| format!("{key}={}", form_encode(value))).collect();
                (LOGIN_TOKEN_URI.to_owned(), format!("grant_type=refresh_token&{}", pairs.join("&")))
            }
        };
        let request = Request::post(&url).header(header::CONTENT_TYPE, FORM).body(Full::new(Bytes::from(form)));
        Ok((url, request.map_err(|error| error.to_string())?))
    }
}

/// A JWT that says who asks, signed with the service account's key.
fn signed(email: &str, key: &str, audience: &str) -> Result<String, String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let head = json!({ "alg": "RS256", "typ": "JWT" });
    let claims = json!({ "iss": email, "scope": SCOPE, "aud": audience, "iat": now, "exp": now + 3600 });
    let part = |json: &serde_json::Value| URL_SAFE_NO_PAD.encode(json.to_string());
    let message = format!("{}.{}", part(&head), part(&claims));
    let unusable = "the service account's private_key is not an RSA key in PEM";
    let der = PrivateKeyDer::from_pem_slice(key.as_bytes()).map_err(|_| unusable)?;
    let pair = RsaKeyPair::from_pkcs8(der.secret_der()).map_err(|_| unusable)?;
    let mut signature = vec![0; pair.public().modulus_len()];
    pair.sign(&RSA_PKCS1_SHA256, &ring::rand::SystemRandom::new(), message.as_bytes(), &mut signature)
        .map_err(|_| "signing a token request failed")?;
    Ok(format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature)))
}

fn form_encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => encoded.push(char::from(byte)),
            other => {
                let _ = write!(encoded, "%{other:02X}");
            }
        }
    }
    encoded
}
