/** The live stream of journeys: opened while a page watches, and again when the server comes back. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { apiUrl } from './client';
import type { Row } from './types';

export type Liveness = 'connecting' | 'live' | 'lost';

const RETRY_MS = 2000;

interface Listener {
  onJourney: (row: Row) => void;
  onRetired?: (journey: string) => void;
  /** The stream was lost and is back: what happened between is unknown, so ask again. */
  onReturn?: () => void;
}

/** Listens for as long as the component is there. `undefined` as query means: do not listen. */
export function useJourneyStream(query: string | undefined, listener: Listener): Liveness {
  const [liveness, setLiveness] = useState<Liveness>('connecting');
  const latest = useRef(listener);
  latest.current = listener;

  useEffect(() => {
    if (query === undefined) return;
    let source: EventSource | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let wasLost = false;

    const open = () => {
      source = new EventSource(apiUrl('/journeys/stream', query));
      source.onopen = () => {
        setLiveness('live');
        if (wasLost) latest.current.onReturn?.();
        wasLost = false;
      };
      source.onerror = () => {
        // The browser gives up for good on some errors, so every retry is ours.
        source?.close();
        wasLost = true;
        setLiveness('lost');
        retry = setTimeout(open, RETRY_MS);
      };
      source.addEventListener('journey', (event) => {
        const row = parse<Row>(event.data);
        if (row) latest.current.onJourney(row);
      });
      // Retired: part of another journey now. Left: changed so that the filter no longer holds. Gone from the list either way.
      for (const gone of ['retired', 'left']) {
        source.addEventListener(gone, (event) => {
          const what = parse<{ journey: string }>((event as MessageEvent).data);
          if (what) latest.current.onRetired?.(what.journey);
        });
      }
      // This reader was too slow and missed something.
      source.addEventListener('resync', () => latest.current.onReturn?.());
    };
    // A browser keeps six connections to a server for all its tabs; a tab that nobody sees must not hold one.
    const onVisibility = () => {
      source?.close();
      clearTimeout(retry);
      if (document.hidden) wasLost = true;
      else open();
    };
    document.addEventListener('visibilitychange', onVisibility);
    if (!document.hidden) open();
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      source?.close();
      clearTimeout(retry);
    };
  }, [query]);

  return liveness;
}

function parse<T>(data: unknown): T | undefined {
  try {
    return JSON.parse(String(data)) as T;
  } catch {
    return undefined;
  }
}
