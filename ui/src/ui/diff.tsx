/** What a change changed, field by field. */

import type { FieldDiff, Value } from '../api/types';

export function DiffView({ diff }: { diff: FieldDiff[] }) {
  return (
    <ul class="diff">
      {diff.map(({ path, before, after }) => (
        <li key={path}>
          <code class="diff-path">{path}</code>
          {before !== null && before !== undefined && (
            <pre class="diff-before">
              <span class="sr-only">before: </span>
              {asText(before)}
            </pre>
          )}
          {after !== null && after !== undefined && (
            <pre class="diff-after">
              <span class="sr-only">after: </span>
              {asText(after)}
            </pre>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Values come as JSON text or as JSON; both are shown as text. */
export function asText(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}
