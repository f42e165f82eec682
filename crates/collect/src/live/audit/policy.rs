//! The audit policy that asks the API server for just what clew needs.

/// The policy, to be given to the API server with `--audit-policy-file`.
///
/// Writes with their answers, and nothing that is only read; no secret and no token leaves the API server.
pub fn policy() -> &'static str {
    include_str!("policy.yaml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_is_one_that_kubernetes_defines() {
        assert!(policy().contains("apiVersion: audit.k8s.io/v1\nkind: Policy\n"));
        let levels = policy().lines().filter_map(|line| line.trim_start_matches([' ', '-']).strip_prefix("level: "));
        let levels: Vec<&str> = levels.collect();
        assert_eq!(levels.last(), Some(&"None"), "what no rule names is not asked for");
        assert!(levels.iter().all(|level| ["None", "Metadata", "Request", "RequestResponse"].contains(level)));
    }
}
