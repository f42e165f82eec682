/** The waterfall: rows of names on the left, their time on the right. Keys and screen readers use it as a tree. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { useVirtualRows } from '../lib/virtual';
import { Axis } from './axis';
import type { PlacedRow } from './draw';
import { type Hit, hitIn } from './hit';
import { Minimap } from './minimap';
import type { Model } from './model';
import { RowLabel } from './row-label';
import type { WaterfallRow } from './rows';
import { Tooltip } from './tooltip';
import { treeStep } from './tree-keys';
import { useDrawing } from './use-drawing';
import { useSize } from './use-size';
import { useTimePointer } from './use-time-pointer';
import type { Window } from './window';

const ROW_HEIGHT = 26;

export interface WaterfallProps {
  model: Model;
  rows: WaterfallRow[];
  window: Window;
  onWindow: (window: Window) => void;
  selected: string | undefined;
  onSelect: (id: string | undefined) => void;
  onToggle: (key: string) => void;
  matches: ReadonlySet<string>;
  /** Counts up when the selected row must come into sight. */
  reveal: number;
}

export function Waterfall(props: WaterfallProps) {
  const { model, rows, window, selected, matches } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(scroller);
  const labelWidth = size.width < 560 ? Math.min(150, size.width * 0.42) : Math.min(360, size.width * 0.3);
  const timeWidth = Math.max(size.width - labelWidth, 50);
  const virtual = useVirtualRows({
    count: rows.length,
    scroller,
    rowHeight: () => ROW_HEIGHT,
    keyOf: (index) => rows[index]?.key ?? String(index),
  });
  const [active, setActive] = useState<string | undefined>();
  const [hover, setHover] = useState<{ hit: Hit; x: number; y: number } | undefined>();
  const offset = scroller.current?.scrollTop ?? 0;
  const placed = virtual.items.flatMap((item): PlacedRow[] => {
    const row = rows[item.index];
    return row ? [{ row, top: item.start - offset, height: item.size }] : [];
  });

  useDrawing(canvas, {
    rows: placed,
    window,
    origin: model.origin,
    width: timeWidth,
    height: size.height,
    selected,
    matches,
  });

  useEffect(() => {
    const index = rows.findIndex((row) => row.key === selected);
    if (index < 0) return;
    setActive(selected);
    virtual.scrollTo(index, 'center');
  }, [props.reveal, selected]);

  const pointer = useTimePointer({
    model,
    window,
    width: timeWidth,
    onWindow: props.onWindow,
    element: canvas,
    onHover: (point) => {
      const found = point && placed.find((other) => point.y >= other.top && point.y < other.top + other.height);
      const hit = found && hitIn(found, point.x, window, timeWidth, model.origin);
      setHover(hit && { hit, x: point.x + labelWidth, y: point.y });
    },
    onClick: (point) => {
      const found = placed.find((other) => point.y >= other.top && point.y < other.top + other.height);
      const hit = found && hitIn(found, point.x, window, timeWidth, model.origin);
      if (found) setActive(found.row.key);
      const own = found?.row.type === 'span' ? found.row.key : undefined;
      props.onSelect(hit?.node.id ?? own);
    },
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const step = treeStep(event, rows, active);
    if (!step) return;
    event.preventDefault();
    if (step.go !== undefined) {
      setActive(rows[step.go]?.key);
      virtual.scrollTo(step.go);
    }
    if (step.toggle) props.onToggle(step.toggle);
    if (step.select) props.onSelect(step.select);
  };

  return (
    <div class="waterfall">
      <Minimap model={model} window={window} onWindow={props.onWindow} left={labelWidth} />
      <Axis window={window} width={timeWidth} left={labelWidth} />
      <div class="wf-body">
        <div
          class="wf-scroller"
          ref={scroller}
          role="tree"
          tabIndex={0}
          aria-label="Waterfall: arrows move, enter shows details"
          aria-activedescendant={active ? rowId(active) : undefined}
          onKeyDown={onKeyDown}
        >
          <div class="wf-inner" role="none" style={{ height: `${virtual.totalSize}px` }}>
            <canvas
              ref={canvas}
              class="wf-canvas"
              style={{ left: `${labelWidth}px`, width: `${timeWidth}px`, height: `${size.height}px` }}
              {...pointer.handlers}
            />
            {virtual.items.map((item) => {
              const row = rows[item.index];
              if (!row) return null;
              return (
                <RowLabel
                  key={item.key}
                  row={row}
                  id={rowId(row.key)}
                  top={item.start}
                  height={item.size}
                  width={labelWidth}
                  active={row.key === active}
                  selected={row.key === selected}
                  matched={matches.has(row.key)}
                  position={[item.index + 1, rows.length]}
                  onToggle={() => props.onToggle(row.key)}
                  onSelect={() => {
                    setActive(row.key);
                    if (row.type === 'span') props.onSelect(row.key);
                    else props.onToggle(row.key);
                  }}
                />
              );
            })}
          </div>
        </div>
        {pointer.brush && (
          <div
            class="wf-brush"
            style={{ left: `${labelWidth + pointer.brush[0]}px`, width: `${pointer.brush[1] - pointer.brush[0]}px` }}
          />
        )}
        {hover && !pointer.brush && <Tooltip hit={hover.hit} x={hover.x} y={hover.y} room={size} />}
      </div>
    </div>
  );
}

const rowId = (key: string): string => `row-${key.replace(/\W/g, '-')}`;
