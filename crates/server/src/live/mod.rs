//! The live stream: journeys as they change, to everyone who looks.

mod event;
mod hub;
mod subscriber;

pub use event::{About, Event};
pub use hub::{Live, LiveCounts};
pub use subscriber::Subscription;
