/** The left half of a row: its name, whether it failed, and its place in the tree. */

import { formatMs } from '../lib/duration';
import { plural } from '../lib/numbers';
import { shortSpanName } from '../lib/title';
import { Icon } from '../ui/icon';
import type { Node } from './model';
import type { WaterfallRow } from './rows';

interface Props {
  row: WaterfallRow;
  id: string;
  top: number;
  height: number;
  width: number;
  active: boolean;
  selected: boolean;
  matched: boolean;
  position: [at: number, of: number];
  onToggle: () => void;
  onSelect: () => void;
}

const INDENT = 14;

export function RowLabel(props: Props) {
  const { row, top, height, width } = props;
  const expandable = row.type === 'lane' || row.expandable;
  const errors = row.type === 'lane' ? row.errors : row.node.errors;
  const classes = ['wf-row', props.active && 'active', props.selected && 'selected', props.matched && 'matched'];
  return (
    <div
      id={props.id}
      role="treeitem"
      class={classes.filter(Boolean).join(' ')}
      aria-level={row.depth + 1}
      aria-expanded={expandable ? row.open : undefined}
      aria-selected={props.selected}
      aria-posinset={props.position[0]}
      aria-setsize={props.position[1]}
      style={{ transform: `translateY(${top}px)`, height: `${height}px` }}
      onClick={props.onSelect}
    >
      <span class="wf-label" style={{ width: `${width}px`, paddingInlineStart: `${6 + row.depth * INDENT}px` }}>
        {expandable ? (
          <span
            class="wf-toggle"
            onClick={(event) => {
              event.stopPropagation();
              props.onToggle();
            }}
          >
            <Icon name="chevron" class={row.open ? 'turned' : ''} />
          </span>
        ) : (
          <span class="wf-toggle" />
        )}
        {errors > 0 && (!row.open || (row.type === 'span' && row.node.error)) && (
          <span class="bad" title={plural(errors, 'error')}>
            <Icon name="failed" />
          </span>
        )}
        {row.type === 'lane' ? <span class="wf-lane">{row.label}</span> : <SpanName node={row.node} />}
        <span class="sr-only">{wordsFor(row, errors)}</span>
      </span>
    </div>
  );
}

function SpanName({ node }: { node: Node }) {
  if (node.role !== 'object') {
    return (
      <span class={`wf-name wf-${node.role}`} title={node.span.name}>
        {shortSpanName(node.span.name)}
      </span>
    );
  }
  const [kind = '', ...rest] = node.span.name.split(' ');
  const effect = String(node.span.attributes['clew.effect'] ?? '');
  return (
    <span class="wf-name wf-object" title={`${effect} ${node.span.name}`}>
      <span class="wf-kind">{kind}</span> {rest.join(' ')}
    </span>
  );
}

/** What the bars show, for those who do not see them. */
function wordsFor(row: WaterfallRow, errors: number): string {
  const failed = errors > 0 ? `, ${plural(errors, 'error')}` : '';
  if (row.type === 'lane') return failed;
  const { node } = row;
  const reason = node.error ? `, failed: ${node.span.status.message}` : failed;
  const critical = node.critical ? ', on the critical path' : '';
  return `, starts at ${formatMs(node.start)}, takes ${formatMs(node.end - node.start)}${critical}${reason}`;
}
