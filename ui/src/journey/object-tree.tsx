/** The objects of a journey: who owns whom, how each stands, and how long it took. */

import { Link } from 'wouter-preact';
import type { State } from '../api/types';
import { formatMs } from '../lib/duration';
import { plural } from '../lib/numbers';
import { Icon, type IconName } from '../ui/icon';
import { type Model, type Node, namedObject } from './model';

interface Props {
  model: Model;
  onSelect: (id: string) => void;
  selected: string | undefined;
  /** How the whole stands, which is also how those stand that are not done. */
  state: State;
}

export function ObjectTree({ model, onSelect, selected, state }: Props) {
  const roots = model.roots.flatMap((root) => (root.role === 'object' ? [root] : objectsBelow(root)));
  return (
    <div class="object-tree">
      <ul>
        {roots.map((node) => (
          <ObjectItem key={node.id} node={node} onSelect={onSelect} selected={selected} state={state} />
        ))}
      </ul>
    </div>
  );
}

function objectsBelow(node: Node): Node[] {
  return node.children.filter((child) => child.role === 'object');
}

function ObjectItem({ node, onSelect, selected, state }: { node: Node } & Omit<Props, 'model'>) {
  const named = namedObject(node);
  const children = objectsBelow(node);
  const { icon, words } = standing(node, state);
  return (
    <li>
      <div class={`object-line ${node.id === selected ? 'selected' : ''}`}>
        <Icon name={icon} class={`state-${icon}`} />
        <button type="button" class="as-link" onClick={() => onSelect(node.id)}>
          {node.span.name}
        </button>
        <span class="quiet-text">{words}</span>
        {node.error && <span class="bad">{node.span.status.message}</span>}
        {named && (
          <Link class="quiet-link" href={`/objects?uid=${encodeURIComponent(named.uid)}`}>
            history
          </Link>
        )}
      </div>
      {children.length > 0 && (
        <ul>
          {children.map((child) => (
            <ObjectItem key={child.id} node={child} onSelect={onSelect} selected={selected} state={state} />
          ))}
        </ul>
      )}
    </li>
  );
}

function standing(node: Node, state: State): { icon: IconName; words: string } {
  const took = formatMs(node.end - node.start);
  const effect = String(node.span.attributes['clew.effect'] ?? 'change');
  const reason = node.span.attributes['clew.reason'];
  const requests = node.children.filter((child) => child.role === 'request').length;
  const writes = requests > 0 ? `, ${plural(requests, 'write')}` : '';
  if (node.error) return { icon: 'failed', words: `${effect}d, not ready after ${took}${writes}` };
  if (node.running)
    return {
      icon: state === 'converged' ? 'open' : state,
      words: `${effect}d, ${took} so far${reason ? `, ${reason}` : ''}${writes}`,
    };
  const done = effect === 'delete' ? 'gone' : 'ready';
  return { icon: 'converged', words: `${effect}d, ${done} after ${took}${writes}` };
}
