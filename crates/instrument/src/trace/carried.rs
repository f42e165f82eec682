//! What travels beside a span: trace state and baggage, as they came, shared and reused so that a context stays small.

use http::HeaderValue;
use std::cell::RefCell;
use std::sync::Arc;

/// The records that a thread keeps for its next requests.
const KEPT: usize = 16;

thread_local! {
    static POOL: RefCell<Vec<Arc<Headers>>> = const { RefCell::new(Vec::new()) };
}

/// The headers, unparsed: they are parsed where they are handed on, so that an unsampled request pays nothing for them.
#[derive(Clone, Default)]
pub(crate) struct Headers {
    pub(crate) trace_state: Option<HeaderValue>,
    pub(crate) baggage: Option<HeaderValue>,
}

/// The headers of a context; none for most.
#[derive(Clone, Default)]
pub(crate) struct Carried(Option<Arc<Headers>>);

impl Carried {
    pub(crate) const NONE: Self = Self(None);

    pub(crate) fn trace_state(&self) -> Option<&HeaderValue> {
        self.0.as_ref()?.trace_state.as_ref()
    }

    pub(crate) fn baggage(&self) -> Option<&HeaderValue> {
        self.0.as_ref()?.baggage.as_ref()
    }

    pub(crate) fn set_trace_state(&mut self, value: Option<HeaderValue>) {
        if value.is_some() || self.trace_state().is_some() {
            self.edit(|headers| headers.trace_state = value);
        }
    }

    pub(crate) fn set_baggage(&mut self, value: Option<HeaderValue>) {
        if value.is_some() || self.baggage().is_some() {
            self.edit(|headers| headers.baggage = value);
        }
    }

    fn edit(&mut self, change: impl FnOnce(&mut Headers)) {
        change(Arc::make_mut(self.0.get_or_insert_with(take)));
    }
}

impl Drop for Carried {
    fn drop(&mut self) {
        let Some(mut headers) = self.0.take() else { return };
        let Some(own) = Arc::get_mut(&mut headers) else { return };
        *own = Headers::default();
        // The thread may be ending, and then there is nothing to keep it for.
        let _ = POOL.try_with(|pool| {
            if let Ok(mut pool) = pool.try_borrow_mut()
                && pool.len() < KEPT
            {
                pool.push(headers);
            }
        });
    }
}

fn take() -> Arc<Headers> {
    let kept = POOL.try_with(|pool| pool.try_borrow_mut().ok()?.pop()).ok().flatten();
    kept.unwrap_or_default()
}
