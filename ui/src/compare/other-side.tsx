/** Offers journeys to compare with: those that began with the same object, then those of the same kind and namespace. */

import { useQuery } from '@tanstack/preact-query';
import type { Filters } from '../api/filters';
import { journeyListQuery, journeyQuery } from '../api/queries';
import type { Row } from '../api/types';
import { formatMs } from '../lib/duration';
import { titleOf } from '../lib/title';
import { StateBadge } from '../ui/icon';
import { Empty } from '../ui/notice';
import { Moment } from '../ui/time';
import type { Side } from './sides';

const OFFERED = 30;

export function OtherSide({ side, onChoose }: { side: Side; onChoose: (journey: string) => void }) {
  const journey = 'journey' in side ? side.journey : '';
  const { data: chosen } = useQuery({ ...journeyQuery(journey), enabled: journey !== '' });
  const { data } = useQuery({ ...journeyListQuery(likeIt(chosen), OFFERED), enabled: chosen !== undefined });
  if (journey === '') {
    return (
      <Empty title="And with what?">
        <p>Say what the other side is, as one would search for it.</p>
      </Empty>
    );
  }
  const others = (data?.journeys ?? []).filter((row) => row.journey !== chosen?.journey);
  return (
    <section aria-labelledby="others-title">
      <h2 id="others-title">With which one?</h2>
      {chosen && (
        <p class="quiet-text">
          A is: {titleOf(chosen)}, <Moment time={chosen.start} />
          {chosen.durationMs !== null && `, ${formatMs(chosen.durationMs)}`}
        </p>
      )}
      {data && others.length === 0 && (
        <p>There is no other journey of this kind. Any journey's id can be put in above.</p>
      )}
      <ul class="others">
        {others.map((row) => (
          <li key={row.journey}>
            <button type="button" onClick={() => onChoose(row.journey)}>
              <StateBadge state={row.state} wordless />
              <span>{titleOf(row)}</span>
              <span class="quiet-text">{row.durationMs !== null && formatMs(row.durationMs)}</span>
              <span class="quiet-text">
                <Moment time={row.start} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function likeIt(row: Row | undefined): Filters {
  if (!row) return {};
  const { namespace, objectKind, name } = row.root;
  return {
    ...(namespace ? { namespace: [namespace] } : {}),
    ...(objectKind ? { kind: [objectKind] } : {}),
    ...(name ? { name: [name] } : {}),
  };
}
