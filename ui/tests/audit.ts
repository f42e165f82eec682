/** An audit log of many changes, as an API server writes it: each is a change by a person, so each is a journey. */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const NAMESPACES = ['shop', 'billing', 'search', 'depot'];
const PEOPLE = ['alice@example.com', 'bob@example.com', 'carol@example.com'];
/** More than a second, so that two changes are not one command. */
const APART_MS = 1500;

export async function writeAuditLog(file: string, changes: number, now = Date.now()): Promise<void> {
  const stream = createWriteStream(file);
  for (let index = 0; index < changes; index += 1) {
    const line = `${JSON.stringify(created(index, now - (changes - index) * APART_MS))}\n`;
    if (!stream.write(line)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}

function created(index: number, at: number) {
  const namespace = NAMESPACES[index % NAMESPACES.length];
  const name = `prices-${index}`;
  const id = (part: number) => `${String(index).padStart(8, '0')}-0000-4000-8000-${String(part).padStart(12, '0')}`;
  const object = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: {
      name,
      namespace,
      uid: id(1),
      resourceVersion: String(1000 + index),
      creationTimestamp: new Date(at).toISOString().replace(/\.\d+Z$/, 'Z'),
    },
    data: { version: String(index) },
  };
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'RequestResponse',
    auditID: id(2),
    stage: 'ResponseComplete',
    requestURI: `/api/v1/namespaces/${namespace}/configmaps`,
    verb: 'create',
    user: { username: PEOPLE[index % PEOPLE.length], groups: ['system:authenticated'] },
    sourceIPs: ['192.0.2.7'],
    userAgent: 'kubectl/v1.34.4 (linux/amd64) kubernetes/abc',
    objectRef: { resource: 'configmaps', namespace, name, apiVersion: 'v1' },
    responseStatus: { metadata: {}, code: 201 },
    requestObject: { ...object, metadata: { name, namespace } },
    responseObject: object,
    requestReceivedTimestamp: new Date(at).toISOString(),
    stageTimestamp: new Date(at + 5 + (index % 40)).toISOString(),
  };
}
