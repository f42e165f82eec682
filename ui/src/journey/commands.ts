/** Commands that show the same elsewhere, to be copied. */

import type { Node } from './model';
import { namedObject, objectOf } from './model';

/** Quotes a word for a shell; names come from the cluster and may hold anything. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** `kubectl -n shop get pods web-1 -o yaml` for the object that a span is about. */
export function kubectlFor(node: Node): string | undefined {
  const object = objectOf(node);
  const named = object && namedObject(object);
  if (!named?.name) return undefined;
  const place = named.namespace ? ['-n', named.namespace] : [];
  const what = named.resource || named.kind.toLowerCase();
  return ['kubectl', ...place, 'get', what, named.name, '-o', 'yaml', '--show-managed-fields'].map(quote).join(' ');
}

/** The request that a native span tells of, as one can send it again through `kubectl proxy`. */
export function curlFor(node: Node): string | undefined {
  const target = requestTarget(node);
  if (!target) return undefined;
  return `curl -sS -X GET ${quote(`http://127.0.0.1:8001${target}`)}  # with kubectl proxy`;
}

function requestTarget(node: Node): string | undefined {
  const { attributes } = node.span;
  const found = attributes['http.target'] ?? attributes['url.path'] ?? attributes.url;
  if (typeof found === 'string' && found.startsWith('/')) return found.split('?', 1)[0];
  return node.children.map(requestTarget).find((target) => target !== undefined);
}

/** The journey as clew's API gives it. */
export function apiCurl(journey: string, origin: string): string {
  return `curl -sS ${quote(`${origin}/api/v1/journeys/${journey}`)}`;
}
