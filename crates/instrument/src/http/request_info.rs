//! The Kubernetes request behind a path: verb, resource, namespace and name, by the rules of the API server.

use http::Method;

/// What a path of the Kubernetes API asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestInfo<'a> {
    /// `create`, `get`, `list`, `watch`, `update`, `patch`, `delete`, `deletecollection`, or `proxy`.
    pub verb: &'a str,
    /// `api` or `apis`.
    pub prefix: &'a str,
    /// The API group; empty for the core group.
    pub group: &'a str,
    /// The API version.
    pub version: &'a str,
    /// The namespace; empty for what has none.
    pub namespace: &'a str,
    /// The resource, plural and lowercase.
    pub resource: &'a str,
    /// The object's name; empty for collections.
    pub name: &'a str,
    /// The subresource, for example `status` or `exec`.
    pub subresource: &'a str,
}

const NAMESPACE_SUBRESOURCES: [&str; 2] = ["status", "finalize"];

impl<'a> RequestInfo<'a> {
    /// Reads a path and its query; none when it is not about a resource.
    ///
    /// ```
    /// use clew_instrument::http::RequestInfo;
    /// let info = RequestInfo::parse(&http::Method::GET, "/api/v1/namespaces/default/pods", Some("watch=true")).unwrap();
    /// assert_eq!((info.verb, info.resource, info.namespace), ("watch", "pods", "default"));
    /// ```
    pub fn parse(method: &Method, path: &'a str, query: Option<&'a str>) -> Option<Self> {
        let mut parts = path.trim_matches('/').split('/');
        let mut info = Self { prefix: parts.next()?, ..Self::default() };
        match info.prefix {
            "api" => {}
            "apis" => info.group = parts.next()?,
            _ => return None,
        }
        info.version = parts.next()?;
        let mut first = parts.next().filter(|part| !part.is_empty())?;
        info.verb = verb(method);
        // The old form /api/v1/watch/… and /api/v1/proxy/….
        let special = matches!(first, "proxy" | "watch");
        if special {
            info.verb = first;
            first = parts.next()?;
        }
        let rest: [&str; 3] = [parts.next(), parts.next(), parts.next()].map(Option::unwrap_or_default);
        if first == "namespaces" && !rest[0].is_empty() {
            info.namespace = rest[0];
            if !rest[1].is_empty() && !NAMESPACE_SUBRESOURCES.contains(&rest[1]) {
                let subresource = if special { "" } else { parts.next().unwrap_or_default() };
                return Some(info.object(rest[1], rest[2], subresource, query));
            }
        }
        let subresource = if special { "" } else { rest[1] };
        Some(info.object(first, rest[0], subresource, query))
    }

    fn object(mut self, resource: &'a str, name: &'a str, subresource: &'a str, query: Option<&'a str>) -> Self {
        self.resource = resource;
        self.name = name;
        self.subresource = subresource;
        if !name.is_empty() {
            return self;
        }
        match self.verb {
            "get" => {
                self.verb = if asks_to_watch(query) { "watch" } else { "list" };
                self.name = selected_name(query).unwrap_or_default();
            }
            "delete" => self.verb = "deletecollection",
            _ => {}
        }
        self
    }

    /// The span's name in Kubernetes: `GET /api/v1/namespaces/{:namespace}/pods/{:name}`.
    pub fn template(&self) -> String {
        let mut template = format!("/{}", self.prefix);
        let mut push = |part: &str| {
            template.push('/');
            template.push_str(part);
        };
        if !self.group.is_empty() {
            push(self.group);
        }
        push(self.version);
        if !self.namespace.is_empty() {
            push("namespaces/{:namespace}");
        }
        push(self.resource);
        if !self.name.is_empty() {
            push("{:name}");
        }
        if !self.subresource.is_empty() {
            push(self.subresource);
        }
        template
    }
}

fn verb(method: &Method) -> &'static str {
    match *method {
        Method::POST => "create",
        Method::GET | Method::HEAD => "get",
        Method::PUT => "update",
        Method::PATCH => "patch",
        Method::DELETE => "delete",
        _ => "",
    }
}

