/** Says whether the list moves by itself. */

import type { Liveness } from '../api/stream';

const WORDS: Record<Liveness, string> = {
  connecting: 'Connecting …',
  live: 'Live',
  lost: 'Connection lost, trying again …',
};

export function LiveMark({ liveness }: { liveness: Liveness }) {
  return (
    <span class={`live-mark live-${liveness}`} role="status">
      <span class="live-dot" aria-hidden="true" /> {WORDS[liveness]}
    </span>
  );
}
