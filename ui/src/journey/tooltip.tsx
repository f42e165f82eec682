/** What the pointer is over, in a few lines. */

import { formatMs } from '../lib/duration';
import type { Hit } from './hit';
import type { Size } from './use-size';

interface Props {
  hit: Hit;
  x: number;
  y: number;
  room: Size;
}

const WIDTH = 340;

export const EVIDENCE_WORDS: Record<string, string> = {
  context: 'a trace context was carried',
  identity: 'the same UID or container id',
  ownership: 'an owner reference, garbage collection or namespace deletion',
  reference: 'one object names the other',
  timing: 'only that one came shortly after the other',
};

export function Tooltip({ hit, x, y, room }: Props) {
  const { node, event } = hit;
  const left = Math.max(Math.min(x + 14, room.width - WIDTH - 8), 4);
  const below = y < room.height * 0.6;
  const place = below ? { top: `${y + 16}px` } : { bottom: `${room.height - y + 12}px` };
  return (
    <div class="tooltip" style={{ left: `${left}px`, width: `${WIDTH}px`, ...place }} aria-hidden="true">
      {event ? (
        <>
          <strong>{event.name}</strong>
          <span>{String(event.attributes.message ?? '')}</span>
          <span class="quiet-text">
            event of {node.span.name}, from {String(event.attributes.source ?? 'unknown')}
          </span>
        </>
      ) : (
        <>
          <strong>{node.span.name}</strong>
          <span>
            {formatMs(node.end - node.start)}
            {node.running && ' so far'}, from {formatMs(node.start)} to {formatMs(node.end)} · {node.component}
          </span>
          {node.error && <span class="bad">{node.span.status.message}</span>}
          {node.evidence && (
            <span class="quiet-text">
              evidence: <b>{node.evidence}</b> ({EVIDENCE_WORDS[node.evidence]})
            </span>
          )}
          {node.critical && <span class="quiet-text">on the critical path</span>}
        </>
      )}
    </div>
  );
}
