/** Catches what no page caught, so that a fault is told rather than an empty window shown. */

import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Failure } from './notice';

export function SafetyNet({ children }: { children: ComponentChildren }) {
  const [path] = useLocation();
  return <Net key={path}>{children}</Net>;
}

function Net({ children }: { children: ComponentChildren }) {
  const [error] = useErrorBoundary();
  if (!error) return <>{children}</>;
  // A file that is gone most often means that the server was replaced by a newer one; loading anew fetches its page.
  return (
    <main id="main">
      <Failure what="page" error={error} onRetry={() => location.reload()} />
    </main>
  );
}
