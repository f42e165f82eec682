/** The diff that a write's span carries: lines of `path: before → after`. */

import type { FieldDiff, Value } from '../api/types';

export function changeDiff(value: Value): FieldDiff[] {
  const lines = Array.isArray(value) ? value : [value];
  return lines.map((line) => lineDiff(String(line)));
}

function lineDiff(line: string): FieldDiff {
  const colon = line.indexOf(': ');
  if (colon < 0) return { path: line, before: null, after: null };
  const path = line.slice(0, colon);
  const [before = '', after] = splitOnce(line.slice(colon + 2), ' → ');
  if (after === undefined) return { path, before: null, after: before };
  return { path, before: orNothing(before), after: orNothing(after) };
}

function splitOnce(text: string, by: string): [string, string | undefined] {
  const at = text.indexOf(by);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + by.length)];
}

function orNothing(text: string): string | null {
  return text === '' || text === '∅' ? null : text;
}
