/** A journey, asked for again when the stream says that it changed. */

import { useQuery } from '@tanstack/preact-query';
import { useEffect, useRef } from 'preact/hooks';
import { writeFilters } from '../api/filters';
import { journeyQuery } from '../api/queries';
import { type Liveness, useJourneyStream } from '../api/stream';
import type { Detail } from '../api/types';

/** A journey that changes all the time is asked for this often. */
const REFRESH_MS = 1000;

interface Followed {
  detail: Detail | undefined;
  error: unknown;
  refetch: () => void;
  /** Nothing for a journey that has ended. */
  liveness: Liveness | undefined;
}

export function useJourney(id: string): Followed {
  const { data, error, refetch } = useQuery(journeyQuery(id));
  const pending = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(pending.current), []);
  const again = () => {
    pending.current ??= setTimeout(() => {
      pending.current = undefined;
      void refetch();
    }, REFRESH_MS);
  };
  // The stream has no filter for one journey: the root object's name is as near as it gets.
  const watched = data?.state === 'open' || data?.state === 'stuck' ? data : undefined;
  const query = watched && writeFilters({ name: [watched.root.name] });
  const liveness = useJourneyStream(query, {
    onJourney: (row) => row.journey === data?.journey && again(),
    onReturn: again,
  });
  return { detail: data, error, refetch: () => void refetch(), liveness: watched && liveness };
}
