/** The times above the waterfall. */

import { formatMs } from '../lib/duration';
import { xOf } from './draw';
import { ticks, type Window } from './window';

export function Axis({ window, width, left }: { window: Window; width: number; left: number }) {
  return (
    <div class="wf-axis" aria-hidden="true">
      {ticks(window, width / 110).map((tick) => {
        const x = xOf({ window, width }, tick);
        return (
          <span key={tick} class={x > width - 60 ? 'at-end' : ''} style={{ left: `${left + x}px` }}>
            {formatMs(tick)}
          </span>
        );
      })}
    </div>
  );
}
