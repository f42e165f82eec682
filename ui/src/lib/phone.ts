/** Whether the window is as narrow as a phone's. */

import { useEffect, useState } from 'preact/hooks';

/** The same width as in the style sheets. */
const NARROW = '(max-width: 640px)';

export function usePhone(): boolean {
  const [phone, setPhone] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const update = () => setPhone(query.matches);
    query.addEventListener('change', update);
    return () => query.removeEventListener('change', update);
  }, []);
  return phone;
}
