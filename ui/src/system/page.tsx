/** System: whether clew itself is well: sources, queues, what was dropped, the store, and what to do about it. */

import { useQuery } from '@tanstack/preact-query';
import { statusQuery } from '../api/queries';
import type { Stage, Status } from '../api/types';
import { formatMs } from '../lib/duration';
import { formatCount } from '../lib/numbers';
import { Level } from '../ui/level';
import { Failure, Loading } from '../ui/notice';
import { Section } from '../ui/section';
import { Moment } from '../ui/time';
import { Doctor } from './doctor';
import { Sources } from './sources';
import { StoreCard } from './store-card';
import '../styles/system.css';

export function SystemPage() {
  const { data, error, refetch } = useQuery(statusQuery());
  return (
    <main class="page" id="main">
      <div class="page-head">
        <h1>System</h1>
        {data && (
          <span class="quiet-text">
            clew {data.version}, started <Moment time={data.started} />
          </span>
        )}
      </div>
      {error && <Failure what="status" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="status" />}
      {data && <Everything status={data} />}
    </main>
  );
}

function Everything({ status }: { status: Status }) {
  return (
    <div class="system">
      <Doctor checks={status.doctor} />
      <Sources sources={status.sources} />
      <Stages stages={status.stages} />
      <Drops status={status} />
      {status.store && <StoreCard store={status.store} />}
    </div>
  );
}

function Stages({ stages }: { stages: Stage[] }) {
  return (
    <Section title="Queues">
      <ul class="stages">
        {stages.map((stage) => {
          const share = stage.capacity > 0 ? stage.queued / stage.capacity : 0;
          return (
            <li key={stage.name}>
              <span>{stage.name}</span>
              <meter
                min={0}
                max={1}
                low={0.5}
                high={0.8}
                optimum={0}
                value={share}
                aria-label={`${stage.name} queue`}
              />
              <span class="quiet-text">
                {formatCount(stage.queued)} of {formatCount(stage.capacity)}, {formatMs(stage.lagSeconds * 1000)} behind
              </span>
            </li>
          );
        })}
      </ul>
      {stages.length === 0 && <p class="quiet-text">None is reported.</p>}
    </Section>
  );
}

function Drops({ status }: { status: Status }) {
  const drops = status.drops.filter((drop) => drop.count > 0);
  return (
    <Section title="Dropped">
      {drops.length === 0 && (
        <p>
          <Level level="good" words="Nothing was dropped" />
        </p>
      )}
      {drops.length > 0 && (
        <table>
          <tbody>
            {drops.map((drop) => (
              <tr key={drop.stage + drop.reason}>
                <td>{drop.stage}</td>
                <td class="wrap">{drop.reason}</td>
                <td class="number">{formatCount(drop.count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
