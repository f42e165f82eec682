/** Runs beside each other, each a stack of its steps; where the duration changed, a mark says so. */

import { Link } from 'wouter-preact';
import type { Run } from '../api/types';
import { seriesVariable } from '../lib/colors';
import { formatMs } from '../lib/duration';
import { type ChangePoint, changePoints, guilty, namesOf, type Step } from './steps';

export interface SteppedRun {
  run: Run;
  steps: Step[];
}

const NAMED = 6;

/** Oldest first. */
export function StackChart({ runs }: { runs: SteppedRun[] }) {
  const names = namesOf(
    runs.map(({ steps }) => steps),
    NAMED,
  );
  const durations = runs.map(({ run, steps }) => run.durationMs ?? steps.reduce((sum, step) => sum + step.ms, 0));
  const longest = Math.max(1, ...runs.map(({ steps }, index) => Math.max(durations[index] ?? 0, sum(steps))));
  const changes = changePoints(durations);
  return (
    <figure class="card stack">
      <Answers runs={runs} changes={changes} />
      <figcaption>Steps of each run, oldest first</figcaption>
      <ol class="stack-runs">
        {runs.map(({ run, steps }, index) => {
          const change = changes.find((point) => point.index === index);
          return (
            <li key={run.id} class={change ? 'stack-change' : ''}>
              {change && (
                <span class="stack-mark">
                  {change.after > change.before ? '▲' : '▼'} {formatMs(change.before)} → {formatMs(change.after)}
                </span>
              )}
              <Link href={`/runs/${run.id}`}>
                <span class="stack-version">{run.version || '–'}</span>
                <Stack steps={steps} names={names} longest={longest} />
                <span class="stack-total">{formatMs(durations[index] ?? 0)}</span>
              </Link>
            </li>
          );
        })}
      </ol>
      <ul class="legend">
        {names.map((name, index) => (
          <li key={name}>
            <span class="swatch" style={{ background: `var(${seriesVariable(index)})` }} /> {name}
          </li>
        ))}
        <li>
          <span class="swatch swatch-rest" /> other steps
        </li>
      </ul>
    </figure>
  );
}

/** What changed and where, in words. */
function Answers({ runs, changes }: { runs: SteppedRun[]; changes: ChangePoint[] }) {
  const steps = runs.map((run) => run.steps);
  if (changes.length === 0) return <p class="stack-answer">No version changed how long it takes.</p>;
  return changes.map((point) => {
    const slower = point.after > point.before;
    const step = guilty(steps, point);
    return (
      <p key={point.index} class="stack-answer">
        <strong class={slower ? 'bad' : 'state-converged'}>
          {slower ? '▲ Slower' : '▼ Faster'} from {runs[point.index]?.run.version || 'an unknown version'} on
        </strong>
        : {formatMs(point.after)} rather than {formatMs(point.before)}
        {step && `; ${step.name} ${step.ms > 0 ? '+' : ''}${formatMs(step.ms)}`}
      </p>
    );
  });
}

function Stack({ steps, names, longest }: { steps: Step[]; names: string[]; longest: number }) {
  return (
    <span class="stack-bar" aria-hidden="true">
      {steps.map((step, index) => {
        const place = names.indexOf(step.name);
        const background = place < 0 ? 'var(--line-strong)' : `var(${seriesVariable(place)})`;
        const width = `${(step.ms / longest) * 100}%`;
        return (
          <span
            key={`${step.name}${index}`}
            style={{ width, background }}
            title={`${step.name}: ${formatMs(step.ms)}`}
          />
        );
      })}
    </span>
  );
}

function sum(steps: Step[]): number {
  return steps.reduce((total, step) => total + step.ms, 0);
}
