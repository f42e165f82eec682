/** Who takes long: requests by verb and resource, controllers, nodes. */

import { useQuery } from '@tanstack/preact-query';
import { type Filters, withValue } from '../api/filters';
import { type StatsQuestion, statsQuery } from '../api/queries';
import { formatMs } from '../lib/duration';
import { formatCount } from '../lib/numbers';
import { userName } from '../lib/title';
import { Failure } from '../ui/notice';
import { ScrollTable } from '../ui/scroll-table';
import { NOBODY, type Total, totals } from './series';

const REQUESTS = 'clew.kind=request';

interface Props {
  filters: Filters;
}

export function RequestTable({ filters }: Props) {
  const question: StatsQuestion = { of: 'spans', by: ['span'], limit: 200 };
  return (
    <TotalTable
      title="API requests by verb and resource"
      name="Request"
      question={question}
      filters={withValue(filters, 'attr', REQUESTS)}
    />
  );
}

export function WriterTable({ filters }: Props) {
  const question: StatsQuestion = { of: 'spans', by: ['user'], limit: 200 };
  return (
    <TotalTable
      title="Controllers and people"
      name="Who"
      question={question}
      filters={withValue(filters, 'attr', REQUESTS)}
      label={userName}
    />
  );
}

export function PhaseTable({ filters }: Props) {
  const question: StatsQuestion = { of: 'spans', by: ['span'], limit: 50 };
  const phases = withValue(filters, 'attr', 'clew.kind=phase');
  return <TotalTable title="Phases of pods" name="Phase" question={question} filters={phases} />;
}

export function NodeTable({ filters }: Props) {
  const question: StatsQuestion = { of: 'spans', by: ['node'], limit: 200 };
  const pods = withValue(withValue(filters, 'attr', 'clew.kind=object'), 'attr', 'k8s.resource=pods');
  const label = (node: string) => (node === NOBODY ? 'no node yet' : node);
  return <TotalTable title="Pods by node" name="Node" question={question} filters={pods} label={label} />;
}

interface TableProps {
  title: string;
  name: string;
  question: StatsQuestion;
  filters: Filters;
  label?: (key: string) => string;
}

const SHOWN = 12;

function TotalTable({ title, name, question, filters, label = (key) => key }: TableProps) {
  const { data, error } = useQuery(statsQuery(question, filters));
  const rows = totals(data?.series ?? [])
    .sort((one, other) => other.sumMs - one.sumMs)
    .slice(0, SHOWN);
  const longest = Math.max(1, ...rows.map((row) => row.p95Ms ?? 0));
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {error && <Failure what="table" error={error} />}
      {!data && !error && <p class="quiet-text">Loading …</p>}
      {data && rows.length === 0 && <p class="quiet-text">Nothing in this time.</p>}
      {rows.length > 0 && (
        <ScrollTable label={`${title}, table`}>
          <table>
            <thead>
              <tr>
                <th>{name}</th>
                <th class="number">Count</th>
                <th class="number">Errors</th>
                <th class="number">Median</th>
                <th class="number">95 %</th>
                <th class="number">Longest</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <TotalRow key={row.key} row={row} label={label(row.key)} longest={longest} />
              ))}
            </tbody>
          </table>
        </ScrollTable>
      )}
    </section>
  );
}

function TotalRow({ row, label, longest }: { row: Total; label: string; longest: number }) {
  const ms = (value: number | null) => (value === null ? '–' : formatMs(value));
  return (
    <tr>
      <td class="total-name" title={row.key}>
        {label}
        <span class="total-bar" style={{ width: `${((row.p95Ms ?? 0) / longest) * 100}%` }} aria-hidden="true" />
      </td>
      <td class="number">{formatCount(row.count)}</td>
      <td class={`number ${row.errors > 0 ? 'bad' : ''}`}>{formatCount(row.errors)}</td>
      <td class="number">{ms(row.p50Ms)}</td>
      <td class="number">{ms(row.p95Ms)}</td>
      <td class="number">{ms(row.maxMs)}</td>
    </tr>
  );
}
