//! Spans and the context that carries them.

mod carried;
mod context;
mod limits;
mod record;
mod recording;
mod scope;
mod span;
mod span_context;
mod sync_loop;

pub use context::{Context, Entered};
pub use limits::Limits;
pub use record::{Event, Kind, Link, SpanRecord, Status};
pub use scope::{InContext, Scoped};
pub use span::{Span, SpanRef, start};
pub use span_context::SpanContext;
pub use sync_loop::{Iteration, SyncLoop};

pub(crate) use recording::{Beginning, Recording};
pub(crate) use scope::swap_into;
