/** Dashboards: how long changes take to converge, by what, and who is slow. */

import { useQuery } from '@tanstack/preact-query';
import { useLocation, useSearch } from 'wouter-preact';
import { type Filters, readFilters, without, writeFilters } from '../api/filters';
import { heatmapQuery, histogramQuery } from '../api/queries';
import { FilterBar } from '../changes/filter-bar';
import { useParams } from '../lib/params';
import { parseTime } from '../lib/time';
import { Empty, Failure, Loading } from '../ui/notice';
import { bucketFor } from './bucket';
import { ConvergeCharts } from './converge';
import { HeatGrid } from './heat-grid';
import { onlyConverged } from './series';
import { SloPanel } from './slo-panel';
import { NodeTable, PhaseTable, RequestTable, WriterTable } from './tables';
import { NotWell, Slowest } from './worst';
import '../styles/dashboards.css';
import '../styles/object.css';

const SPLITS = ['', 'kind', 'namespace', 'cluster', 'user', 'verb'];

export function DashboardsPage() {
  const filters = readFilters(useSearch());
  const [, navigate] = useLocation();
  const [params, setParams] = useParams();
  const by = SPLITS.find((name) => name === params.get('by')) ?? '';
  const { data: extent, error } = useQuery(histogramQuery(filters, 60));
  const bucket = extent && bucketFor(parseTime(extent.to) - parseTime(extent.from));
  const settled = onlyConverged(filters);
  // Both have the same columns, so they are asked for the same time.
  const range = extent && { ...settled, since: [extent.from], until: [extent.to] };
  const ask = { ...heatmapQuery(bucket?.text, range ?? settled), enabled: bucket !== undefined };
  const { data: heatmap } = useQuery(ask);
  const nothing = extent?.buckets.every((one) => one.open + one.converged + one.failed + one.stuck === 0);
  const change = (next: Filters) => {
    const query = new URLSearchParams(writeFilters(next));
    for (const name of ['by', 'within', 'objective']) {
      const value = params.get(name);
      if (value) query.set(name, value);
    }
    navigate(`/dashboards?${query}`);
  };
  return (
    <main class="page" id="main">
      <div class="page-head">
        <h1>Dashboards</h1>
        <label>
          Split by{' '}
          <select value={by} onChange={(event) => setParams({ by: event.currentTarget.value })}>
            {SPLITS.map((name) => (
              <option key={name} value={name}>
                {name || 'nothing'}
              </option>
            ))}
          </select>
        </label>
      </div>
      <FilterBar filters={filters} onChange={change} />
      {error && <Failure what="dashboard" error={error} />}
      {!extent && !error && <Loading what="dashboard" />}
      {nothing && (
        <Empty title="No journey in this time">
          <p>Widen the time, or remove a filter.</p>
        </Empty>
      )}
      {bucket && !nothing && (
        <div class="dashboard">
          <ConvergeCharts filters={filters} bucket={bucket.text} by={by} />
          {heatmap ? <HeatGrid heatmap={heatmap} filters={settled} /> : <Loading what="heat map" />}
          {heatmap && <SloPanel heatmap={heatmap} filters={without(filters, 'state')} bucket={bucket.text} />}
          <Slowest filters={filters} />
          <NotWell filters={filters} />
          <RequestTable filters={filters} />
          <WriterTable filters={filters} />
          <PhaseTable filters={filters} />
          <NodeTable filters={filters} />
        </div>
      )}
    </main>
  );
}
