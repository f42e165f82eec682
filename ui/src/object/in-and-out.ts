/** Journeys that began with an object, and those that only came by. */

import type { ObjectChange, ObjectHistory, Row } from '../api/types';
import { compareTimes } from '../changes/live';

export function splitJourneys({ object, journeys }: ObjectHistory): { began: Row[]; touched: Row[] } {
  const isRoot = ({ root }: Row) =>
    root.name === object.name &&
    root.namespace === object.namespace &&
    (!root.objectKind || root.objectKind === object.kind);
  return { began: journeys.filter(isRoot), touched: journeys.filter((row) => !isRoot(row)) };
}

export function newestChanges(changes: ObjectChange[]): ObjectChange[] {
  return [...changes].sort((one, other) => compareTimes(other.time, one.time));
}

/** A write that altered the object outside its status, as far as it is known. */
export function isChange(write: ObjectChange): boolean {
  return write.subresource !== 'status' && write.status.code !== 'error';
}

const NAMES = ['uid', 'cluster', 'kind', 'namespace', 'name', 'since', 'until'];

/** The part of the link that names the object. */
export function objectSearch(search: string): string {
  return new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => NAMES.includes(name))).toString();
}

/** The write that asked for its deletion, unless another object of its name came after it. */
export function deletionOf(changes: ObjectChange[]): ObjectChange | undefined {
  const last = changes.find(({ verb, status }) => status.code !== 'error' && (verb === 'delete' || verb === 'create'));
  return last?.verb === 'delete' ? last : undefined;
}
