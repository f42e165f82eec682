/** A chart over time, drawn by uPlot in the page's colours. */

import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { cssColor, seriesVariable } from '../lib/colors';
import { themeGeneration } from '../lib/settings';
import { useShared } from '../lib/store';
import { minuteTime, secondTime } from '../lib/time';

export interface PlotLine {
  label: string;
  /** Drawn as bars rather than as a line. */
  bars?: boolean;
}

interface Props {
  title: string;
  data: [number[], ...(number | null)[][]];
  lines: PlotLine[];
  format: (value: number) => string;
  height?: number;
  /** A horizontal line worth knowing: an objective. */
  mark?: number;
}

export function Plot({ title, data, lines, format, height = 210, mark }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const generation = useShared(themeGeneration);
  const shape = `${lines.map((line) => line.label).join('|')} ${generation} ${mark ?? ''}`;

  useEffect(() => {
    const target = box.current;
    if (!target) return;
    const plot = new uPlot(optionsFor({ lines, format, height, width: target.clientWidth, mark }), data, target);
    plot.setLegend({ idx: lastOf(data) });
    const observer = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height }));
    observer.observe(target);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [shape, data]);

  return (
    <figure class="plot card">
      <figcaption>{title}</figcaption>
      <div ref={box} role="img" aria-label={`${title}. ${describe(data, lines, format)}`} />
    </figure>
  );
}

interface Options extends Pick<Props, 'lines' | 'format'> {
  height: number;
  width: number;
  mark: number | undefined;
}

/** Lines differ by more than their colour. */
const DASHES = [[], [8, 4], [2, 3], [12, 3, 2, 3]];

function optionsFor({ lines, format, height, width, mark }: Options): uPlot.Options {
  const axis = {
    stroke: cssColor('--text-quiet'),
    grid: { stroke: cssColor('--line'), width: 1 },
    ticks: { stroke: cssColor('--line') },
  };
  return {
    width,
    height,
    padding: [null, 26, null, null],
    cursor: { drag: { x: false, y: false } },
    scales: { y: { range: (_, __, max) => [0, Math.max(max ?? 1, mark ?? 0) * 1.08 || 1] } },
    axes: [
      { ...axis, space: 70, values: (_, splits) => splits.map(clockFor(splits)) },
      { ...axis, size: 64, values: (_, splits) => splits.map(format) },
    ],
    series: [
      { label: 'At', value: (plot, seconds) => (seconds ? momentIn(plot.data[0], seconds) : '') },
      ...lines.map((line, index) => seriesFor(line, index, format)),
    ],
    hooks: {
      // Nobody points: the last values are better than dashes.
      setCursor: [
        (plot) => {
          if (plot.cursor.idx === null || plot.cursor.idx === undefined) plot.setLegend({ idx: lastOf(plot.data) });
        },
      ],
      ...(mark === undefined ? {} : { draw: [(plot: uPlot) => drawMark(plot, mark)] }),
    },
  };
}

/** The clock alone, while all is within a day. */
function momentIn(times: ArrayLike<number>, seconds: number): string {
  const within = (times[times.length - 1] ?? 0) - (times[0] ?? 0) < 86_400;
  return within ? secondTime(seconds * 1000).slice(11) : minuteTime(seconds * 1000).slice(5);
}

function lastOf(data: ArrayLike<ArrayLike<unknown>>): number {
  return Math.max((data[0]?.length ?? 0) - 1, 0);
}

/** Hours and minutes; with the day when more than one is shown, with seconds when it is about minutes. */
function clockFor(splits: number[]): (seconds: number) => string {
  const [first = 0, second = first] = splits;
  const days = (splits.at(-1) ?? first) - first > 86_400;
  return (seconds) => {
    const text = minuteTime(seconds * 1000);
    if (days) return text.slice(5);
    const clock = text.slice(11);
    return second - first < 60 ? `${clock}:${String(new Date(seconds * 1000).getSeconds()).padStart(2, '0')}` : clock;
  };
}

function seriesFor(line: PlotLine, index: number, format: (value: number) => string): uPlot.Series {
  const stroke = cssColor(seriesVariable(index));
  const bars = line.bars && uPlot.paths.bars;
  return {
    label: line.label,
    stroke,
    width: line.bars ? 0 : 2,
    spanGaps: true,
    value: (_, value) => (value === null || value === undefined ? '–' : format(value)),
    points: { show: !line.bars, size: 5 },
    dash: DASHES[index % DASHES.length] ?? [],
    ...(bars ? { fill: stroke, paths: bars({ size: [0.8, 60] }) } : {}),
  };
}

function drawMark(plot: uPlot, value: number): void {
  const y = plot.valToPos(value, 'y', true);
  const { left, width } = plot.bbox;
  plot.ctx.save();
  plot.ctx.strokeStyle = cssColor('--failed');
  plot.ctx.setLineDash([6, 4]);
  plot.ctx.lineWidth = 2;
  plot.ctx.beginPath();
  plot.ctx.moveTo(left, y);
  plot.ctx.lineTo(left + width, y);
  plot.ctx.stroke();
  plot.ctx.restore();
}

/** The last values, for those who do not see the chart. */
function describe(data: Props['data'], lines: PlotLine[], format: (value: number) => string): string {
  const words = lines.map((line, index) => {
    const last = (data[index + 1] ?? []).findLast((value) => value !== null && value !== undefined);
    return `${line.label}: ${last === null || last === undefined ? 'nothing' : format(last)} last`;
  });
  return words.join(', ');
}
