/** The journeys worth a look: the slowest, and those that are stuck or failed. */

import { useQuery } from '@tanstack/preact-query';
import { type Filters, withValue } from '../api/filters';
import { journeyListQuery } from '../api/queries';
import type { Row } from '../api/types';
import { JourneyLine } from '../changes/line';
import { formatCount } from '../lib/numbers';

const LOOKED_AT = 1000;
const SHOWN = 6;

export function Slowest({ filters }: { filters: Filters }) {
  const { data } = useQuery(journeyListQuery(withValue(filters, 'state', 'converged'), LOOKED_AT));
  const rows = data?.journeys ?? [];
  const slowest = [...rows].sort((one, other) => (other.durationMs ?? 0) - (one.durationMs ?? 0)).slice(0, SHOWN);
  const note = rows.length >= LOOKED_AT ? ` of the newest ${formatCount(LOOKED_AT)}` : '';
  return <JourneyCard title={`Slowest${note}`} rows={slowest} empty="No journey has converged in this time." />;
}

export function NotWell({ filters }: { filters: Filters }) {
  const bad = withValue(withValue(filters, 'state', 'stuck'), 'state', 'failed');
  const { data } = useQuery(journeyListQuery(bad, LOOKED_AT));
  const rows = data?.journeys ?? [];
  const title =
    rows.length > 0
      ? `Stuck or failed: ${formatCount(rows.length)}${rows.length >= LOOKED_AT ? ' or more' : ''}`
      : 'Stuck or failed';
  return <JourneyCard title={title} rows={rows.slice(0, SHOWN)} empty="None in this time." />;
}

function JourneyCard({ title, rows, empty }: { title: string; rows: Row[]; empty: string }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {rows.length === 0 && <p class="quiet-text">{empty}</p>}
      {rows.length > 0 && (
        <ul class="journey-list card">
          {rows.map((row) => (
            <li key={row.journey}>
              <JourneyLine row={row} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
