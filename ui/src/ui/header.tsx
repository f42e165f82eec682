/** The bar at the top: where one is, where one can go, and how times and colours are shown. */

import { Link, useLocation } from 'wouter-preact';
import { THEMES, type Theme, theme, timeMode } from '../lib/settings';
import { useShared } from '../lib/store';
import { Icon, type IconName } from './icon';

const PLACES: [href: string, words: string][] = [
  ['/', 'Changes'],
  ['/dashboards', 'Dashboards'],
  ['/runs', 'Runs'],
  ['/compare', 'Compare'],
  ['/system', 'System'],
];

export function Header() {
  const [path] = useLocation();
  return (
    <header class="header">
      <Link href="/" class="brand" aria-label="clew: changes">
        <img src="/clew.svg" alt="" width="22" height="22" /> <span class="brand-name">clew</span>
      </Link>
      <nav aria-label="Pages">
        {PLACES.map(([href, words]) => (
          <Link key={href} href={href} aria-current={isHere(path, href) ? 'page' : undefined}>
            {words}
          </Link>
        ))}
      </nav>
      <TimeSwitch />
      <ThemeSwitch />
    </header>
  );
}

function isHere(path: string, href: string): boolean {
  if (href === '/') return path === '/' || path.startsWith('/journeys') || path.startsWith('/objects');
  return path.startsWith(href);
}

function TimeSwitch() {
  const mode = useShared(timeMode);
  const other = mode === 'relative' ? 'absolute' : 'relative';
  return (
    <button type="button" class="quiet header-switch" onClick={() => timeMode.set(other)} title={`Show ${other} times`}>
      <Icon name="clock" /> <span class="wide-only">{mode === 'relative' ? 'Relative times' : 'Absolute times'}</span>
    </button>
  );
}

const THEME_ICONS: Record<Theme, IconName> = { auto: 'auto', light: 'sun', dark: 'moon' };

function ThemeSwitch() {
  const current = useShared(theme);
  const next = THEMES[(THEMES.indexOf(current) + 1) % THEMES.length] ?? 'auto';
  return (
    <button
      type="button"
      class="quiet header-switch"
      onClick={() => theme.set(next)}
      aria-label={`Theme is ${current}; change to ${next}`}
      title={`Theme: ${current}`}
    >
      <Icon name={THEME_ICONS[current]} />
    </button>
  );
}
