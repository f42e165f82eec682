/** The steps of both sides beside each other. */

import type { ComparedStep, StepComparison } from '../api/types';
import { formatMs } from '../lib/duration';
import { ScrollTable } from '../ui/scroll-table';
import { certainty, inOrderOfWeight, signed, verdictWords } from './verdict';

export function StepTable({ steps }: { steps: StepComparison[] }) {
  const longest = Math.max(1, ...steps.flatMap((step) => [step.a?.p50Ms ?? 0, step.b?.p50Ms ?? 0]));
  return (
    <ScrollTable label="Steps" class="card">
      <table class="steps">
        <thead>
          <tr>
            <th>Step</th>
            <th class="step-bars">One takes (median)</th>
            <th class="number step-side">A</th>
            <th class="number step-side">B</th>
            <th class="number">A journey spends</th>
            <th>Verdict</th>
          </tr>
        </thead>
        <tbody>
          {inOrderOfWeight(steps).map((step) => (
            <tr key={step.step} class={`verdict-${step.verdict}`}>
              <th scope="row">{step.step}</th>
              <td class="step-bars">
                <Bar side="a" step={step.a} longest={longest} />
                <Bar side="b" step={step.b} longest={longest} />
              </td>
              <td class="number step-side">{cell(step.a)}</td>
              <td class="number step-side">{cell(step.b)}</td>
              <td class="number">{signed(step.deltaMs)}</td>
              <td>
                <strong class="verdict-word">{verdictWords(step)}</strong>{' '}
                <span class="quiet-text">{certainty(step.pValue)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollTable>
  );
}

function Bar({ side, step, longest }: { side: 'a' | 'b'; step: ComparedStep | null; longest: number }) {
  const width = `${((step?.p50Ms ?? 0) / longest) * 100}%`;
  return <span class={`step-bar step-bar-${side}`} style={{ width }} aria-hidden="true" />;
}

function cell(step: ComparedStep | null) {
  if (!step) return '–';
  return (
    <>
      {formatMs(step.p50Ms)}
      {step.count > 1 && <span class="quiet-text"> ×{step.count}</span>}
    </>
  );
}
