//! What clusters make up, made up anew: a request has an id that no other has, a pod a name.

use std::hash::BuildHasher as _;

use clew_model::{Attributes, Value};
use rustc_hash::FxBuildHasher;

/// The attributes of Kubernetes' own spans that have such names and ids in them.
const KEYS: [&str; 9] =
    ["audit-id", "url", "http.target", "http.url", "key", "name", "k8s.pod", "k8s.pod.name", "k8s.pod.uid"];
/// Shorter words are versions and ports.
const SHORTEST: usize = 5;

/// Gives attributes the names and ids of a round; those of the first are as they were.
pub(super) fn freshen(attributes: &mut Attributes, round: u64) {
    if round == 0 {
        return;
    }
    for key in KEYS {
        if let Some(Value::Str(text)) = attributes.get(key) {
            let text = fresh(text, round);
            attributes.insert(key, text);
        }
    }
}

/// The same text, in which each made-up word is another; the same word becomes the same one in all texts of a round.
fn fresh(text: &str, round: u64) -> String {
    let mut made = String::with_capacity(text.len());
    for part in text.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric()) {
        let word = part.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric());
        let is_made_up = word.len() >= SHORTEST && word.bytes().any(|letter| letter.is_ascii_digit());
        if is_made_up {
            other_word(word, round, &mut made);
        } else {
            made.push_str(word);
        }
        made.push_str(&part[word.len()..]);
    }
    made
}

fn other_word(word: &str, round: u64, made: &mut String) {
    let mut random = FxBuildHasher.hash_one((word, round));
    let letters: &[u8] = if word.bytes().all(|letter| letter.is_ascii_hexdigit()) {
        b"0123456789abcdef"
    } else {
        b"bcdfghjklmnpqrstvwxz2456789"
    };
    for _ in 0..word.len() {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let place = usize::try_from(random >> 40).unwrap_or_default() % letters.len();
        made.push(char::from(letters[place]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_up_is_another_in_each_round_and_the_same_wherever_it_stands() {
        let path = "/api/v1/namespaces/shop/pods/web-db65b8d97-p249x";
        let one = fresh(path, 1);
        assert!(one.starts_with("/api/v1/namespaces/shop/pods/web-") && one.len() == path.len(), "{one}");
        assert_ne!(one, path);
        assert_ne!(one, fresh(path, 2));
        assert!(one.ends_with(&fresh("web-db65b8d97-p249x", 1)), "{one}");
        let id = fresh("5f0e0303-d6fb-49c1-a719-a195b6b99a72", 1);
        assert!(id.len() == 36 && id.bytes().all(|letter| letter == b'-' || letter.is_ascii_hexdigit()), "{id}");
    }

    #[test]
    fn the_first_round_is_as_it_was() {
        let mut attributes = Attributes::default();
        attributes.insert("audit-id", "5f0e0303-d6fb-49c1-a719-a195b6b99a72");
        let before = attributes.clone();
        freshen(&mut attributes, 0);
        assert_eq!(attributes, before);
    }
}
