/** The journeys worth a look: the slowest, and those that are stuck or failed. */

import { useQuery } from '@tanstack/preact-query';
import type { Filters } from '../api/filters';
import { journeyListQuery } from '../api/queries';
import type { Row } from '../api/types';
import { JourneyLine } from '../changes/line';
import { formatCount } from '../lib/numbers';
import { Failure } from '../ui/notice';
import { onlyConverged } from './series';

const LOOKED_AT = 1000;
const SHOWN = 6;

export function Slowest({ filters }: { filters: Filters }) {
  const { data, error } = useQuery(journeyListQuery(onlyConverged(filters), LOOKED_AT));
  const rows = data?.journeys ?? [];
  const slowest = [...rows].sort((one, other) => (other.durationMs ?? 0) - (one.durationMs ?? 0)).slice(0, SHOWN);
  const note = rows.length >= LOOKED_AT ? ` of the newest ${formatCount(LOOKED_AT)}` : '';
  const empty = data ? 'No journey has converged in this time.' : undefined;
  return <JourneyCard title={`Slowest${note}`} rows={slowest} empty={empty} error={error} />;
}

export function NotWell({ filters }: { filters: Filters }) {
  const bad = { ...filters, state: ['stuck', 'failed'] };
  const { data, error } = useQuery(journeyListQuery(bad, LOOKED_AT));
  const rows = data?.journeys ?? [];
  const title =
    rows.length > 0
      ? `Stuck or failed: ${formatCount(rows.length)}${rows.length >= LOOKED_AT ? ' or more' : ''}`
      : 'Stuck or failed';
  return <JourneyCard title={title} rows={rows.slice(0, SHOWN)} empty={data && 'None in this time.'} error={error} />;
}

interface CardProps {
  title: string;
  rows: Row[];
  /** What there is to say when there are none; nothing while they are not known. */
  empty: string | undefined;
  error: unknown;
}

function JourneyCard({ title, rows, empty, error }: CardProps) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {error ? <Failure what="list" error={error} /> : null}
      {rows.length === 0 && !error && <p class="quiet-text">{empty ?? 'Loading …'}</p>}
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
