/** Adds a filter: a field, then one of the values that the store has for it. */

import { useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FilterName } from '../api/filters';
import { valuesQuery } from '../api/queries';
import { Icon } from '../ui/icon';

const FIELDS: [name: FilterName, words: string, example: string][] = [
  ['namespace', 'Namespace', 'shop'],
  ['kind', 'Kind', 'Deployment'],
  ['name', 'Name', 'web'],
  ['user', 'User', 'alice@example.com'],
  ['agent', 'Agent', 'kubectl'],
  ['verb', 'Verb', 'patch'],
  ['reason', 'Reason', 'ImagePullBackOff'],
  ['node', 'Node', 'node1'],
  ['cluster', 'Cluster', 'default'],
  ['service', 'Service', 'kubelet'],
  ['span', 'Span name', 'syncPod'],
  ['attr', 'Attribute', 'http.route=/cart'],
  ['min_duration', 'At least as long as', '10s'],
  ['max_duration', 'At most as long as', '2m'],
  ['command', 'Command', ''],
  ['uid', 'UID', ''],
];

const WITHOUT_VALUES: ReadonlySet<FilterName> = new Set<FilterName>(['attr', 'min_duration', 'max_duration', 'uid']);

export function AddFilter({ onAdd }: { onAdd: (name: FilterName, value: string) => void }) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const close = (event: Event) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', close);
    return () => document.removeEventListener('pointerdown', close);
  }, [open]);
  const add = (name: FilterName, value: string) => {
    setOpen(false);
    onAdd(name, value);
  };
  return (
    <div class="popover-anchor" ref={box} onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}>
      <button type="button" class="chip" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="plus" /> Filter
      </button>
      {open && <FilterForm onAdd={add} />}
    </div>
  );
}

function FilterForm({ onAdd }: { onAdd: (name: FilterName, value: string) => void }) {
  const [name, setName] = useState<FilterName>('namespace');
  const [value, setValue] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), [name]);
  const { data } = useQuery({ ...valuesQuery(name, value), enabled: !WITHOUT_VALUES.has(name) });
  const example = FIELDS.find(([field]) => field === name)?.[2] ?? '';
  const submit = (event: Event) => {
    event.preventDefault();
    if (value.trim()) onAdd(name, value.trim());
  };
  return (
    <form class="popover" onSubmit={submit}>
      <label>
        Field
        <select value={name} onChange={(event) => setName(event.currentTarget.value as FilterName)}>
          {FIELDS.map(([field, words]) => (
            <option key={field} value={field}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label>
        Value
        <input
          ref={input}
          value={value}
          placeholder={example}
          autoComplete="off"
          onInput={(event) => setValue(event.currentTarget.value)}
        />
      </label>
      <ul class="suggestions">
        {(WITHOUT_VALUES.has(name) ? [] : (data?.values ?? [])).map((found) => (
          <li key={found}>
            <button type="button" onClick={() => onAdd(name, found)}>
              {found}
            </button>
          </li>
        ))}
      </ul>
      <button type="submit" class="primary">
        Add filter
      </button>
    </form>
  );
}
