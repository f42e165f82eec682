/** A moment, as the reader likes it: how long ago, or when. */

import { now, timeMode } from '../lib/settings';
import { useShared } from '../lib/store';
import { absoluteTime, fullTime, parseTime, relativeTime } from '../lib/time';

export function Moment({ time }: { time: string }) {
  const mode = useShared(timeMode);
  const current = useShared(now);
  const ms = parseTime(time);
  const text = mode === 'relative' ? relativeTime(ms, current) : absoluteTime(ms, current);
  return (
    <time dateTime={time} title={fullTime(time)}>
      {text}
    </time>
  );
}
