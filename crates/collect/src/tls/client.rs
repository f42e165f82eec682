//! Who a client is that showed a certificate.

use tokio_rustls::server::TlsStream;

/// The object identifier of a common name, 2.5.4.3, in DER.
const COMMON_NAME: &[u8] = &[0x06, 0x03, 0x55, 0x04, 0x03];
const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xa0;
/// Issuer and others that stand before the subject: serial number, algorithm, issuer, validity.
const BEFORE_SUBJECT: usize = 4;

/// A client whose certificate the listener has verified: in the extensions of each of its requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedClient {
    /// The certificate's common name; empty if it has none.
    pub name: String,
}

/// The client at the other end, if it showed a certificate; one that could not be verified got no connection.
pub fn client_of<S>(stream: &TlsStream<S>) -> Option<VerifiedClient> {
    let shown = stream.get_ref().1.peer_certificates()?.first()?;
    Some(VerifiedClient { name: common_name(shown).unwrap_or_default() })
}

/// One value of DER: its tag, its content, and what follows it.
fn value(text: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = text.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (digits.iter().fold(0, |length, digit| (length << 8) | usize::from(*digit)), rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

/// The first common name of a certificate's subject.
fn common_name(certificate: &[u8]) -> Option<String> {
    let (_, certificate, _) = value(certificate)?;
    let (_, mut rest, _) = value(certificate)?;
    if rest.first() == Some(&VERSION) {
        rest = value(rest)?.2;
    }
    for _ in 0..BEFORE_SUBJECT {
        rest = value(rest)?.2;
    }
    let (tag, mut names, _) = value(rest)?;
    while tag == SEQUENCE && !names.is_empty() {
        let (_, set, others) = value(names)?;
        let (_, pair, _) = value(set)?;
        if let Some(text) = pair.strip_prefix(COMMON_NAME) {
            let (_, text, _) = value(text)?;
            return std::str::from_utf8(text).ok().map(str::to_owned);
        }
        names = others;
    }
    None
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, DnType, KeyPair};

    use super::*;

    fn certificate(names: &[(DnType, &str)]) -> Vec<u8> {
        let mut params = CertificateParams::default();
        params.distinguished_name = rcgen::DistinguishedName::new();
        for (kind, name) in names {
            params.distinguished_name.push(kind.clone(), *name);
        }
        params.self_signed(&KeyPair::generate().expect("key")).expect("signed").der().to_vec()
    }

    #[test]
    fn a_client_is_called_by_its_common_name() {
        let long = "n".repeat(300);
        for name in ["kube-apiserver", "süd", &long] {
            let shown = certificate(&[(DnType::OrganizationName, "system:masters"), (DnType::CommonName, name)]);
            assert_eq!(common_name(&shown).as_deref(), Some(name));
        }
        assert_eq!(common_name(&certificate(&[(DnType::OrganizationName, "nobody")])), None);
    }

    #[test]
    fn half_a_certificate_has_no_name() {
        let whole = certificate(&[(DnType::CommonName, "kube-apiserver")]);
        let to_the_name = whole.windows(14).position(|it| it == b"kube-apiserver").expect("there") + 13;
        for length in 0..to_the_name {
            assert_eq!(common_name(&whole[..length]), None, "{length}");
        }
    }
}
