/** Journey: one change and everything that it caused. */

import { useEffect } from 'preact/hooks';
import { useRoute } from 'wouter-preact';
import type { Detail } from '../api/types';
import { parseTime } from '../lib/time';
import { titleOf } from '../lib/title';
import { Failure, Loading } from '../ui/notice';
import { Answer } from './answer';
import { Explorer } from './explorer';
import { useJourney } from './use-journey';
import '../styles/journey.css';
import '../styles/detail.css';

export function JourneyPage() {
  const [, params] = useRoute('/journeys/:id');
  const { detail, error, refetch, liveness } = useJourney(params?.id ?? '');
  useEffect(() => {
    if (detail) document.title = `${titleOf(detail)} · clew`;
  }, [detail]);
  if (!detail) {
    return (
      <main class="page" id="main">
        {error ? <Failure what="journey" error={error} onRetry={refetch} /> : <Loading what="journey" />}
      </main>
    );
  }
  return (
    <main class="page journey" id="main">
      <Explorer detail={detail} ended={endOf(detail)} spans={detail.spans} edges={detail.edges}>
        {(showStep) => <Answer detail={detail} onStep={showStep} liveness={liveness} />}
      </Explorer>
    </main>
  );
}

function endOf(detail: Detail): number | undefined {
  return detail.state === 'open' || detail.end === null ? undefined : parseTime(detail.end);
}
