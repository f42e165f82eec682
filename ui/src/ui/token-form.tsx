/** Asks for the token that this clew wants; the server keeps it in a cookie, so that the live stream brings it along too. */

import { useState } from 'preact/hooks';
import { bringToken } from '../api/client';

type Phase = 'idle' | 'asking' | 'refused' | 'unreachable';

const TROUBLE: Partial<Record<Phase, string>> = {
  refused: 'This clew does not know that token.',
  unreachable: 'The server does not answer: try again.',
};

export function TokenForm() {
  const [token, setToken] = useState('');
  const [phase, setPhase] = useState<Phase>('idle');
  const submit = async (event: Event) => {
    event.preventDefault();
    if (token.trim() === '') return;
    setPhase('asking');
    try {
      if (!(await bringToken(token.trim()))) return setPhase('refused');
      // Everything that was refused is asked again, the stream with it.
      location.reload();
    } catch {
      setPhase('unreachable');
    }
  };
  return (
    <form class="token-form" onSubmit={(event) => void submit(event)}>
      <label>
        Token{' '}
        <input
          type="password"
          autocomplete="current-password"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary" disabled={phase === 'asking'}>
        Go on
      </button>
      <p class="quiet-text">
        It is kept until the browser is closed. Whoever runs this clew knows its own: <code>--token-file</code> names
        the file, and the address that clew prints when it starts brings it along. If clew knows the users of its
        cluster, your own token for the cluster shows what you may read there: <code>kubectl create token ACCOUNT</code>
        .
      </p>
      {TROUBLE[phase] && (
        <p class="bad" role="alert">
          {TROUBLE[phase]}
        </p>
      )}
    </form>
  );
}
