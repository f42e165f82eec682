/** Runs: traced commands (kubectl, helm, minikube, a pipeline's step), their steps over versions. */

import { useQueries, useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { runQuery, runsQuery } from '../api/queries';
import type { Run } from '../api/types';
import { formatMs } from '../lib/duration';
import { useParams } from '../lib/params';
import { Level } from '../ui/level';
import { Empty, Failure, Loading } from '../ui/notice';
import { ScrollTable } from '../ui/scroll-table';
import { Moment } from '../ui/time';
import { StackChart } from './stack-chart';
import { stepsOf } from './steps';
import '../styles/runs.css';
import '../styles/journey.css';

const LISTED = 200;
/** As many runs are asked for their steps. */
const STACKED = 24;

export function RunsPage() {
  const [params, setParams] = useParams();
  const command = params.get('command') ?? '';
  const { data, error, refetch } = useQuery(runsQuery(`limit=${LISTED}`));
  const runs = data?.runs ?? [];
  const commands = [...new Set(runs.map((run) => run.command))];
  const chosen = command || commands[0] || '';
  const shown = runs.filter((run) => run.command === chosen);
  return (
    <main class="page" id="main">
      <div class="page-head">
        <h1>Runs</h1>
        {commands.length > 0 && (
          <label>
            Command{' '}
            <select value={chosen} onChange={(event) => setParams({ command: event.currentTarget.value })}>
              {commands.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {error && !data && <Failure what="list of runs" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="runs" />}
      {data && runs.length === 0 && <NoRuns />}
      {shown.length > 0 && <Stacked runs={shown.slice(0, STACKED)} />}
      {shown.length > 0 && <RunTable runs={shown} />}
    </main>
  );
}

function NoRuns() {
  return (
    <Empty title="No command was traced yet">
      <p>
        The steps of a traced command appear here once it sends them to clew, run after run. The changes that commands
        make appear under <a href="/">Changes</a> in any case.
      </p>
    </Empty>
  );
}

function Stacked({ runs }: { runs: Run[] }) {
  const details = useQueries({ queries: runs.map((run) => ({ ...runQuery(run.id), staleTime: 60_000 })) });
  const stepped = runs.flatMap((run, index) => {
    const detail = details[index]?.data;
    return detail ? [{ run, steps: stepsOf(detail) }] : [];
  });
  // What changed is said of all of them or not at all: with half of the runs it would be another answer.
  if (details.some((detail) => detail.isPending)) return <Loading what="steps of the runs" />;
  if (stepped.length === 0) return null;
  return <StackChart runs={stepped.reverse()} />;
}

function RunTable({ runs }: { runs: Run[] }) {
  return (
    <ScrollTable label="Runs" class="card">
      <table>
        <thead>
          <tr>
            <th>Status</th>
            <th>Command</th>
            <th>Version</th>
            <th class="number">Takes</th>
            <th>Began</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td>
                <RunState run={run} />
              </td>
              <td>
                <Link href={`/runs/${run.id}`}>{run.command}</Link>
              </td>
              <td>{run.version || '–'}</td>
              <td class="number">{run.durationMs === null ? 'runs' : formatMs(run.durationMs)}</td>
              <td>
                <Moment time={run.start} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollTable>
  );
}

export function RunState({ run }: { run: Run }) {
  if (run.status.code === 'error') return <Level level="bad" words="Failed" />;
  return run.end === null ? <Level level="waiting" words="Runs" /> : <Level level="good" words="Done" />;
}
