/** What the doctor says: what is missing for better journeys, and how to get it. */

import type { Check } from '../api/types';
import { CopyButton } from '../ui/copy';
import { Level, levelOf } from '../ui/level';
import { Section } from '../ui/section';

const ORDER = ['bad', 'warning', 'waiting', 'good'];

export function Doctor({ checks }: { checks: Check[] }) {
  const sorted = [...checks].sort(
    (one, other) => ORDER.indexOf(levelOf(one.state)) - ORDER.indexOf(levelOf(other.state)),
  );
  return (
    <Section title="Doctor" wide>
      {checks.length === 0 && <p class="quiet-text">Nothing was checked yet.</p>}
      <ul class="doctor">
        {sorted.map((check) => (
          <li key={check.check}>
            <Level level={levelOf(check.state)} words={check.check} />
            <p>{check.message}</p>
            {check.fix && (
              <p class="fix">
                <strong>To do:</strong> {check.fix} <CopyButton text={check.fix} label="Copy" />
              </p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
