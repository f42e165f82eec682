//! Google Cloud: OTLP to its telemetry endpoint, with application default credentials and a project.

use super::exporter::{Batch, ExportError, ExportFuture, Exporter, Target};
use super::gcp_token::TokenSource;
use super::otlp_http::OtlpHttp;
use super::otlp_settings::{OtlpSettings, Protocol};
use super::registry::Making;
use crate::attribute::{Attribute, attr};
use crate::error::Error;
use crate::net::Connector;
use http::{HeaderName, HeaderValue, header};
use std::sync::Arc;

const DEFAULT: &str = "https://telemetry.googleapis.com";
static PROJECT_HEADER: HeaderName = HeaderName::from_static("x-goog-user-project");

struct Gcp {
    otlp: Arc<OtlpHttp>,
    tokens: Arc<TokenSource>,
    project: String,
}

/// Reads `<PREFIX>_TRACE_PROJECT_ID` (or Google's own variables) and `<PREFIX>_TRACE_ENDPOINT`.
pub(super) fn gcp(making: &Making<'_>) -> Result<Arc<dyn Exporter>, Error> {
    let env = making.env();
    let fail = |reason: String| Error::Exporter { name: "gcp".to_owned(), reason };
    let tokens = TokenSource::find(env, making.dialer()).map_err(fail)?;
    let named = env.own("PROJECT_ID").or_else(|| env.get("GOOGLE_CLOUD_PROJECT")).or_else(|| env.get("GCP_PROJECT"));
    let Some(project) = named.map(str::to_owned).or_else(|| tokens.project()) else {
        return Err(fail(format!("no project: set {} or GOOGLE_CLOUD_PROJECT", env.own_name("PROJECT_ID"))));
    };
    let settings = OtlpSettings::at(env.own("ENDPOINT").unwrap_or(DEFAULT), env, Protocol::HttpProtobuf)?;
    let connector: Connector = settings.connector(making.dialer())?;
    Ok(Arc::new(Gcp { otlp: Arc::new(OtlpHttp::new(settings, connector)), tokens: Arc::new(tokens), project }))
}

impl Exporter for Gcp {
    fn export(&self, batch: Arc<Batch>) -> ExportFuture {
        let (otlp, tokens, project) = (Arc::clone(&self.otlp), Arc::clone(&self.tokens), self.project.clone());
        Box::pin(async move {
            let token = tokens.token().await?;
            let unusable = |_| {
                ExportError::fatal("credentials", "the token or the project has characters that no header can have")
            };
            let mut bearer = HeaderValue::try_from(format!("Bearer {token}")).map_err(unusable)?;
            bearer.set_sensitive(true);
            let project = HeaderValue::try_from(project).map_err(unusable)?;
            otlp.export_with(&batch, &[(header::AUTHORIZATION, bearer), (PROJECT_HEADER.clone(), project)]).await
        })
    }

    fn target(&self) -> Target {
        self.otlp.target()
    }

    fn resource(&self) -> Vec<Attribute> {
        vec![attr("gcp.project_id", self.project.clone())]
    }
}
