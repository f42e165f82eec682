/** What the colours and marks of the waterfall mean. */

import { PHASE_COLORS } from './palette';

export function Legend() {
  return (
    <ul class="legend" aria-label="Legend">
      {PHASE_COLORS.map(([name, color]) => (
        <li key={name}>
          <span class="swatch" style={{ background: `var(${color})` }} /> {name}
        </li>
      ))}
      <li>
        <span class="swatch swatch-gap" /> gap
      </li>
      <li>
        <span class="swatch swatch-critical" /> critical path
      </li>
      <li>
        <span class="mark-event" /> event
      </li>
      <li>
        <span class="bad">×</span> error
      </li>
    </ul>
  );
}
