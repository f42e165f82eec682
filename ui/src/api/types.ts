/** The shapes of clew's own API, `/api/v1`. Times are RFC 3339 with nanoseconds, ids lower-case hex. */

export type State = 'open' | 'converged' | 'failed' | 'stuck';
export type Evidence = 'context' | 'identity' | 'ownership' | 'reference' | 'timing';
/** An attribute's value; native spans may carry lists. */
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };
export type Attributes = Record<string, Value>;

export interface ObjectRef {
  uid: string;
  kind: string;
  namespace: string;
  name: string;
}

export interface Root {
  auditID: string | null;
  verb: string;
  resource: string;
  subresource: string;
  /** What began the journey: a request, a timer, … */
  kind: string;
  objectKind?: string;
  namespace: string;
  name: string;
  user: string;
  agent: string;
  /** What a controller fetched, if that began the journey: a commit, an artifact, a chart. */
  revision?: { id: string; repository: string };
}

export interface WaitingOn {
  reason: string;
  message: string;
  object: ObjectRef | null;
}

export interface PathStep {
  name: string;
  ms: number;
}

export interface Finding {
  kind: string;
  message: string;
}

export interface Usual {
  p50Ms: number;
  p95Ms: number;
  count: number;
}

export interface Counts {
  objects: number;
  writes: number;
  spans: number;
  segments: number;
  errors: number;
}

export interface Row {
  journey: string;
  cluster: string;
  title: string;
  root: Root;
  command: string | null;
  state: State;
  waitingOn: WaitingOn | null;
  start: string;
  end: string | null;
  durationMs: number | null;
  counts: Counts;
  criticalPath: PathStep[];
  findings: Finding[];
  usual: Usual | null;
}

export interface FieldDiff {
  path: string;
  before: Value;
  after: Value;
}

export interface SpanEvent {
  time: string;
  name: string;
  attributes: Attributes;
}

export interface SpanLink {
  traceId: string;
  spanId: string;
  attributes: Attributes;
}

export interface SpanStatus {
  code: 'unset' | 'ok' | 'error';
  message: string;
}

export interface Span {
  traceId: string;
  spanId: string;
  parentId: string | null;
  name: string;
  kind: string;
  start: string;
  end: string | null;
  status: SpanStatus;
  service: string;
  scope: string;
  attributes: Attributes;
  resource: Attributes;
  events: SpanEvent[];
  links: SpanLink[];
  native: boolean;
  evidence: Evidence | null;
  critical: boolean;
  originalTraceId?: string;
}

export interface Edge {
  parent: string;
  child: { span: string } | { segment: string };
  evidence: Evidence;
}

export interface Detail extends Row {
  diff: FieldDiff[];
  objects: ObjectRef[];
  segments: string[];
  spans: Span[];
  edges: Edge[];
}

export interface JourneyPage {
  journeys: Row[];
  next: string | null;
}

export interface HistogramBucket {
  start: string;
  open: number;
  converged: number;
  failed: number;
  stuck: number;
}

export interface Histogram {
  from: string;
  to: string;
  widthMs: number;
  buckets: HistogramBucket[];
}

export interface ObjectChange {
  time: string;
  verb: string;
  subresource: string;
  user: string;
  agent: string;
  status: SpanStatus;
  journey: string | null;
  spanId: string | null;
  diff: FieldDiff[];
  message: string | null;
}

export interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  time: string | null;
}

export interface ObjectHistory {
  object: ObjectRef & { cluster: string };
  changes: ObjectChange[];
  journeys: Row[];
  /** Of the newest version that was seen. */
  conditions: Condition[];
}

export interface StatsPoint {
  start: string;
  count: number;
  errors: number;
  p50Ms: number | null;
  p90Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
  maxMs: number | null;
  sumMs: number | null;
}

export interface Series {
  key: Record<string, string | null>;
  points: StatsPoint[];
}

export interface Stats {
  series: Series[];
}

export interface Heatmap {
  widthMs: number;
  bounds: number[];
  columns: { start: string; counts: number[] }[];
}

export interface ComparedStep {
  count: number;
  p50Ms: number;
  totalMs: number;
}

export interface Side {
  label: string;
  count: number;
  p50Ms: number | null;
  p95Ms: number | null;
}

export type Verdict = 'slower' | 'faster' | 'new' | 'gone' | 'same';

export interface StepComparison {
  step: string;
  a: ComparedStep | null;
  b: ComparedStep | null;
  deltaMs: number;
  ratio: number | null;
  pValue: number | null;
  verdict: Verdict;
}

export interface Comparison {
  a: Side;
  b: Side;
  steps: StepComparison[];
}

export interface Run {
  id: string;
  command: string;
  version: string;
  start: string;
  end: string | null;
  durationMs: number | null;
  status: SpanStatus;
  attributes: Attributes;
}

export interface RunDetail {
  run: Run;
  spans: Span[];
}

export interface Source {
  name: string;
  kind: string;
  cluster: string;
  state: 'up' | 'waiting' | 'failed';
  lastSeen: string | null;
  rate: number;
  message: string;
}

export interface Stage {
  name: string;
  queued: number;
  capacity: number;
  lagSeconds: number;
}

export interface TableHealth {
  name: string;
  version: number;
  files: number;
  rows: number;
  bytes: number;
  hotRows: number;
}

export interface StoreHealth {
  location: string;
  tables: TableHealth[];
  logBytes: number;
  memoryBytes: number;
  lagSeconds: number;
  /** None is without a limit. */
  retention: {
    journeysSeconds: number | null;
    segmentsSeconds: number | null;
    backgroundSeconds: number | null;
    bytes: number | null;
  };
  drops: [string, number][];
  problems: string[];
}

export interface Check {
  check: string;
  state: string;
  message: string;
  fix: string | null;
}

export interface Status {
  version: string;
  started: string;
  sources: Source[];
  stages: Stage[];
  drops: { stage: string; reason: string; count: number }[];
  /** None if the store cannot say how it is; then a check says why. */
  store: StoreHealth | null;
  doctor: Check[];
}
