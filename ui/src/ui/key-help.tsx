/** The keys, shown when someone presses `?`. */

import { useRef } from 'preact/hooks';
import { useKeys } from '../lib/keys';
import { Icon } from './icon';

const KEYS: [where: string, keys: [key: string, does: string][]][] = [
  [
    'Changes',
    [
      ['j, k', 'next and previous line'],
      ['Enter', 'open the journey, or the command'],
      ['/', 'search'],
    ],
  ],
  [
    'Journey',
    [
      ['/', 'find in it; n and N go on and back'],
      ['e, E', 'next and previous error'],
      ['+, −, 0', 'zoom in, out, show all'],
      ['arrows', 'walk the waterfall; left and right close and open'],
      ['Enter', 'details of the row'],
      ['ctrl and wheel', 'zoom where the pointer is; shift and wheel moves'],
    ],
  ],
];

export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys({ '?': () => dialog.current?.showModal() });
  return (
    <dialog ref={dialog} class="key-help" aria-labelledby="keys-title">
      <div>
        <h2 id="keys-title">Keys</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </div>
      {KEYS.map(([where, keys]) => (
        <section key={where}>
          <h3>{where}</h3>
          <dl>
            {keys.map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </dialog>
  );
}
