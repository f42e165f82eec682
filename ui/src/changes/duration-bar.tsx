/** A duration beside what is usual for this kind of change: the band is usual, the bar is this one. */

import type { Usual } from '../api/types';
import { formatMs } from '../lib/duration';
import { againstUsual } from './usual';

interface Props {
  ms: number;
  usual: Usual | null;
  open: boolean;
}

export function DurationBar({ ms, usual, open }: Props) {
  const against = againstUsual(ms, usual);
  return (
    <span class="duration" title={against?.words}>
      <span class={`duration-text ${against?.slow ? 'slow' : ''}`}>
        {formatMs(ms)}
        {open && <span class="quiet-text"> so far</span>}
      </span>
      {against && (
        <>
          <span class="duration-track" aria-hidden="true">
            <span
              class="duration-band"
              style={{ left: percent(against.bandFrom), width: percent(against.bandTo - against.bandFrom) }}
            />
            <span class={`duration-fill ${against.slow ? 'slow' : ''}`} style={{ width: percent(against.bar) }} />
          </span>
          <span class="sr-only">{against.words}</span>
        </>
      )}
    </span>
  );
}

function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(1)}%`;
}
