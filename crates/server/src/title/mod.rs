//! A journey's title: what its root did, as a person would tell it. Pure.
//!
//! `alice@example.com set env RELEASE=2 on Deployment shop/web with kubectl`

mod change;
mod commit;
mod fields;
mod helm;
mod sentence;
#[cfg(test)]
mod tests;
mod who;

pub use sentence::title;
