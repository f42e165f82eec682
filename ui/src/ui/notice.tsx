/** What a page says when it has nothing to show, is not done yet, or something went wrong. */

import type { ComponentChildren } from 'preact';
import { ApiError, Unreachable } from '../api/client';
import { Icon } from './icon';
import { TokenForm } from './token-form';

interface EmptyProps {
  title: string;
  children?: ComponentChildren;
}

/** Nothing there: says why that may be, and what to do. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="notice" role="status">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <div class="notice notice-quiet" role="status">
      Loading {what} …
    </div>
  );
}

interface FailureProps {
  what: string;
  error: unknown;
  onRetry?: () => void;
}

/** Something failed: what, in the server's own words, and a way on. */
export function Failure({ what, error, onRetry }: FailureProps) {
  return (
    <div class="notice notice-bad" role="alert">
      <h2>
        <Icon name="failed" /> {headline(what, error)}
      </h2>
      {!isRefused(error) && <p>{error instanceof Error ? error.message : String(error)}</p>}
      {isRefused(error) && <TokenForm />}
      {onRetry && !isRefused(error) && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

function headline(what: string, error: unknown): string {
  if (error instanceof Unreachable) return 'No answer from the server';
  if (isRefused(error)) return 'This clew wants a token';
  if (error instanceof ApiError && error.status === 403) return `You may not see this ${what}`;
  if (error instanceof ApiError && error.status === 404) return `There is no such ${what}`;
  if (error instanceof ApiError && error.status === 400) return `The question for this ${what} was not understood`;
  return `The ${what} could not be loaded`;
}
