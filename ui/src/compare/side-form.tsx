/** Says what is compared; the link follows. */

import { useEffect, useState } from 'preact/hooks';
import { parseSide, type Side, sideText } from './sides';

interface Props {
  a: Side | undefined;
  b: Side | undefined;
  onCompare: (a: Side | undefined, b: Side | undefined) => void;
}

export function SideForm({ a, b, onCompare }: Props) {
  const [texts, setTexts] = useState({ a: sideText(a), b: sideText(b) });
  useEffect(() => setTexts({ a: sideText(a), b: sideText(b) }), [sideText(a), sideText(b)]);
  const submit = (event: Event) => {
    event.preventDefault();
    onCompare(parseSide(texts.a), parseSide(texts.b));
  };
  return (
    <form class="side-form" onSubmit={submit}>
      {(['a', 'b'] as const).map((name) => (
        <label key={name}>
          <span class="side-mark">{name.toUpperCase()}</span>
          <input
            value={texts[name]}
            aria-label={`Side ${name.toUpperCase()}: a journey's id, or filters`}
            placeholder={
              name === 'a' ? 'a journey’s id, or namespace:shop since:25h until:24h' : 'namespace:shop since:1h'
            }
            onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
          />
        </label>
      ))}
      <button type="submit" class="primary">
        Compare
      </button>
      <button type="button" onClick={() => onCompare(b, a)}>
        Swap
      </button>
    </form>
  );
}
