/** How well something is, by shape, colour and word. */

import { Icon, type IconName } from './icon';

export type Wellness = 'good' | 'waiting' | 'warning' | 'bad';

const ICONS: Record<Wellness, IconName> = { good: 'converged', waiting: 'open', warning: 'stuck', bad: 'failed' };

export function Level({ level, words }: { level: Wellness; words: string }) {
  return (
    <span class={`state state-${ICONS[level]}`}>
      <Icon name={ICONS[level]} /> {words}
    </span>
  );
}

/** The words that a check's state may be. */
export function levelOf(state: string): Wellness {
  if (['ok', 'good', 'pass', 'up'].includes(state)) return 'good';
  if (['warning', 'warn'].includes(state)) return 'warning';
  if (['failed', 'bad', 'error', 'fail'].includes(state)) return 'bad';
  return 'waiting';
}
