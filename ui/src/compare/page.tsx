/** Compare: two journeys or two groups, step by step: what got slower, what is new, what is gone. */

import { useQuery } from '@tanstack/preact-query';
import { useLocation, useSearch } from 'wouter-preact';
import { compareQuery } from '../api/queries';
import type { Comparison, Side as SideSummary } from '../api/types';
import { formatMs } from '../lib/duration';
import { plural } from '../lib/numbers';
import { Empty, Failure, Loading } from '../ui/notice';
import { OtherSide } from './other-side';
import { SideForm } from './side-form';
import { readSide, type Side, writeSides } from './sides';
import { StepTable } from './step-table';
import { inOneSentence } from './verdict';
import '../styles/compare.css';
import '../styles/object.css';

export function ComparePage() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const a = readSide(search, 'a');
  const b = readSide(search, 'b');
  const go = (nextA: Side | undefined, nextB: Side | undefined) => navigate(`/compare?${writeSides(nextA, nextB)}`);
  const question = a && b ? writeSides(a, b) : '';
  const { data, error, refetch } = useQuery({ ...compareQuery(question), enabled: question !== '' });
  return (
    <main class="page" id="main">
      <div class="page-head">
        <h1>Compare</h1>
      </div>
      <SideForm a={a} b={b} onCompare={go} />
      {!a && !b && <HowTo />}
      {a && !b && <OtherSide side={a} onChoose={(journey) => go(a, { journey })} />}
      {question && error && !data && <Failure what="comparison" error={error} onRetry={() => void refetch()} />}
      {question && !error && !data && <Loading what="comparison" />}
      {question && data && <Result comparison={data} />}
    </main>
  );
}

function HowTo() {
  return (
    <Empty title="What should be compared?">
      <p>Two journeys: their ids, or the link “Compare” on a journey's page.</p>
      <p>
        Two groups of journeys, as one would search for them: <code>namespace:shop since:1h</code> against{' '}
        <code>namespace:shop since:25h until:24h</code> shows whether today is slower than yesterday.
      </p>
    </Empty>
  );
}

function Result({ comparison }: { comparison: Comparison }) {
  return (
    <>
      <p class="comparison-verdict" role="status">
        {inOneSentence(comparison)}
      </p>
      <div class="sides">
        <SideCard name="A" side={comparison.a} />
        <SideCard name="B" side={comparison.b} />
      </div>
      <StepTable steps={comparison.steps} />
    </>
  );
}

function sideWords({ count, p50Ms, p95Ms }: SideSummary): string {
  if (p50Ms === null || p95Ms === null) return `${plural(count, 'journey')}, none of which has converged`;
  if (count === 1) return `converged in ${formatMs(p50Ms)}`;
  return `${plural(count, 'journey')} · median ${formatMs(p50Ms)} · 95 % within ${formatMs(p95Ms)}`;
}

function SideCard({ name, side }: { name: string; side: SideSummary }) {
  return (
    <section class={`card side-${name.toLowerCase()}`} aria-label={`Side ${name}`}>
      <h2>
        <span class="side-mark">{name}</span> {side.label}
      </h2>
      <p>{sideWords(side)}</p>
    </section>
  );
}
