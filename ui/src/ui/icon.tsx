/** Small drawings, one stroke wide, in the colour of the text around them. */

import type { State } from '../api/types';

const PATHS = {
  converged: 'M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13M5 8.2l2.2 2.2L11.2 6',
  failed: 'M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3zM5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
  stuck: 'M8 1.8l6.7 12H1.3zM8 6.2v3.6M8 11.7v.2',
  open: 'M8 1.5a6.5 6.5 0 0 1 6.5 6.5M12.6 12.6A6.5 6.5 0 0 1 8 14.5M3.4 12.6A6.5 6.5 0 0 1 1.5 8M3.4 3.4A6.4 6.4 0 0 1 5 2.2M8 5v3l2 2',
  chevron: 'M6 3.5L10.5 8L6 12.5',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  sun: 'M8 5a3 3 0 1 1 0 6a3 3 0 0 1 0-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13.5 9.5A6 6 0 1 1 6.5 2.5a5 5 0 0 0 7 7z',
  auto: 'M8 1.5a6.5 6.5 0 1 1 0 13zM8 1.5v13M8 1.5a6.5 6.5 0 0 0 0 13',
  clock: 'M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13M8 4.5V8l2.5 2',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9M10.5 10.5l3.5 3.5',
  plus: 'M8 3v10M3 8h10',
  up: 'M8 13V3M4 7l4-4l4 4',
  link: 'M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5L7.5 13A3 3 0 0 1 3 8.5L4.5 7',
  down: 'M8 3v10M4 9l4 4l4-4',
} as const;

export type IconName = keyof typeof PATHS;

interface Props {
  name: IconName;
  class?: string;
}

export function Icon({ name, class: extra = '' }: Props) {
  return (
    <svg class={`icon ${extra}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

const WORDS: Record<State, string> = { open: 'Open', converged: 'Converged', failed: 'Failed', stuck: 'Stuck' };

export function stateWord(state: State): string {
  return WORDS[state] ?? state;
}

/** A journey's state: by shape, by colour and by word, so that none of the three is needed. */
export function StateBadge({ state, wordless = false }: { state: State; wordless?: boolean }) {
  return (
    <span class={`state state-${state}`} title={stateWord(state)}>
      <Icon name={state} />
      <span class={wordless ? 'sr-only' : ''}>{stateWord(state)}</span>
    </span>
  );
}
