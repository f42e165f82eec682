//! Following the API server's audit log.

use std::path::Path;
use std::time::Duration;

use tokio::time::sleep;

use super::tail::Tail;
use crate::lines::MAX_LINE;
use crate::record::Context;

/// How long to wait when there is nothing new.
const POLL: Duration = Duration::from_millis(100);
/// How long to wait when the file cannot be read.
const RETRY: Duration = Duration::from_secs(5);

/// Follows the file until aborted.
pub(crate) async fn follow(path: &Path, context: &Context) {
    let mut tail = Tail::at_end(path, MAX_LINE);
    if !tail.is_open() {
        context.notice(format!("waits for {}, which is not there yet", path.display()));
    }
    let mut told = false;
    loop {
        // Short reads of a local file, most of them from the page cache: not worth a thread.
        let look = match tail.look() {
            Ok(look) => look,
            Err(error) => {
                if !std::mem::replace(&mut told, true) {
                    context.notice(format!("cannot read {}, trying on: {error}", path.display()));
                }
                sleep(RETRY).await;
                continue;
            }
        };
        told = false;
        context.queue.count_bad(look.completed.bad);
        for line in look.completed.lines {
            let Ok(line) = context.redactor.audit_event(&line) else {
                context.queue.count_bad(1);
                continue;
            };
            if context.queue.send(line).await.is_err() {
                return;
            }
        }
        if !look.more {
            sleep(POLL).await;
        }
    }
}
