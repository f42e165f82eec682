/** What the list is narrowed by: a search box, the states, the time, and any other field. */

import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type FilterName,
  type Filters,
  isEmpty,
  parseSearch,
  takesOne,
  without,
  withoutValue,
  withValue,
} from '../api/filters';
import type { State } from '../api/types';
import { useKeys } from '../lib/keys';
import { minuteTime, parseTime } from '../lib/time';
import { Icon, stateWord } from '../ui/icon';
import { AddFilter } from './add-filter';

const STATES: State[] = ['open', 'stuck', 'failed', 'converged'];
const TIMES: [value: string, words: string][] = [
  ['15m', 'Last 15 minutes'],
  ['1h', 'Last hour'],
  ['6h', 'Last 6 hours'],
  ['24h', 'Last day'],
  ['7d', 'Last week'],
];

interface Props {
  filters: Filters;
  onChange: (filters: Filters) => void;
}

export function FilterBar({ filters, onChange }: Props) {
  return (
    <search class="filters">
      <SearchBox filters={filters} onChange={onChange} />
      <div class="chips">
        <StateChips filters={filters} onChange={onChange} />
        <TimeChoice filters={filters} onChange={onChange} />
        <AddFilter onAdd={(name, value) => onChange(withValue(filters, name, value))} />
        <ActiveFilters filters={filters} onChange={onChange} />
      </div>
    </search>
  );
}

function SearchBox({ filters, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const asked = filters.q?.[0] ?? '';
  const [text, setText] = useState(asked);
  useEffect(() => setText(asked), [asked]);
  useKeys({ '/': () => input.current?.focus() });
  const submit = (event: Event) => {
    event.preventDefault();
    let next = without(filters, 'q');
    for (const [name, values] of Object.entries(parseSearch(text))) {
      for (const value of values ?? []) next = withValue(next, name as FilterName, value);
    }
    onChange(next);
  };
  return (
    <form class="search" onSubmit={submit}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        value={text}
        placeholder="Search, or namespace:shop kind:Deployment user:alice"
        aria-label="Search changes"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <kbd>/</kbd>
    </form>
  );
}

function StateChips({ filters, onChange }: Props) {
  const chosen = filters.state ?? [];
  return (
    <fieldset class="chip-group">
      <legend class="sr-only">State</legend>
      {STATES.map((state) => {
        const on = chosen.includes(state);
        return (
          <button
            key={state}
            type="button"
            class={`chip chip-${state}`}
            aria-pressed={on}
            onClick={() => onChange(on ? withoutValue(filters, 'state', state) : withValue(filters, 'state', state))}
          >
            <Icon name={state} class={`state-${state}`} /> {stateWord(state)}
          </button>
        );
      })}
    </fieldset>
  );
}

function TimeChoice({ filters, onChange }: Props) {
  const since = filters.since?.[0] ?? '';
  const listed = since === '' || TIMES.some(([value]) => value === since);
  return (
    <label class="chip chip-select">
      <Icon name="clock" />
      <span class="sr-only">Time</span>
      <select
        value={since}
        onChange={(event) => {
          const rest = without(filters, 'since', 'until');
          const value = event.currentTarget.value;
          onChange(value ? withValue(rest, 'since', value) : rest);
        }}
      >
        <option value="">All times</option>
        {TIMES.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
        {!listed && <option value={since}>{timeWords(since, filters.until?.[0])}</option>}
      </select>
    </label>
  );
}

function timeWords(since: string, until: string | undefined): string {
  const from = Number.isNaN(parseTime(since)) ? since : minuteTime(parseTime(since));
  return until ? `${from} – ${minuteTime(parseTime(until)).slice(11)}` : `Since ${from}`;
}

/** Those filters that have no control of their own above. */
function ActiveFilters({ filters, onChange }: Props) {
  const rest = without(filters, 'state', 'since', 'until', 'q');
  const shown = Object.entries(rest) as [FilterName, string[]][];
  return (
    <>
      {shown.flatMap(([name, values]) =>
        values.map((value) => (
          <span key={`${name} ${value}`} class="chip chip-active">
            <span class="quiet-text">{name.replace('_', ' ')}</span> {value}
            <button
              type="button"
              aria-label={`Remove filter ${name} ${value}`}
              onClick={() => onChange(takesOne(name) ? without(filters, name) : withoutValue(filters, name, value))}
            >
              <Icon name="close" />
            </button>
          </span>
        )),
      )}
      {!isEmpty(filters) && (
        <button type="button" class="quiet" onClick={() => onChange({})}>
          Clear all
        </button>
      )}
    </>
  );
}
