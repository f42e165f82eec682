//! Who may look.

use anyhow::bail;
use serde::Deserialize;

use super::Settings;

/// Who may look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WhoLooks {
    /// Who has clew's own token; without one, everyone who reaches the page.
    Own,
    /// Also the users of the cluster, with their own tokens: they see what they may read there.
    Kubernetes,
}

impl Settings {
    /// Who may look if nobody says: on this machine whoever is on it; beyond it the users of a cluster that is followed,
    /// who see no more than they may read anyway.
    pub(crate) fn who_looks(&self, follows_a_cluster: bool) -> anyhow::Result<WhoLooks> {
        let beyond = !self.http().ip().is_loopback();
        let has_token = self.token_file.is_some() || self.admission.own_secret.is_some();
        let default = if beyond && follows_a_cluster && has_token { WhoLooks::Kubernetes } else { WhoLooks::Own };
        let who = self.access.unwrap_or(default);
        // Audit events and other replicas come to the same listener, and would come in without one.
        if who == WhoLooks::Kubernetes && !has_token {
            bail!("--access kubernetes needs a token of clew's own for all else that comes in: give --token-file");
        }
        if who == WhoLooks::Kubernetes && !follows_a_cluster {
            bail!("--access kubernetes asks a cluster about its users: name one with --kubeconfig");
        }
        Ok(who)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_this_machine_a_clusters_users_see_their_own() {
        let who = |settings: &Settings, cluster: bool| settings.who_looks(cluster).expect("somebody");
        let here = Settings { token_file: Some("t".into()), ..Settings::default() };
        let beyond = Settings { http: Some(([0, 0, 0, 0], 2539).into()), ..here.clone() };
        assert_eq!((who(&here, true), who(&here, false)), (WhoLooks::Own, WhoLooks::Own));
        assert_eq!((who(&beyond, true), who(&beyond, false)), (WhoLooks::Kubernetes, WhoLooks::Own));
        assert_eq!(who(&Settings { access: Some(WhoLooks::Own), ..beyond }, true), WhoLooks::Own);
    }

    #[test]
    fn users_are_let_in_only_where_somebody_says_who_they_are_and_all_else_is_kept_out() {
        let asked = Settings { access: Some(WhoLooks::Kubernetes), ..Settings::default() };
        let error = asked.who_looks(true).expect_err("no token").to_string();
        assert!(error.contains("--token-file"), "{error}");
        let asked = Settings { token_file: Some("t".into()), ..asked };
        let error = asked.who_looks(false).expect_err("no cluster").to_string();
        assert!(error.contains("--kubeconfig"), "{error}");
        assert_eq!(asked.who_looks(true).expect("somebody"), WhoLooks::Kubernetes);
    }

    #[test]
    fn the_file_says_it_in_the_flags_words() {
        let file: Settings = toml::from_str("access = 'kubernetes'").expect("settings");
        assert_eq!(file.access, Some(WhoLooks::Kubernetes));
    }
}
