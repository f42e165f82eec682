/** The objective: how many converge in time, and how fast the budget of those that do not is used up. */

import { useQuery } from '@tanstack/preact-query';
import { useMemo } from 'preact/hooks';
import type { Filters } from '../api/filters';
import { statsQuery } from '../api/queries';
import type { Heatmap } from '../api/types';
import { formatMs, parseDuration } from '../lib/duration';
import { formatCount } from '../lib/numbers';
import { useParams } from '../lib/params';
import { parseTime } from '../lib/time';
import { Icon } from '../ui/icon';
import { Plot } from '../ui/plot';
import { attainment, burnOverTime, nearestBound, sumCounts, withBroken } from './slo';

interface Props {
  /** Of what converged. */
  heatmap: Heatmap;
  filters: Filters;
  bucket: string;
}

export function SloPanel({ heatmap: converged, filters, bucket }: Props) {
  const [params, setParams] = useParams();
  const { data: counts } = useQuery(statsQuery({ of: 'journeys', by: [], bucket, limit: 1 }, filters));
  const heatmap = useMemo(() => withBroken(converged, counts?.series[0]?.points ?? []), [converged, counts]);
  const target = parseDuration(params.get('within') ?? '30s') ?? 30_000;
  const percent = Math.min(Math.max(Number(params.get('objective') ?? 99), 1), 99.99);
  const objective = percent / 100;
  const bound = nearestBound(heatmap.bounds, target);
  const whole = attainment(sumCounts(heatmap), heatmap.bounds, target, objective);
  const data = useMemo((): [number[], (number | null)[]] => {
    const points = burnOverTime(heatmap, target, objective);
    return [
      points.map((point) => parseTime(point.start) / 1000),
      points.map((point) => (point.total > 0 ? point.burn : null)),
    ];
  }, [heatmap, target, objective]);
  const kept = whole.share >= objective;
  return (
    <div class="slo-column">
      <section class="card slo" aria-labelledby="slo-title">
        <h2 id="slo-title">Objective</h2>
        <p class="slo-form">
          <label>
            <input
              type="number"
              min="1"
              max="99.99"
              step="0.1"
              value={percent}
              onChange={(event) => setParams({ objective: event.currentTarget.value })}
            />{' '}
            % converge
          </label>
          <label>
            within{' '}
            <select value={bound} onChange={(event) => setParams({ within: `${event.currentTarget.value}ms` })}>
              {heatmap.bounds.map((option) => (
                <option key={option} value={option}>
                  {formatMs(option)}
                </option>
              ))}
            </select>
          </label>
        </p>
        <p class={`slo-answer ${kept ? 'state-converged' : 'state-failed'}`}>
          <Icon name={kept ? 'converged' : 'failed'} /> {(whole.share * 100).toFixed(whole.share > 0.999 ? 2 : 1)} %{' '}
          {kept ? 'in time' : 'in time: too few'}
        </p>
        <p>
          {formatCount(whole.good)} of {formatCount(whole.total)} journeys that ended; failed and stuck ones count as
          late. The budget of late ones burns <strong>{whole.burn.toFixed(1)} times</strong> as fast as it may.
        </p>
      </section>
      <Plot
        title="Burn of the budget (1 is as fast as it may)"
        data={data}
        lines={[{ label: 'burn', bars: true }]}
        format={(value) => value.toFixed(1)}
        mark={1}
      />
    </div>
  );
}
