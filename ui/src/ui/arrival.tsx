/** What happens on arrival at another page: it gets a title and the focus, as a page that a browser loads does. */

import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

/** A page's code may have to be loaded first. */
const PATIENCE_FRAMES = 120;

export function Arrival() {
  const [path] = useLocation();
  const first = useRef(true);
  useEffect(() => {
    // A page that has no better title of its own is called by its place.
    const place = path.split('/')[1];
    document.title = place ? `${place[0]?.toUpperCase()}${place.slice(1)} · clew` : 'Changes · clew';
    if (!first.current) return focusMain();
    first.current = false;
  }, [path]);
  return null;
}

/** Without it, a keyboard or a screen reader would stay on a link that is gone. */
function focusMain(): () => void {
  let frames = 0;
  let request = 0;
  const tryIt = () => {
    const main = document.getElementById('main');
    if (main) {
      main.tabIndex = -1;
      main.focus({ preventScroll: true });
    } else if (frames++ < PATIENCE_FRAMES) request = requestAnimationFrame(tryIt);
  };
  request = requestAnimationFrame(tryIt);
  return () => cancelAnimationFrame(request);
}
