/** Every span of a journey as a table that can be sorted. */

import { useMemo, useRef, useState } from 'preact/hooks';
import { formatMs } from '../lib/duration';
import { useVirtualRows } from '../lib/virtual';
import { Icon } from '../ui/icon';
import { type Model, type Node, objectOf } from './model';

interface Props {
  model: Model;
  selected: string | undefined;
  onSelect: (id: string) => void;
  matches: ReadonlySet<string>;
  filtering: boolean;
}

type Column = 'start' | 'duration' | 'name' | 'object' | 'component' | 'evidence' | 'status';

const COLUMNS: [Column, string][] = [
  ['start', 'Start'],
  ['duration', 'Takes'],
  ['name', 'Name'],
  ['object', 'Object'],
  ['component', 'Done by'],
  ['evidence', 'Evidence'],
  ['status', 'Status'],
];

const ROW_HEIGHT = 30;

export function SpanTable({ model, selected, onSelect, matches, filtering }: Props) {
  const [sort, setSort] = useState<{ column: Column; down: boolean }>({ column: 'start', down: false });
  const scroller = useRef<HTMLDivElement>(null);
  const nodes = useMemo(() => {
    const shown = filtering ? model.nodes.filter((node) => matches.has(node.id)) : model.nodes;
    const sign = sort.down ? -1 : 1;
    return [...shown].sort((one, other) => sign * compare(sortValue(one, sort.column), sortValue(other, sort.column)));
  }, [model, sort, matches, filtering]);
  const virtual = useVirtualRows({ count: nodes.length, scroller, rowHeight: () => ROW_HEIGHT });
  return (
    <div class="span-table" ref={scroller} tabIndex={0} role="table" aria-label="Spans" aria-rowcount={nodes.length}>
      <div class="span-row span-head" role="row">
        {COLUMNS.map(([column, words]) => (
          <span key={column} role="columnheader" aria-sort={ariaSort(sort, column)}>
            <button
              type="button"
              class="quiet"
              onClick={() => setSort({ column, down: sort.column === column ? !sort.down : column === 'duration' })}
            >
              {words}
              {sort.column === column && <Icon name={sort.down ? 'down' : 'up'} />}
            </button>
          </span>
        ))}
      </div>
      <div role="rowgroup" class="virtual" style={{ height: `${virtual.totalSize}px` }}>
        {virtual.items.map((item) => {
          const node = nodes[item.index];
          if (!node) return null;
          return (
            <div
              key={node.id}
              role="row"
              class={`virtual-row span-row ${node.id === selected ? 'selected' : ''}`}
              style={{ transform: `translateY(${item.start}px)`, height: `${item.size}px` }}
            >
              <Cells node={node} onSelect={onSelect} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Cells({ node, onSelect }: { node: Node; onSelect: (id: string) => void }) {
  return (
    <>
      <span role="cell">{formatMs(node.start)}</span>
      <span role="cell">{formatMs(node.end - node.start)}</span>
      <span role="cell">
        <button type="button" class="as-link" title={node.span.name} onClick={() => onSelect(node.id)}>
          {node.span.name}
        </button>
      </span>
      <span role="cell">{objectOf(node)?.span.name ?? ''}</span>
      <span role="cell">{node.component}</span>
      <span role="cell">{node.evidence ?? ''}</span>
      <span role="cell" class={node.error ? 'bad' : ''} title={node.span.status.message}>
        {node.error ? node.span.status.message || 'error' : ''}
      </span>
    </>
  );
}

function sortValue(node: Node, column: Column): number | string {
  switch (column) {
    case 'start':
      return node.start;
    case 'duration':
      return node.end - node.start;
    case 'name':
      return node.span.name;
    case 'object':
      return objectOf(node)?.span.name ?? '';
    case 'component':
      return node.component;
    case 'evidence':
      return node.evidence ?? '';
    case 'status':
      return node.error ? `0${node.span.status.message}` : '1';
  }
}

function compare(one: number | string, other: number | string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function ariaSort(sort: { column: Column; down: boolean }, column: Column): 'ascending' | 'descending' | 'none' {
  if (sort.column !== column) return 'none';
  return sort.down ? 'descending' : 'ascending';
}
