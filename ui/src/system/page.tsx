/** System: whether clew itself is well: sources, queues, what was dropped, the store, and what to do about it. */

import { useQuery } from '@tanstack/preact-query';
import { statusQuery } from '../api/queries';
import type { Source, Stage, Status } from '../api/types';
import { formatMs } from '../lib/duration';
import { formatCount } from '../lib/numbers';
import { Level, type Wellness } from '../ui/level';
import { Failure, Loading } from '../ui/notice';
import { ScrollTable } from '../ui/scroll-table';
import { Section } from '../ui/section';
import { Moment } from '../ui/time';
import { Doctor } from './doctor';
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
            clew {data.version}, up since <Moment time={data.started} />
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
      <StoreCard store={status.store} />
    </div>
  );
}

const SOURCE_LEVELS: Record<Source['state'], Wellness> = { up: 'good', waiting: 'waiting', failed: 'bad' };

function Sources({ sources }: { sources: Source[] }) {
  return (
    <Section title="Sources" wide>
      {sources.length === 0 && <p class="quiet-text">None is reported. How facts come in is told by clew up --help.</p>}
      {sources.length > 0 && (
        <ScrollTable label="Sources, table">
          <table>
            <thead>
              <tr>
                <th>Source</th>
                <th>State</th>
                <th>Cluster</th>
                <th class="number">A second</th>
                <th>Last seen</th>
                <th>What it says</th>
              </tr>
            </thead>
            <tbody>
              {sources.map((source) => (
                <tr key={`${source.name}${source.cluster}`}>
                  <td>
                    {source.name} <span class="quiet-text">{source.kind}</span>
                  </td>
                  <td>
                    <Level level={SOURCE_LEVELS[source.state]} words={source.state} />
                  </td>
                  <td>{source.cluster || 'any'}</td>
                  <td class="number">{source.rate.toFixed(source.rate < 10 ? 1 : 0)}</td>
                  <td>{source.lastSeen ? <Moment time={source.lastSeen} /> : 'never'}</td>
                  <td class="wrap">{source.message}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollTable>
      )}
    </Section>
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
