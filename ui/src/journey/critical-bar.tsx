/** The critical path as a stacked bar with names: what decided how long it took. */

import type { PathStep } from '../api/types';
import { onColor, seriesVariable } from '../lib/colors';
import { formatMs } from '../lib/duration';
import { longestSteps, type PathPart, pathParts, shortStep } from '../lib/path';

interface Props {
  path: PathStep[];
  onStep: (name: string) => void;
}

/** A narrower part has no room for its name. */
const NAMED_SHARE = 0.09;

export function CriticalBar({ path, onStep }: Props) {
  const parts = pathParts(path);
  if (parts.length === 0) return null;
  const whole = path.reduce((sum, step) => sum + step.ms, 0);
  const colors = colorsFor(parts);
  const named = longestSteps(path, 6).filter((step) => step.ms / whole > 0.01);
  return (
    <figure class="critical">
      <div class="critical-bar" aria-hidden="true">
        {parts.map((part, index) => (
          <span
            key={index}
            class={part.rest ? 'critical-rest' : ''}
            style={{ flexGrow: part.share, ...colored(part.rest ? undefined : colors.get(shortStep(part.name))) }}
            title={`${part.name}: ${formatMs(part.ms)}`}
          >
            {part.share > NAMED_SHARE && !part.rest && shortStep(part.name)}
          </span>
        ))}
      </div>
      <figcaption>
        <span class="quiet-text">Critical path:</span>
        {named.map((step) => (
          <button key={step.name} type="button" class="path-step" onClick={() => onStep(step.name)}>
            <span class="swatch" style={{ background: `var(${colors.get(step.name) ?? '--line-strong'})` }} />
            {step.name} <strong>{formatMs(step.ms)}</strong>
            <span class="quiet-text">{Math.round((step.ms / whole) * 100)} %</span>
          </button>
        ))}
      </figcaption>
    </figure>
  );
}

function colored(variable: string | undefined): { background?: string; color?: string } {
  return variable ? { background: `var(${variable})`, color: `var(${onColor(variable)})` } : {};
}

function colorsFor(parts: PathPart[]): Map<string, string> {
  const names = new Set(parts.filter((part) => !part.rest).map((part) => shortStep(part.name)));
  const byLength = longestSteps(parts, parts.length).filter((step) => names.has(step.name));
  return new Map(byLength.map((step, index) => [step.name, seriesVariable(index)]));
}
