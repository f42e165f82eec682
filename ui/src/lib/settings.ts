/** How this reader likes the page: theme and times. */

import { persisted, shared } from './store';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const theme = persisted('theme', THEMES, 'auto');

export const TIME_MODES = ['relative', 'absolute'] as const;
export const timeMode = persisted('times', TIME_MODES, 'relative');

/** Applies the theme, now and whenever it changes; `auto` leaves it to the system. */
export function followTheme(): void {
  const apply = () => {
    const chosen = theme.get();
    if (chosen === 'auto') document.documentElement.removeAttribute('data-theme');
    else document.documentElement.setAttribute('data-theme', chosen);
    themeGeneration.set(themeGeneration.get() + 1);
  };
  apply();
  theme.subscribe(apply);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
}

/** Counts up when colours change, for what is drawn on a canvas. */
export const themeGeneration = shared(0);

/** The current time, told once a second to whoever shows an age. */
export const now = shared(Date.now());
setInterval(() => {
  if (!document.hidden) now.set(Date.now());
}, 1000);
