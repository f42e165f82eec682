//! The grammar of the W3C baggage text as cases, and what must always hold.

use proptest::prelude::*;

use super::*;

#[test]
fn what_the_grammar_allows_is_read() {
    let cases = [
        ("", ""),
        ("key1=value1", "key1=value1"),
        (
            "key1=value1;property1;property2, key2 = value2, key3=value3; propertyKey=propertyValue",
            "key1=value1;property1;property2,key2=value2,key3=value3;propertyKey=propertyValue",
        ),
        ("serverNode=DF%2028,isProduction=false", "serverNode=DF%2028,isProduction=false"),
        ("k=", "k="),
        ("k=a=b", "k=a=b"),
        ("k=100%", "k=100%25"),
        ("k=%zz", "k=%25zz"),
        ("k=%E9", "k=%EF%BF%BD"),
        ("a=1,,b=2,", "a=1,b=2"),
        ("a=1,b=2,a=3", "a=3,b=2"),
        ("\ta\t=\t1\t;\tp\t=\tq\t", "a=1;p=q"),
    ];
    for (header, text) in cases {
        let baggage: Baggage = header.parse().unwrap_or_else(|error| panic!("{header}: {error}"));
        assert_eq!(baggage.to_string(), text, "{header}");
    }
}

#[test]
fn what_the_grammar_forbids_is_refused() {
    for header in ["k", "=v", "k k=v", "é=v", "k=a b", "k=\"v\"", "k=a\\b", "k=é", "k=v;p p", "k=v;=q", "k=v;p=a b"] {
        assert!(header.parse::<Baggage>().is_err(), "{header}");
    }
}

#[test]
fn members_past_the_limits_are_dropped_and_counted() {
    let many = (0..70).map(|n| format!("k{n}=v")).collect::<Vec<_>>().join(",");
    let baggage: Baggage = many.parse().unwrap();
    assert_eq!((baggage.iter().len(), baggage.dropped()), (64, 6));

    let exact = format!("k={}", "v".repeat(8190));
    assert_eq!(exact.parse::<Baggage>().unwrap().dropped(), 0);
    let long = format!("a=1,k={}", "v".repeat(8190));
    let baggage: Baggage = long.parse().unwrap();
    assert_eq!((baggage.to_string().as_str(), baggage.dropped()), ("a=1", 1));
}

#[test]
fn an_insert_past_the_limits_is_refused() {
    let mut baggage = Baggage::default();
    assert!(baggage.insert("k", &"v".repeat(8190)).is_ok());
    assert!(baggage.insert("k2", "v").is_err());
    assert!(baggage.insert("no token", "v").is_err());
    assert_eq!(baggage.iter().len(), 1);
    assert!(!baggage.is_empty());
}

proptest! {
    #[test]
    fn any_value_survives_the_header(values in proptest::collection::vec(".{0,30}", 0..20)) {
        let mut baggage = Baggage::default();
        for (place, value) in values.iter().enumerate() {
            baggage.insert(&format!("k{place}"), value).unwrap();
        }
        prop_assert_eq!(baggage.to_string().parse::<Baggage>(), Ok(baggage));
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,100}") {
        if let Ok(baggage) = text.parse::<Baggage>() {
            prop_assert_eq!(baggage.to_string().parse::<Baggage>().unwrap().iter().len(), baggage.iter().len());
        }
    }
}
