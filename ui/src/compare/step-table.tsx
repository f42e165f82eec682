/** The steps of both sides beside each other. */

import type { ComparedStep, StepComparison, Verdict } from '../api/types';
import { formatMs } from '../lib/duration';
import { ScrollTable } from '../ui/scroll-table';
import { certainty, inOrderOfWeight, signed } from './verdict';

const SIGNS: Record<Verdict, string> = {
  slower: '▲ slower',
  faster: '▼ faster',
  new: '+ new',
  gone: '− gone',
  same: '= same',
};

export function StepTable({ steps }: { steps: StepComparison[] }) {
  const longest = Math.max(1, ...steps.flatMap((step) => [step.a?.p50Ms ?? 0, step.b?.p50Ms ?? 0]));
  return (
    <ScrollTable label="Steps" class="card">
      <table class="steps">
        <thead>
          <tr>
            <th>Step</th>
            <th>Median of A and B</th>
            <th class="number">A</th>
            <th class="number">B</th>
            <th class="number">Difference</th>
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
              <td class="number">{cell(step.a)}</td>
              <td class="number">{cell(step.b)}</td>
              <td class="number">
                {signed(step.deltaMs)}
                {step.ratio !== null && <span class="quiet-text"> {step.ratio.toFixed(2)}×</span>}
              </td>
              <td>
                <strong class="verdict-word">{SIGNS[step.verdict]}</strong>{' '}
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
