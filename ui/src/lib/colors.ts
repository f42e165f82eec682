/** Colours of the style sheet for what is drawn on a canvas. */

const resolved = new Map<string, string>();
let generation = '';

/** The value of a custom property as a colour that a canvas takes; `light-dark()` is resolved by the browser. */
export function cssColor(property: string): string {
  const root = document.documentElement;
  const current = `${root.getAttribute('data-theme')}${matchMedia('(prefers-color-scheme: dark)').matches}`;
  if (current !== generation) {
    generation = current;
    resolved.clear();
  }
  const known = resolved.get(property);
  if (known !== undefined) return known;
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  root.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  resolved.set(property, color);
  return color;
}

/** A palette that people with any colour vision tell apart (Okabe and Ito), in a fixed order. */
export const SERIES = [
  '--series-1',
  '--series-2',
  '--series-3',
  '--series-4',
  '--series-5',
  '--series-6',
  '--series-7',
];

/** The text colour that can be read on a series' colour. */
export function onColor(variable: string): string {
  return variable.replace('--series', '--on-series');
}

export function seriesVariable(index: number): string {
  return SERIES[index % SERIES.length] ?? '--series-1';
}
