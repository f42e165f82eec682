//! The filters of commands that ask a running clew for journeys.

use serde_json::Value;

use crate::client::Client;

/// How many journeys are asked for at a time.
const PAGE: usize = 500;

/// Which journeys; the same names as in the page's address.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Filters {
    /// Of this namespace; may be given several times, as all of these.
    #[arg(short, long, value_name = "NAMESPACE")]
    pub(crate) namespace: Vec<String>,
    /// Whose root has this kind.
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Vec<String>,
    /// Whose root has this name.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Vec<String>,
    /// Of this cluster.
    #[arg(long, value_name = "CLUSTER")]
    cluster: Vec<String>,
    /// Asked for by this user.
    #[arg(long, value_name = "USER")]
    user: Vec<String>,
    /// In this state: open, converged, failed, stuck.
    #[arg(long, value_name = "STATE")]
    state: Vec<String>,
    /// That began after this: a time, or a duration back from now such as 15m.
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// That began before this.
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// That took at least this long, such as 30s.
    #[arg(long, value_name = "DURATION")]
    min_duration: Option<String>,
    /// That took at most this long.
    #[arg(long, value_name = "DURATION")]
    max_duration: Option<String>,
    /// With an attribute: key=value, key!=value, key~regex, or a key alone.
    #[arg(long, value_name = "KEY=VALUE")]
    attr: Vec<String>,
    /// In whose names, users or messages this text occurs.
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
}

impl Filters {
    /// As the query of a request.
    pub(crate) fn query(&self) -> Vec<(String, String)> {
        let lists = [
            ("namespace", &self.namespace),
            ("kind", &self.kind),
            ("name", &self.name),
            ("cluster", &self.cluster),
            ("user", &self.user),
            ("state", &self.state),
            ("attr", &self.attr),
        ];
        let singles = [
            ("since", &self.since),
            ("until", &self.until),
            ("min_duration", &self.min_duration),
            ("max_duration", &self.max_duration),
            ("q", &self.text),
        ];
        let lists = lists.into_iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value)));
        let singles = singles.into_iter().filter_map(|(name, value)| value.as_ref().map(|value| (name, value)));
        lists.chain(singles).map(|(name, value)| (name.to_owned(), value.clone())).collect()
    }

    /// The journeys page by page, newest first.
    pub(crate) fn pages<'a>(&self, client: &'a Client) -> Pages<'a> {
        Pages { client, query: self.query(), next: Next::First }
    }
}

/// Pages of journeys.
pub(crate) struct Pages<'a> {
    client: &'a Client,
    query: Vec<(String, String)>,
    next: Next,
}

/// Where to go on.
enum Next {
    First,
    After(String),
    Nowhere,
}

impl Pages<'_> {
    /// Asks for something besides the filters.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.query.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The next page; none after the last.
    pub(crate) async fn next(&mut self) -> anyhow::Result<Option<Vec<Value>>> {
        let mut query = self.query.clone();
        query.push(("limit".to_owned(), PAGE.to_string()));
        match std::mem::replace(&mut self.next, Next::Nowhere) {
            Next::First => {}
            Next::After(cursor) => query.push(("cursor".to_owned(), cursor)),
            Next::Nowhere => return Ok(None),
        }
        let mut page: Value = self.client.json("/api/v1/journeys", &query).await?;
        if let Some(cursor) = page["next"].as_str() {
            self.next = Next::After(cursor.to_owned());
        }
        match page["journeys"].take() {
            Value::Array(rows) => Ok(Some(rows)),
            _ => Ok(None),
        }
    }
}
