/** A card with a title. */

import type { ComponentChildren } from 'preact';

interface Props {
  title: string;
  /** Takes all the width that there is. */
  wide?: boolean;
  children: ComponentChildren;
}

export function Section({ title, wide = false, children }: Props) {
  return (
    <section class={`card ${wide ? 'wide' : ''}`} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
