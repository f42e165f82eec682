/** The answer first: how it stands, how long it took, where the time went, what it waits on. */

import { Link } from 'wouter-preact';
import { writeFilters } from '../api/filters';
import type { Liveness } from '../api/stream';
import type { Detail } from '../api/types';
import { durationOf } from '../changes/groups';
import { LiveMark } from '../changes/live-mark';
import { againstUsual } from '../changes/usual';
import { formatMs } from '../lib/duration';
import { plural } from '../lib/numbers';
import { now } from '../lib/settings';
import { useShared } from '../lib/store';
import { agentName, titleOf, waitingText } from '../lib/title';
import { CopyButton } from '../ui/copy';
import { DiffView } from '../ui/diff';
import { Icon } from '../ui/icon';
import { Moment } from '../ui/time';
import { CriticalBar } from './critical-bar';

interface Props {
  detail: Detail;
  onStep: (name: string) => void;
  liveness: Liveness | undefined;
}

export function Answer({ detail, onStep, liveness }: Props) {
  const { waitingOn, state, findings } = detail;
  return (
    <section class="answer" aria-label="The answer">
      <h1>{titleOf(detail)}</h1>
      <Verdict detail={detail} liveness={liveness} />
      {waitingOn && state !== 'converged' && (
        <p class={`waits waits-${state}`}>
          <Icon name={state} />
          <span>
            {state === 'failed' ? 'Because of ' : 'Waits on '}
            <strong>{waitingOn.reason}</strong>
            {waitingOn.object?.uid && (
              <>
                {' of '}
                <Link href={`/objects?uid=${encodeURIComponent(waitingOn.object.uid)}`}>
                  {waitingOn.object.kind} {waitingOn.object.namespace && `${waitingOn.object.namespace}/`}
                  {waitingOn.object.name}
                </Link>
              </>
            )}
            : {waitingText(waitingOn)}
          </span>
        </p>
      )}
      {findings.length > 0 && (
        <ul class="findings">
          {findings.map((finding) => (
            <li key={finding.kind + finding.message}>
              <Icon name="stuck" class="state-stuck" /> <strong>{finding.kind}</strong>: {finding.message}
            </li>
          ))}
        </ul>
      )}
      <CriticalBar path={detail.criticalPath} onStep={onStep} />
      <About detail={detail} />
    </section>
  );
}

function Verdict({ detail, liveness }: Pick<Props, 'detail' | 'liveness'>) {
  const current = useShared(now);
  const ms = durationOf(detail, current);
  const against = againstUsual(ms, detail.usual);
  const words = {
    converged: `Converged in ${formatMs(ms)}`,
    open: `Open for ${formatMs(ms)}`,
    failed: `Failed after ${formatMs(ms)}`,
    stuck: `Stuck for ${formatMs(ms)}`,
  }[detail.state];
  return (
    <p class={`verdict state-${detail.state}`}>
      <Icon name={detail.state} /> <strong>{words}</strong>
      {against && (against.slow || detail.state === 'converged') && (
        <span class={against.slow ? 'slow' : 'quiet-text'}>{against.words}</span>
      )}
      {liveness && <LiveMark liveness={liveness} />}
    </p>
  );
}

function About({ detail }: { detail: Detail }) {
  const { root, counts, diff } = detail;
  const commandLink = detail.command ? `/?${writeFilters({ command: [detail.command] })}` : undefined;
  const before = `/compare?a=${detail.journey}`;
  return (
    <div class="about">
      <span>
        <Moment time={detail.start} /> in {detail.cluster}
      </span>
      <span>
        by <Link href={`/?${writeFilters({ user: [root.user] })}`}>{root.user || 'nobody known'}</Link>
        {root.agent && ` with ${agentName(root.agent)}`}
      </span>
      <span>
        {plural(counts.objects, 'object')}, {plural(counts.writes, 'write')}, {plural(counts.spans, 'span')}
        {counts.errors > 0 && <span class="bad">, {plural(counts.errors, 'error')}</span>}
      </span>
      {commandLink && <Link href={commandLink}>All of this command</Link>}
      <Link href={before}>Compare</Link>
      <a href={`/api/v1/journeys/${detail.journey}/otlp`} download={`${detail.journey}.otlp.json`}>
        OTLP
      </a>
      <CopyButton text={detail.journey} label="Trace id" />
      {diff.length > 0 && (
        <details class="about-diff">
          <summary>What was changed: {plural(diff.length, 'field')}</summary>
          <DiffView diff={diff} />
        </details>
      )}
    </div>
  );
}
