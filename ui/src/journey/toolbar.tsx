/** What the waterfall shows: view, evidence, critical path, search, errors, zoom. */

import { useRef } from 'preact/hooks';
import type { Evidence } from '../api/types';
import { useKeys } from '../lib/keys';
import { Icon } from '../ui/icon';

export const VIEWS = [
  ['waterfall', 'Waterfall'],
  ['objects', 'Objects'],
  ['components', 'Components'],
  ['table', 'Table'],
] as const;
export type View = (typeof VIEWS)[number][0];

export const EVIDENCES: Evidence[] = ['context', 'identity', 'ownership', 'reference', 'timing'];

interface Props {
  view: View;
  onView: (view: View) => void;
  evidence: ReadonlySet<Evidence>;
  onEvidence: (evidence: ReadonlySet<Evidence>) => void;
  criticalOnly: boolean;
  onCriticalOnly: (only: boolean) => void;
  find: string;
  onFind: (text: string) => void;
  found: number;
  onNextFound: (by: 1 | -1) => void;
  errors: number;
  onNextError: (by: 1 | -1) => void;
  onZoom: (factor: number) => void;
  zoomed: boolean;
}

export function Toolbar(props: Props) {
  const timed = props.view === 'waterfall' || props.view === 'components';
  return (
    <div class="toolbar">
      <div class="tabs" role="tablist" aria-label="Views of this journey">
        {VIEWS.map(([view, words]) => (
          <button
            key={view}
            type="button"
            role="tab"
            aria-selected={props.view === view}
            onClick={() => props.onView(view)}
          >
            {words}
          </button>
        ))}
      </div>
      <FindBox {...props} />
      {props.errors > 0 && (
        <button type="button" onClick={() => props.onNextError(1)} title="Next error (e)">
          <Icon name="failed" class="state-failed" /> Next error <span class="quiet-text">{props.errors}</span>
        </button>
      )}
      {timed && (
        <>
          <EvidenceMenu evidence={props.evidence} onEvidence={props.onEvidence} />
          <label class="check">
            <input
              type="checkbox"
              checked={props.criticalOnly}
              onChange={(event) => props.onCriticalOnly(event.currentTarget.checked)}
            />
            Critical path only
          </label>
          <Zoom onZoom={props.onZoom} zoomed={props.zoomed} />
        </>
      )}
    </div>
  );
}

function FindBox({ find, onFind, found, onNextFound, onNextError, onZoom }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useKeys({
    '/': () => input.current?.focus(),
    n: () => onNextFound(1),
    N: () => onNextFound(-1),
    e: () => onNextError(1),
    E: () => onNextError(-1),
    '+': () => onZoom(0.5),
    '-': () => onZoom(2),
    '0': () => onZoom(0),
  });
  return (
    <div class="find">
      <input
        ref={input}
        type="search"
        value={find}
        placeholder="Find in this journey"
        aria-label="Find in this journey"
        onInput={(event) => onFind(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onNextFound(event.shiftKey ? -1 : 1);
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <span class="quiet-text" role="status">
        {find && `${found} found`}
      </span>
    </div>
  );
}

function EvidenceMenu({ evidence, onEvidence }: Pick<Props, 'evidence' | 'onEvidence'>) {
  const all = evidence.size === 0;
  return (
    <details class="menu">
      <summary>Evidence: {all ? 'all' : [...evidence].join(', ')}</summary>
      <fieldset class="popover">
        <legend class="sr-only">Show what hangs together by</legend>
        {EVIDENCES.map((name) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={all || evidence.has(name)}
              onChange={() => {
                const next = new Set(all ? EVIDENCES : evidence);
                if (!next.delete(name)) next.add(name);
                onEvidence(next.size === EVIDENCES.length ? new Set() : next);
              }}
            />
            {name}
          </label>
        ))}
        <button type="button" onClick={() => onEvidence(new Set(['context', 'identity']))}>
          Only context and identity
        </button>
      </fieldset>
    </details>
  );
}

function Zoom({ onZoom, zoomed }: Pick<Props, 'onZoom' | 'zoomed'>) {
  return (
    <fieldset class="zoom">
      <legend class="sr-only">Zoom</legend>
      <button
        type="button"
        aria-label="Zoom in"
        title="Zoom in (+); or drag over the time, or ctrl and wheel"
        onClick={() => onZoom(0.5)}
      >
        +
      </button>
      <button type="button" aria-label="Zoom out" title="Zoom out (-)" onClick={() => onZoom(2)}>
        −
      </button>
      <button type="button" title="Show all (0)" disabled={!zoomed} onClick={() => onZoom(0)}>
        All
      </button>
    </fieldset>
  );
}
