/** All that is known of one span. */

import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import type { Attributes, Detail, FieldDiff } from '../api/types';
import { formatMs } from '../lib/duration';
import { parseTime } from '../lib/time';
import { CopyButton } from '../ui/copy';
import { asText, DiffView } from '../ui/diff';
import { Icon } from '../ui/icon';
import { Moment } from '../ui/time';
import { changeDiff } from './change-diff';
import { apiCurl, curlFor, kubectlFor } from './commands';
import { type Model, type Node, namedObject, objectOf } from './model';
import { EVIDENCE_WORDS } from './tooltip';

interface Props {
  node: Node;
  model: Model;
  detail: Pick<Detail, 'journey' | 'diff' | 'root'>;
  onClose: () => void;
  onSelect: (id: string) => void;
}

export function DetailPanel({ node, model, detail, onClose, onSelect }: Props) {
  const { span } = node;
  const kubectl = kubectlFor(node);
  const curl = curlFor(node);
  const diff = diffOf(node, detail);
  return (
    <aside class="detail" aria-label={`Details of ${span.name}`}>
      <div class="detail-head">
        <h2>{span.name}</h2>
        <button type="button" class="quiet" aria-label="Close the details" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div class="detail-scroll">
        {node.error && <p class="detail-error">{span.status.message || 'failed without saying why'}</p>}
        <Facts node={node} onSelect={onSelect} />
        <div class="detail-actions">
          {kubectl && <CopyButton text={kubectl} label="kubectl" />}
          {curl && <CopyButton text={curl} label="curl of the request" />}
          <CopyButton text={apiCurl(detail.journey, location.origin)} label="curl of the journey" />
          <CopyButton text={location.href} label="Link" />
        </div>
        {diff.length > 0 && (
          <Part title="What it changed" count={diff.length} open>
            <DiffView diff={diff} />
          </Part>
        )}
        <Part title="Attributes" count={Object.keys(span.attributes).length} open>
          <AttributeTable attributes={span.attributes} />
        </Part>
        {span.events.length > 0 && (
          <Part title="Events" count={span.events.length} open>
            <Events node={node} model={model} />
          </Part>
        )}
        {span.links.length > 0 && (
          <Part title="Links" count={span.links.length} open>
            <ul class="detail-list">
              {span.links.map((link) => (
                <li key={link.traceId + link.spanId}>
                  <Link href={`/journeys/${link.traceId}?span=${link.spanId}`}>
                    <code>{link.traceId}</code>
                  </Link>{' '}
                  {asText(link.attributes['clew.link'] ?? '')}
                </li>
              ))}
            </ul>
          </Part>
        )}
        <Part title="Resource" count={Object.keys(span.resource).length}>
          <AttributeTable attributes={span.resource} />
        </Part>
        <Part title="Raw JSON">
          <CopyButton text={JSON.stringify(span, null, 2)} label="Copy" />
          <pre class="raw">{JSON.stringify(span, null, 2)}</pre>
        </Part>
      </div>
    </aside>
  );
}

function Facts({ node, onSelect }: { node: Node; onSelect: (id: string) => void }) {
  const { span } = node;
  const object = objectOf(node);
  const named = object && namedObject(object);
  return (
    <dl class="facts">
      <Fact name="Takes">
        {formatMs(node.end - node.start)}
        {node.running && ' so far'}
      </Fact>
      <Fact name="Starts">
        <Moment time={span.start} /> <span class="quiet-text">({formatMs(node.start)} into it)</span>
      </Fact>
      {named && object && (
        <Fact name="Object">
          <Link href={`/objects?uid=${encodeURIComponent(named.uid)}`}>{object.span.name}</Link>
        </Fact>
      )}
      {node.parent && node.parent !== object && (
        <Fact name="Parent">
          <button type="button" class="as-link" onClick={() => node.parent && onSelect(node.parent.id)}>
            {node.parent.span.name}
          </button>
        </Fact>
      )}
      <Fact name="Done by">{node.component}</Fact>
      {node.evidence && (
        <Fact name="Evidence">
          {node.evidence} <span class="quiet-text">({EVIDENCE_WORDS[node.evidence]})</span>
        </Fact>
      )}
      {span.originalTraceId && (
        <Fact name="Native trace">
          <code>{span.originalTraceId}</code>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface PartProps {
  title: string;
  count?: number;
  open?: boolean;
  children: ComponentChildren;
}

function Part({ title, count, open = false, children }: PartProps) {
  return (
    <details class="detail-part" open={open}>
      <summary>
        {title} {count !== undefined && <span class="quiet-text">{count}</span>}
      </summary>
      {children}
    </details>
  );
}

export function AttributeTable({ attributes }: { attributes: Attributes }) {
  const entries = Object.entries(attributes).sort(([one], [other]) => (one < other ? -1 : 1));
  return (
    <dl class="attributes">
      {entries.map(([key, value]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>{asText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Events({ node, model }: { node: Node; model: Model }) {
  return (
    <ul class="detail-list">
      {node.span.events.map((event) => (
        <li key={event.time + event.name}>
          <span class="quiet-text">{formatMs(parseTime(event.time) - model.origin)}</span>{' '}
          <strong class={event.attributes.warning === true ? 'bad' : ''}>{event.name}</strong>{' '}
          {eventText(event.attributes)}
        </li>
      ))}
    </ul>
  );
}

function eventText(attributes: Attributes): string {
  if (attributes.message !== undefined) return asText(attributes.message);
  return Object.entries(attributes)
    .map(([key, value]) => `${key}=${asText(value)}`)
    .join(' ');
}

/** A change carries its diff as an attribute; the root change's is the journey's own. */
function diffOf(node: Node, detail: Props['detail']): FieldDiff[] {
  const own = node.span.attributes['clew.diff'];
  if (own !== undefined) return changeDiff(own);
  const isRoot = node.span.attributes['audit-id'] === detail.root.auditID && node.role === 'request';
  return isRoot || node.role === 'journey' ? detail.diff : [];
}
