//! How many spans were started, by what decided about them. Counters only: this is the unsampled request's path.

use std::sync::atomic::{AtomicU64, Ordering};

/// Where a span's parent is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    None,
    Local,
    Remote,
}

impl Origin {
    pub(crate) const ALL: [Self; 3] = [Self::None, Self::Local, Self::Remote];

    pub(crate) fn of(has_parent: bool, remote: bool) -> Self {
        match (has_parent, remote) {
            (false, _) => Self::None,
            (true, false) => Self::Local,
            (true, true) => Self::Remote,
        }
    }

    /// The value of `otel.span.parent.origin`.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Local => "local",
            Self::Remote => "remote",
        }
    }
}

/// Counters of started spans.
#[derive(Default)]
pub(crate) struct Started {
    sampled: [AtomicU64; 3],
    unsampled: [AtomicU64; 3],
}

impl Started {
    #[inline]
    pub(crate) fn sampled(&self, has_parent: bool, remote: bool) {
        self.sampled[Origin::of(has_parent, remote) as usize].fetch_add(1, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn unsampled(&self, has_parent: bool, remote: bool) {
        self.unsampled[Origin::of(has_parent, remote) as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count(&self, sampled: bool, origin: Origin) -> u64 {
        let counters = if sampled { &self.sampled } else { &self.unsampled };
        counters[origin as usize].load(Ordering::Relaxed)
    }
}
