/** One line of the list: a journey, or a command that made several. */

import { Link } from 'wouter-preact';
import type { Row } from '../api/types';
import { formatMs } from '../lib/duration';
import { plural } from '../lib/numbers';
import { longestSteps } from '../lib/path';
import { now } from '../lib/settings';
import { useShared } from '../lib/store';
import { commandTitle, titleOf, waitingText } from '../lib/title';
import { Icon, StateBadge } from '../ui/icon';
import { Moment } from '../ui/time';
import { DurationBar } from './duration-bar';
import { type Command, durationOf, isUnderWay, type Line, spanMs, worstState } from './groups';

interface Props {
  line: Line;
  onToggle: (command: string) => void;
}

export function LineView({ line, onToggle }: Props) {
  if (line.type === 'command') return <CommandLine group={line.group} open={line.open} onToggle={onToggle} />;
  return <JourneyLine row={line.row} nested={line.nested} />;
}

export function JourneyLine({ row, nested = false }: { row: Row; nested?: boolean }) {
  const current = useShared(now);
  return (
    <div class={`line ${nested ? 'line-nested' : ''}`}>
      <StateBadge state={row.state} wordless />
      <div class="line-text">
        <Link class="line-main" href={`/journeys/${row.journey}`}>
          {titleOf(row)}
        </Link>
        <JourneySubline row={row} />
      </div>
      <CountsView objects={row.counts.objects} writes={row.counts.writes} errors={row.counts.errors} />
      <DurationBar ms={durationOf(row, current)} usual={row.usual} open={isUnderWay(row.state)} />
      <span class="line-time">
        <Moment time={row.start} />
      </span>
    </div>
  );
}

/** The second line: what it waits on, else what it found, else where its time went. */
function JourneySubline({ row }: { row: Row }) {
  if (row.waitingOn && row.state !== 'converged') {
    return (
      <span class={`line-sub why-${row.state}`} title={row.waitingOn.message}>
        {row.state === 'failed' ? '' : 'waits on '}
        <strong>{row.waitingOn.reason}</strong>: {waitingText(row.waitingOn)}
      </span>
    );
  }
  const finding = row.findings[0];
  if (finding) return <span class="line-sub">{finding.message}</span>;
  const steps = longestSteps(row.criticalPath, 3);
  return <span class="line-sub">{steps.map((step) => `${step.name} ${formatMs(step.ms)}`).join(' · ')}</span>;
}

function CommandLine({
  group,
  open,
  onToggle,
}: {
  group: Command;
  open: boolean;
  onToggle: (command: string) => void;
}) {
  const current = useShared(now);
  const { rows } = group;
  const newest = rows[0];
  const sum = (count: (row: Row) => number) => rows.reduce((total, row) => total + count(row), 0);
  const state = worstState(rows);
  const bad = rows.filter((row) => row.state === 'failed' || row.state === 'stuck').length;
  return (
    <div class="line">
      <StateBadge state={state} wordless />
      <div class="line-text">
        <button
          type="button"
          class="line-main line-command"
          aria-expanded={open}
          onClick={() => onToggle(group.command)}
        >
          <Icon name="chevron" class={open ? 'turned' : ''} />
          {commandTitle(rows)}
        </button>
        <span class="line-sub">
          one command, {plural(rows.length, 'journey')}
          {bad > 0 && `, ${bad} of them not well`}
        </span>
      </div>
      <CountsView
        objects={sum((row) => row.counts.objects)}
        writes={sum((row) => row.counts.writes)}
        errors={sum((row) => row.counts.errors)}
      />
      <DurationBar ms={spanMs(rows, current)} usual={null} open={rows.some((row) => isUnderWay(row.state))} />
      <span class="line-time">{newest && <Moment time={newest.start} />}</span>
    </div>
  );
}

function CountsView({ objects, writes, errors }: { objects: number; writes: number; errors: number }) {
  return (
    <span class="counts">
      <span>{plural(objects, 'object')}</span>
      <span>{plural(writes, 'write')}</span>
      {errors > 0 && <span class="bad">{plural(errors, 'error')}</span>}
    </span>
  );
}
