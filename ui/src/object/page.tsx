/** Object: the history of one object: its changes with what they changed, who made them, and the journeys it is in. */

import { useQuery } from '@tanstack/preact-query';
import { Link, useSearch } from 'wouter-preact';
import { objectQuery } from '../api/queries';
import type { ObjectChange, ObjectHistory } from '../api/types';
import { JourneyLine } from '../changes/line';
import { quote } from '../journey/commands';
import { plural } from '../lib/numbers';
import { useParams } from '../lib/params';
import { agentName, objectLabel, userName } from '../lib/title';
import { CopyButton } from '../ui/copy';
import { DiffView } from '../ui/diff';
import { Icon } from '../ui/icon';
import { Empty, Failure, Loading } from '../ui/notice';
import { Moment } from '../ui/time';
import { Conditions } from './conditions';
import { deletionOf, isChange, newestChanges, objectSearch, splitJourneys } from './in-and-out';
import '../styles/detail.css';
import '../styles/object.css';

export function ObjectPage() {
  const search = objectSearch(useSearch());
  const { data, error, refetch } = useQuery({ ...objectQuery(search), enabled: search !== '' });
  return (
    <main class="page" id="main">
      {search === '' && <WhichObject />}
      {search !== '' && !data && !error && <Loading what="object" />}
      {error && !data && <Failure what="object" error={error} onRetry={() => void refetch()} />}
      {data && <History history={data} />}
    </main>
  );
}

function WhichObject() {
  return (
    <Empty title="Which object?">
      <p>
        Follow an object's name from a journey, or name it in the link: <code>/objects?uid=…</code>, or{' '}
        <code>/objects?kind=Deployment&amp;namespace=shop&amp;name=web</code>.
      </p>
    </Empty>
  );
}

function History({ history }: { history: ObjectHistory }) {
  const { object, changes, conditions } = history;
  const { began, touched } = splitJourneys(history);
  const [params, setParams] = useParams();
  const all = params.get('all') === '1';
  const shown = newestChanges(all ? changes : changes.filter(isChange));
  const deleted = deletionOf(newestChanges(changes));
  const place = object.namespace ? `-n ${quote(object.namespace)} ` : '';
  return (
    <>
      <div class="page-head">
        <h1>{objectLabel(object)}</h1>
        <span class="quiet-text">
          in {object.cluster} · <code>{object.uid}</code>
        </span>
        <CopyButton
          text={`kubectl ${place}get ${quote(object.kind.toLowerCase())} ${quote(object.name)} -o yaml`}
          label="kubectl"
        />
        <CopyButton text={location.href} label="Link" />
      </div>
      {deleted && (
        <p class="deleted">
          <Icon name="clock" /> Its deletion was asked for <Moment time={deleted.time} /> by{' '}
          <span title={deleted.user}>{userName(deleted.user) || 'someone'}</span>.
        </p>
      )}
      {conditions.length > 0 && <Conditions conditions={conditions} deleted={deleted !== undefined} />}
      <div class="object-columns">
        <section aria-labelledby="changes-title">
          <h2 id="changes-title">{all ? plural(shown.length, 'write') : plural(shown.length, 'change')}</h2>
          {changes.length > changes.filter(isChange).length && (
            <label class="check">
              <input
                type="checkbox"
                checked={all}
                onChange={(event) => setParams({ all: event.currentTarget.checked ? '1' : undefined })}
              />
              All {plural(changes.length, 'write')}, with those of status and those that were refused
            </label>
          )}
          {changes.length === 0 && <p class="quiet-text">None is known: it may have been made before clew looked.</p>}
          <ol class="history">
            {shown.map((change) => (
              <ChangeItem key={`${change.time}${change.spanId}`} change={change} />
            ))}
          </ol>
        </section>
        <section aria-labelledby="journeys-title">
          <h2 id="journeys-title">Journeys</h2>
          <JourneyGroup title="It began" rows={began} />
          <JourneyGroup title="It was part of" rows={touched} />
        </section>
      </div>
    </>
  );
}

function ChangeItem({ change }: { change: ObjectChange }) {
  const failed = change.status.code === 'error';
  const message = change.message || change.status.message;
  const where = change.journey && `/journeys/${change.journey}${change.spanId ? `?span=${change.spanId}` : ''}`;
  return (
    <li class={failed ? 'failed' : ''}>
      <p>
        {failed && <Icon name="failed" class="state-failed" />}
        <strong>
          {change.verb}
          {change.subresource && ` ${change.subresource}`}
        </strong>{' '}
        by <span title={change.user}>{userName(change.user) || 'someone'}</span>
        {change.agent && <span title={change.agent}> with {agentName(change.agent)}</span>},{' '}
        <Moment time={change.time} />
        {where && (
          <>
            {' · '}
            <Link href={where}>journey</Link>
          </>
        )}
      </p>
      {message && <p class={failed ? 'bad' : 'quiet-text'}>{message}</p>}
      {change.diff.length > 0 && <DiffView diff={change.diff} />}
    </li>
  );
}

function JourneyGroup({ title, rows }: { title: string; rows: ObjectHistory['journeys'] }) {
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="journey-list card">
        {rows.map((row) => (
          <li key={row.journey}>
            <JourneyLine row={row} />
          </li>
        ))}
      </ul>
    </>
  );
}
