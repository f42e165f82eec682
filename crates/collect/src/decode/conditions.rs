//! The conditions of a status, as many and as long as are kept.

use clew_weave::fact::Condition;
use clew_weave::kstatus::{ConditionView, StatusView};

/// How many conditions of one object are kept.
const MAX_CONDITIONS: usize = 16;
/// The longest type, status or reason in bytes: as long as Kubernetes lets a qualified name be.
const MAX_WORD: usize = 316;
/// The longest message in bytes; a scheduler that counts up its nodes says more.
const MAX_MESSAGE: usize = 512;

/// What the controllers say of an object; what is too long ends in an ellipsis.
pub(super) fn bounded(status: &StatusView) -> Vec<Condition> {
    status.conditions.iter().take(MAX_CONDITIONS).map(condition).collect()
}

fn condition(view: &ConditionView) -> Condition {
    Condition {
        kind: cut(&view.kind, MAX_WORD).into(),
        status: cut(&view.status, MAX_WORD).into(),
        reason: cut(view.reason.as_deref().unwrap_or_default(), MAX_WORD).into(),
        message: cut(view.message.as_deref().unwrap_or_default(), MAX_MESSAGE).into(),
        time: view.last_transition_time,
    }
}

fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(most);
    format!("{}…", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_with_endless_conditions_keeps_a_few_short_ones() {
        let long = || ConditionView { message: Some("ü".repeat(1000).into()), ..ConditionView::default() };
        let conditions = std::iter::repeat_with(long).take(100).collect();
        let status = StatusView { conditions, ..StatusView::default() };
        let kept = bounded(&status);
        assert_eq!(kept.len(), MAX_CONDITIONS);
        assert_eq!(kept[0].message.chars().count(), MAX_MESSAGE / 2 + 1);
        assert!(kept[0].message.ends_with('…'));
    }
}
