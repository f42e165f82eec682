/** Where facts come from: what is not well first, and the watches that are well as one line. */

import { useState } from 'preact/hooks';
import type { Source } from '../api/types';
import { plural } from '../lib/numbers';
import { Level, type Wellness } from '../ui/level';
import { ScrollTable } from '../ui/scroll-table';
import { Section } from '../ui/section';
import { Moment } from '../ui/time';
import { folded } from './fold';

const LEVELS: Record<Source['state'], Wellness> = { up: 'good', waiting: 'waiting', failed: 'bad' };

export function Sources({ sources }: { sources: Source[] }) {
  const [all, setAll] = useState(false);
  const shown = folded(sources, all);
  const hidden = sources.length > folded(sources, false).length;
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
                <th class="number">Facts a second</th>
                <th>Last one</th>
                <th>What it says</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((source) => (
                <SourceRow key={`${source.kind} ${source.cluster} ${source.name}`} source={source} />
              ))}
            </tbody>
          </table>
        </ScrollTable>
      )}
      {hidden && (
        <button type="button" class="quiet" onClick={() => setAll(!all)}>
          {all ? 'Watches as one line' : `Show all ${plural(sources.length, 'source')}`}
        </button>
      )}
    </Section>
  );
}

function SourceRow({ source }: { source: Source }) {
  return (
    <tr>
      <td>
        {source.name} <span class="quiet-text">{source.kind}</span>
      </td>
      <td>
        <Level level={LEVELS[source.state]} words={source.state} />
      </td>
      <td>{source.cluster || 'any'}</td>
      <td class="number">{source.rate.toFixed(source.rate < 10 ? 1 : 0)}</td>
      <td>{source.lastSeen ? <Moment time={source.lastSeen} /> : 'none yet'}</td>
      <td class="wrap">{source.message}</td>
    </tr>
  );
}
