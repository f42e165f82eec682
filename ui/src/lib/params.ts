/** Parts of a page's state that live in its link. */

import { useLocation, useSearch } from 'wouter-preact';

export type Params = Record<string, string | undefined>;

/** The link's parameters, and a function that changes some of them; `undefined` takes one away. */
export function useParams(): [URLSearchParams, (change: Params, keepHistory?: boolean) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const change = (changed: Params, keepHistory = false) => {
    // The link may have changed since the last drawing: what counts is the address itself.
    const params = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(changed)) {
      if (value === undefined || value === '') params.delete(name);
      else params.set(name, value);
    }
    const query = params.toString();
    navigate(query ? `${path}?${query}` : path, { replace: !keepHistory });
  };
  return [new URLSearchParams(search), change];
}
