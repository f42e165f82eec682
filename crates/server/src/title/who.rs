//! Who asked, and with what.

/// The name of a user as people know it.
pub(super) fn person(user: &str) -> String {
    if let Some(account) = user.strip_prefix("system:serviceaccount:") {
        return match account.split_once(':') {
            // The controllers of the control plane are known by their names alone.
            Some(("kube-system", name)) => name.to_owned(),
            Some((namespace, name)) => format!("{namespace}/{name}"),
            None => account.to_owned(),
        };
    }
    if let Some(node) = user.strip_prefix("system:node:") {
        return format!("the kubelet of {node}");
    }
    user.strip_prefix("system:").unwrap_or(user).to_owned()
}

/// The tool that a user agent names: `kubectl` of `kubectl/v1.34.4 (linux/amd64) kubernetes/$Format`.
pub(super) fn tool(agent: &str) -> &str {
    let tool = agent.split(['/', ' ']).next().unwrap_or_default();
    match tool {
        "Mozilla" => "a browser",
        "Helm" => "helm",
        other => other,
    }
}

/// Who acted, and what to say at the end about the tool; empty if it adds nothing.
pub(super) fn actor(user: &str, agent: &str) -> (String, String) {
    let tool = tool(agent);
    let person = if user.is_empty() { tool.to_owned() } else { person(user) };
    // A component writes under its own name, or on behalf of one of its controllers.
    let is_component = user.starts_with("system:") && !user.starts_with("system:serviceaccount:")
        || user.starts_with("system:serviceaccount:kube-system:") && tool.starts_with("kube-");
    if tool.is_empty() || user.is_empty() || is_component || person == tool {
        let person = if person.is_empty() { "someone".to_owned() } else { person };
        return (person, String::new());
    }
    (person, format!(" with {tool}"))
}
