/** One run of a command, as a waterfall. */

import { useQuery } from '@tanstack/preact-query';
import { useRoute } from 'wouter-preact';
import { runQuery } from '../api/queries';
import type { Root, RunDetail } from '../api/types';
import { Explorer } from '../journey/explorer';
import { formatMs } from '../lib/duration';
import { parseTime } from '../lib/time';
import { Failure, Loading } from '../ui/notice';
import { Moment } from '../ui/time';
import { RunState } from './page';
import '../styles/journey.css';
import '../styles/detail.css';

/** A run has no root change. */
const NO_ROOT: Root = {
  auditID: null,
  verb: '',
  resource: '',
  subresource: '',
  kind: 'run',
  namespace: '',
  name: '',
  user: '',
  agent: '',
};

export function RunPage() {
  const [, params] = useRoute('/runs/:id');
  const { data, error, refetch } = useQuery(runQuery(params?.id ?? ''));
  if (!data) {
    return (
      <main class="page" id="main">
        {error ? <Failure what="run" error={error} onRetry={() => void refetch()} /> : <Loading what="run" />}
      </main>
    );
  }
  const { run, spans } = data;
  const ended = run.end === null ? undefined : parseTime(run.end);
  const detail = {
    journey: run.id,
    diff: [],
    root: NO_ROOT,
    state: ended === undefined ? ('open' as const) : ('converged' as const),
  };
  return (
    <main class="page journey" id="main">
      <Explorer detail={detail} ended={ended} spans={spans} edges={[]}>
        {() => <RunHead detail={data} />}
      </Explorer>
    </main>
  );
}

function RunHead({ detail: { run } }: { detail: RunDetail }) {
  return (
    <section class="answer" aria-label="The run">
      <h1>{run.command}</h1>
      <p class="verdict">
        <RunState run={run} />
        <strong>{run.durationMs === null ? 'still runs' : `took ${formatMs(run.durationMs)}`}</strong>
        {run.status.message && <span class="bad">{run.status.message}</span>}
      </p>
      <div class="about">
        <span>version {run.version || 'unknown'}</span>
        <Moment time={run.start} />
        {Object.entries(run.attributes).map(([key, value]) => (
          <span key={key}>
            {key}: {String(value)}
          </span>
        ))}
      </div>
    </section>
  );
}
