/** The list of changes: pages that load as one scrolls, and what the stream brings. */

import { useInfiniteQuery, useQueryClient } from '@tanstack/preact-query';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Filters, writeFilters } from '../api/filters';
import { journeysQuery } from '../api/queries';
import { useJourneyStream } from '../api/stream';
import type { Row } from '../api/types';
import { type Live, MAX_LIVE, merge, NOTHING_LIVE, newestFirst, withJourneys, withRetired } from './live';

/** Changes of a busy cluster come by the hundred a second; the page draws them a few times a second. */
const BATCH_MS = 200;

export function useChanges(filters: Filters, holdBack: boolean) {
  const query = writeFilters(filters);
  const client = useQueryClient();
  const pages = useInfiniteQuery(journeysQuery(filters));
  const [live, setLive] = useState<Live>(NOTHING_LIVE);
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const batch = useRef<{ rows: Row[]; retired: string[] }>({ rows: [], retired: [] });

  useEffect(() => {
    setLive(NOTHING_LIVE);
    setShown(new Set());
    batch.current = { rows: [], retired: [] };
  }, [query]);

  const refresh = () => {
    setLive(NOTHING_LIVE);
    void client.invalidateQueries({ queryKey: ['journeys', query] });
    void client.invalidateQueries({ queryKey: ['histogram'] });
  };

  const liveness = useJourneyStream(query, {
    onJourney: (row) => batch.current.rows.push(row),
    onRetired: (journey) => batch.current.retired.push(journey),
    onReturn: refresh,
  });

  useEffect(() => {
    const timer = setInterval(() => {
      const { rows, retired } = batch.current;
      if (rows.length === 0 && retired.length === 0) return;
      batch.current = { rows: [], retired: [] };
      setLive((current) => withRetired(withJourneys(current, rows), retired));
    }, BATCH_MS);
    return () => clearInterval(timer);
  }, []);

  useEffect(() => {
    if (live.changed.size > MAX_LIVE) refresh();
  }, [live]);

  const loaded = useMemo(() => pages.data?.pages.flatMap((page) => page.journeys) ?? [], [pages.data]);
  const merged = useMemo(() => merge(loaded, live), [loaded, live]);

  // Someone who reads further down must not have the list move under the eyes.
  const visible = holdBack ? merged.fresh.filter((row) => shown.has(row.journey)) : merged.fresh;
  useEffect(() => {
    if (!holdBack && merged.fresh.length > 0) setShown(new Set(merged.fresh.map((row) => row.journey)));
  }, [holdBack, merged]);

  const rows = useMemo(
    () => (visible.length > 0 ? newestFirst([...visible, ...merged.known]) : merged.known),
    [merged, visible.length],
  );
  return { pages, rows, heldBack: merged.fresh.length - visible.length, liveness, live };
}
