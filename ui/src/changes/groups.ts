/** One row for a command that made several changes. */

import type { Row, State } from '../api/types';
import { parseTime } from '../lib/time';

export interface Command {
  command: string;
  /** Newest first, as in the list. */
  rows: Row[];
}

export type Line =
  | { type: 'command'; key: string; group: Command; open: boolean }
  | { type: 'journey'; key: string; row: Row; nested: boolean };

/** The lines of the list: a command with several journeys stands where its newest one would. */
export function linesOf(rows: Row[], openCommands: ReadonlySet<string>): Line[] {
  const byCommand = new Map<string, Row[]>();
  for (const row of rows) {
    if (!row.command) continue;
    const group = byCommand.get(row.command);
    if (group) group.push(row);
    else byCommand.set(row.command, [row]);
  }
  const lines: Line[] = [];
  const placed = new Set<string>();
  for (const row of rows) {
    const group = row.command ? byCommand.get(row.command) : undefined;
    if (!row.command || !group || group.length < 2) {
      lines.push({ type: 'journey', key: row.journey, row, nested: false });
      continue;
    }
    if (placed.has(row.command)) continue;
    placed.add(row.command);
    const open = openCommands.has(row.command);
    lines.push({ type: 'command', key: `command ${row.command}`, group: { command: row.command, rows: group }, open });
    if (open) lines.push(...group.map((row): Line => ({ type: 'journey', key: row.journey, row, nested: true })));
  }
  return lines;
}

const WORST_FIRST: State[] = ['failed', 'stuck', 'open', 'converged'];

/** The state of a group is that of its worst journey. */
export function worstState(rows: Row[]): State {
  return WORST_FIRST.find((state) => rows.some((row) => row.state === state)) ?? 'converged';
}

/** From the first start to the last end; the clock's `now` for what still runs. */
export function spanMs(rows: Row[], now: number): number {
  const starts = rows.map((row) => parseTime(row.start));
  const ends = rows.map((row) => endOf(row, now));
  return Math.max(...ends) - Math.min(...starts);
}

/** How long a journey took, or has been running. */
export function durationOf(row: Row, now: number): number {
  return endOf(row, now) - parseTime(row.start);
}

/** What is stuck is not done either: its time goes on. */
export function isUnderWay(state: State): boolean {
  return state === 'open' || state === 'stuck';
}

function endOf(row: Row, now: number): number {
  if (isUnderWay(row.state)) return Math.max(now, parseTime(row.start));
  if (row.durationMs !== null) return parseTime(row.start) + row.durationMs;
  return row.end ? parseTime(row.end) : now;
}
