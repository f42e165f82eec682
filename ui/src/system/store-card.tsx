/** The store: where it is, how large, how far behind, what went wrong. */

import type { StoreHealth } from '../api/types';
import { formatMs } from '../lib/duration';
import { formatBytes, formatCount, plural } from '../lib/numbers';
import { Level } from '../ui/level';
import { ScrollTable } from '../ui/scroll-table';
import { Section } from '../ui/section';

export function StoreCard({ store }: { store: StoreHealth }) {
  return (
    <Section title="Store">
      <dl class="store-facts">
        <div>
          <dt>Where</dt>
          <dd>{store.location || 'memory'}</dd>
        </div>
        <div>
          <dt>Log</dt>
          <dd>{formatBytes(store.logBytes)}</dd>
        </div>
        <div>
          <dt>Memory</dt>
          <dd>{formatBytes(store.memoryBytes)}</dd>
        </div>
        <div>
          <dt>Not in the lake yet</dt>
          <dd>{store.lagSeconds > 0 ? `the last ${formatMs(store.lagSeconds * 1000)}` : 'nothing'}</dd>
        </div>
      </dl>
      <Retention kept={store.retention} />
      {store.tables.length > 0 && (
        <ScrollTable label="Tables of the store">
          <table>
            <thead>
              <tr>
                <th>Table</th>
                <th class="number">Rows in the lake</th>
                <th class="number">Recent rows</th>
                <th class="number">Files</th>
                <th class="number">Size</th>
                <th class="number">Version</th>
              </tr>
            </thead>
            <tbody>
              {store.tables.map((table) => (
                <tr key={table.name}>
                  <td>{table.name}</td>
                  <td class="number">{formatCount(table.rows)}</td>
                  <td class="number">{formatCount(table.hotRows)}</td>
                  <td class="number">{formatCount(table.files)}</td>
                  <td class="number">{formatBytes(table.bytes)}</td>
                  <td class="number">{table.version}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollTable>
      )}
      {store.problems.length === 0 && (
        <p>
          <Level level="good" words="No problem lately" />
        </p>
      )}
      {store.problems.map((problem) => (
        <p key={problem} class="bad">
          {problem}
        </p>
      ))}
    </Section>
  );
}

const DAY = 86_400;

/** How long data is kept, in one sentence. */
function Retention({ kept }: { kept: StoreHealth['retention'] }) {
  const time = (seconds: number | null) => (seconds === null ? 'for ever' : plural(Math.round(seconds / DAY), 'day'));
  return (
    <p class="retention">
      Journeys are kept {time(kept.journeysSeconds)}, the components' own spans in them {time(kept.segmentsSeconds)},
      spans that belong to no journey {time(kept.backgroundSeconds)}
      {kept.bytes === null ? '' : `; ${formatBytes(kept.bytes)} at most`}.
    </p>
  );
}