fn asks_to_watch(query: Option<&str>) -> bool {
    let value = query.unwrap_or_default().split('&').find_map(|pair| match pair.split_once('=') {
        Some(("watch", value)) => Some(value),
        None if pair == "watch" => Some(""),
        _ => None,
    });
    value.is_some_and(|value| !matches!(value.to_ascii_lowercase().as_str(), "false" | "0"))
}

/// The one object that a collection request asks for by `fieldSelector=metadata.name=…`.
fn selected_name(query: Option<&str>) -> Option<&str> {
    let selector = query?.split('&').find_map(|pair| pair.strip_prefix("fieldSelector="))?;
    let terms = selector.split(',').flat_map(|term| term.split("%2C"));
    let mut names = terms.filter_map(|term| {
        let value = term.strip_prefix("metadata.name")?;
        let value = value.strip_prefix("%3D").or_else(|| value.strip_prefix('='))?;
        Some(value.strip_prefix("%3D").or_else(|| value.strip_prefix('=')).unwrap_or(value))
    });
    // A name with anything encoded in it is no name of an object.
    names.next().filter(|name| !name.is_empty() && !name.contains(['%', '/', '+']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info<'a>(
        method: &Method,
        path: &'a str,
        query: Option<&'a str>,
    ) -> (&'a str, &'a str, &'a str, &'a str, &'a str, &'a str) {
        let info = RequestInfo::parse(method, path, query).unwrap();
        (info.verb, info.group, info.namespace, info.resource, info.name, info.subresource)
    }

    #[test]
    fn paths_are_read_as_the_api_server_reads_them() {
        let get = Method::GET;
        assert_eq!(info(&get, "/api/v1/nodes", None), ("list", "", "", "nodes", "", ""));
        assert_eq!(info(&get, "/api/v1/nodes/fake", None), ("get", "", "", "nodes", "fake", ""));
        assert_eq!(info(&get, "/api/v1/pods", Some("watch=true")), ("watch", "", "", "pods", "", ""));
        assert_eq!(info(&get, "/api/v1/pods", Some("watch=0")), ("list", "", "", "pods", "", ""));
        assert_eq!(info(&get, "/api/v1/watch/pods", None), ("watch", "", "", "pods", "", ""));
        assert_eq!(
            info(&Method::PATCH, "/apis/apps/v1/namespaces/a/deployments/b/scale", None),
            ("patch", "apps", "a", "deployments", "b", "scale")
        );
        assert_eq!(info(&get, "/api/v1/namespaces", None), ("list", "", "", "namespaces", "", ""));
        assert_eq!(info(&get, "/api/v1/namespaces/a", None), ("get", "", "a", "namespaces", "a", ""));
        assert_eq!(
            info(&Method::PUT, "/api/v1/namespaces/a/finalize", None),
            ("update", "", "a", "namespaces", "a", "finalize")
        );
        assert_eq!(
            info(&Method::DELETE, "/api/v1/namespaces/a/pods", None),
            ("deletecollection", "", "a", "pods", "", "")
        );
        assert_eq!(
            info(&Method::POST, "/api/v1/namespaces/a/pods/b/exec", None),
            ("create", "", "a", "pods", "b", "exec")
        );
    }

    #[test]
    fn what_is_no_resource_is_none() {
        for path in ["/", "/healthz", "/api", "/api/v1", "/apis/apps", "/apis/apps/v1", "/api/v1/"] {
            assert_eq!(RequestInfo::parse(&Method::GET, path, None), None, "{path}");
        }
    }

    #[test]
    fn templates_are_the_span_names_of_kubernetes() {
        let template = |path| RequestInfo::parse(&Method::GET, path, None).unwrap().template();
        assert_eq!(template("/api/v1/nodes/fake"), "/api/v1/nodes/{:name}");
        assert_eq!(
            template("/apis/apps/v1/namespaces/a/deployments"),
            "/apis/apps/v1/namespaces/{:namespace}/deployments"
        );
        assert_eq!(template("/api/v1/namespaces/a/pods/b/log"), "/api/v1/namespaces/{:namespace}/pods/{:name}/log");
    }
}
