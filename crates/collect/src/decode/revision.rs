//! What a controller fetched from outside the cluster, as its status says.

use std::borrow::Cow;

use clew_weave::fact::Revision;
use serde::Deserialize;

use super::raw::RawObject;

/// How long a revision or an address may be, in bytes.
const MAX_WORD: usize = 316;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Status<'a> {
    /// Flux: what a source has fetched.
    #[serde(borrow)]
    artifact: Option<Artifact<'a>>,
    /// Argo CD: what an application is compared with.
    #[serde(borrow)]
    sync: Option<Artifact<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Artifact<'a> {
    #[serde(borrow)]
    revision: Cow<'a, str>,
    #[serde(borrow)]
    metadata: Option<Details<'a>>,
}

/// What the metadata of an OCI artifact says of the commit that it was made of.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Details<'a> {
    #[serde(borrow, rename = "org.opencontainers.image.source")]
    source: Cow<'a, str>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Spec<'a> {
    #[serde(borrow)]
    url: Cow<'a, str>,
    #[serde(borrow)]
    source: Option<Source<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Source<'a> {
    #[serde(borrow, rename = "repoURL")]
    repo_url: Cow<'a, str>,
}

/// What Argo CD has begun to sync, before its status says so.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Operation<'a> {
    #[serde(borrow)]
    sync: Option<Artifact<'a>>,
}

/// The revision that an object says its controller fetched, if its kind does such a thing.
pub(super) fn fetched(raw: &RawObject<'_>) -> Option<Box<Revision>> {
    let operation = raw.field("operation").and_then(|json| serde_json::from_str::<Operation<'_>>(json.get()).ok());
    let begun = operation.and_then(|operation| operation.sync);
    let status = raw.status.and_then(|status| serde_json::from_str::<Status<'_>>(status.get()).ok());
    let reported = status.and_then(|status| status.artifact.or(status.sync));
    let mut found = begun.into_iter().chain(reported);
    let fetched = found.find(|fetched| !fetched.revision.is_empty())?;
    let spec: Spec<'_> = raw.field("spec").and_then(|spec| serde_json::from_str(spec.get()).ok()).unwrap_or_default();
    let named = if spec.url.is_empty() { spec.source.unwrap_or_default().repo_url } else { spec.url };
    let source = fetched.metadata.map(|details| details.source).filter(|source| !source.is_empty());
    Some(Box::new(Revision {
        id: cut(&fetched.revision, MAX_WORD).into(),
        repository: cut(&without_credentials(&source.unwrap_or(named)), MAX_WORD).into(),
    }))
}

/// An address without the user and the password that may stand in it.
fn without_credentials(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most.min(text.len()))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(json: &str) -> Option<(String, String)> {
        let raw: RawObject<'_> = serde_json::from_str(json).unwrap();
        fetched(&raw).map(|revision| (revision.id.to_string(), revision.repository.to_string()))
    }

    #[test]
    fn flux_and_argo_cd_say_what_they_fetched() {
        let flux = r#"{"spec":{"url":"https://user:secret@git.example.com/shop"},"status":{"artifact":{"revision":"main@sha1:3a134df"}}}"#;
        assert_eq!(of(flux), Some(("main@sha1:3a134df".to_owned(), "https://git.example.com/shop".to_owned())));
        let argo =
            r#"{"spec":{"source":{"repoURL":"https://git.example.com/a"}},"status":{"sync":{"revision":"3a134df"}}}"#;
        assert_eq!(of(argo), Some(("3a134df".to_owned(), "https://git.example.com/a".to_owned())));
        let begun = r#"{"operation":{"sync":{"revision":"4b134df"}},"status":{"sync":{"revision":"3a134df"}}}"#;
        assert_eq!(of(begun), Some(("4b134df".to_owned(), String::new())));
    }

    #[test]
    fn what_fetches_nothing_has_no_revision() {
        for json in ["{}", r#"{"status":{}}"#, r#"{"status":{"artifact":7}}"#, r#"{"status":{"sync":{"revision":""}}}"#]
        {
            assert_eq!(of(json), None, "{json}");
        }
    }
}
