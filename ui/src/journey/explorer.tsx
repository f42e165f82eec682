/** Everything below the answer: the views of a journey's spans, what is selected in them, and the details of it. */

import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Detail, Edge, Evidence, Span } from '../api/types';
import { useParams } from '../lib/params';
import { now } from '../lib/settings';
import { useShared } from '../lib/store';
import { DetailPanel } from './detail-panel';
import { errorsIn, findIn, longestOf, nextOf } from './find';
import { Legend } from './legend';
import { buildModel, type Model, type Node } from './model';
import { ObjectTree } from './object-tree';
import { keysTo, opened, rowsByComponent, rowsByObject } from './rows';
import { SpanTable } from './span-table';
import { EVIDENCES, Toolbar, VIEWS, type View } from './toolbar';
import { Waterfall } from './waterfall';
import { clampWindow, firstWindow, isWhole, type Window, windowFor, zoomAround } from './window';

interface Props {
  detail: Pick<Detail, 'journey' | 'diff' | 'root' | 'state'>;
  /** When it ended, in milliseconds since 1970; what is open ends now. */
  ended: number | undefined;
  spans: Span[];
  edges: Edge[];
  children: (showStep: (name: string) => void) => ComponentChildren;
}

export function Explorer({ detail, ended, spans, edges, children }: Props) {
  const [params, setParams] = useParams();
  const model = useModel(spans, edges, ended);
  const view = VIEWS.find(([name]) => name === params.get('view'))?.[0] ?? 'waterfall';
  const selected = params.get('span') ?? undefined;
  const node = selected ? model.byId.get(selected) : undefined;
  const evidence = useMemo(() => readEvidence(params.get('evidence')), [params.get('evidence')]);
  const criticalOnly = params.get('critical') === '1';
  const find = params.get('find') ?? '';
  const [toggled, setToggled] = useState<ReadonlySet<string>>(() =>
    node ? opened(keysTo(node), model, new Set()) : new Set(),
  );
  const [window, setWindow] = useWindow(model, params, setParams);
  const [reveal, setReveal] = useState(0);

  const found = useMemo(() => findIn(model, find), [model, find]);
  const matches = useMemo(() => new Set(found.map((match) => match.id)), [found]);
  const errors = useMemo(() => errorsIn(model), [model]);
  const rows = useMemo(() => {
    const shown = { toggled, evidence, criticalOnly };
    return view === 'components' ? rowsByComponent(model, shown) : rowsByObject(model, shown);
  }, [model, toggled, evidence, criticalOnly, view]);

  const select = (id: string | undefined) => setParams({ span: id });
  const show = (target: Node | undefined) => {
    if (!target) return;
    setToggled(opened(keysTo(target), model, toggled));
    setWindow(windowFor(window, target.start, target.end, model.duration));
    select(target.id);
    setReveal(reveal + 1);
  };
  const toggle = (key: string) => {
    const next = new Set(toggled);
    if (!next.delete(key)) next.add(key);
    setToggled(next);
  };
  const zoom = (factor: number) => {
    const middle = (window.from + window.to) / 2;
    setWindow(factor === 0 ? { from: 0, to: model.duration } : zoomAround(window, middle, factor, model.duration));
  };

  const shared = { model, selected, onSelect: select };
  return (
    <>
      {children((name) => show(longestOf(model, name)))}
      <Toolbar
        view={view}
        onView={(next: View) => setParams({ view: next === 'waterfall' ? undefined : next })}
        evidence={evidence}
        onEvidence={(next) => setParams({ evidence: [...next].join(',') })}
        criticalOnly={criticalOnly}
        onCriticalOnly={(only) => setParams({ critical: only ? '1' : undefined })}
        find={find}
        onFind={(text) => setParams({ find: text })}
        found={found.length}
        onNextFound={(by) => show(nextOf(found, selected, by))}
        errors={errors.length}
        onNextError={(by) => show(nextOf(errors, selected, by))}
        onZoom={zoom}
        zoomed={!isWhole(window, model.duration)}
      />
      <div class={`explorer ${node ? 'with-detail' : ''}`}>
        {view === 'objects' && <ObjectTree {...shared} state={detail.state} />}
        {view === 'table' && <SpanTable {...shared} matches={matches} filtering={find !== ''} />}
        {(view === 'waterfall' || view === 'components') && (
          <Waterfall
            {...shared}
            rows={rows}
            window={window}
            onWindow={setWindow}
            onToggle={toggle}
            matches={matches}
            reveal={reveal}
          />
        )}
        {node && (
          <DetailPanel
            node={node}
            model={model}
            detail={detail}
            onClose={() => select(undefined)}
            onSelect={(id) => show(model.byId.get(id))}
          />
        )}
      </div>
      {(view === 'waterfall' || view === 'components') && <Legend />}
    </>
  );
}

/** Built again every few seconds while something runs, so that its bars grow. */
function useModel(spans: Span[], edges: Edge[], ended: number | undefined): Model {
  const current = useShared(now);
  const running = useMemo(() => spans.some((span) => span.end === null), [spans]);
  const until = ended ?? (running ? Math.floor(current / 2000) * 2000 : 0);
  return useMemo(() => buildModel(spans, edges, until), [spans, edges, until]);
}

/** The part of time that is seen. The link follows a little later, since a wheel turns faster than a link should. */
function useWindow(
  model: Model,
  params: URLSearchParams,
  setParams: (change: Record<string, string | undefined>) => void,
): [Window, (window: Window) => void] {
  const [chosen, setChosen] = useState<Window | undefined>(() => readWindow(params));
  const [timer, setTimer] = useState<ReturnType<typeof setTimeout>>();
  const window = clampWindow(chosen ?? firstWindow(model.lastActivity, model.duration), model.duration);
  const set = (next: Window) => {
    const whole = isWhole(next, model.duration) && model.lastActivity === model.duration;
    setChosen(whole ? undefined : next);
    clearTimeout(timer);
    const text = (ms: number) => (whole ? undefined : ms.toFixed(3));
    setTimer(setTimeout(() => setParams({ from: text(next.from), to: text(next.to) }), 300));
  };
  return [window, set];
}

function readWindow(params: URLSearchParams): Window | undefined {
  const [from, to] = [Number(params.get('from') ?? Number.NaN), Number(params.get('to') ?? Number.NaN)];
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? { from, to } : undefined;
}

function readEvidence(text: string | null): ReadonlySet<Evidence> {
  const words = (text ?? '').split(',');
  return new Set(EVIDENCES.filter((name) => words.includes(name)));
}
