/** A table that scrolls sideways where it does not fit; by keyboard, too. */

import type { ComponentChildren } from 'preact';

interface Props {
  label: string;
  class?: string;
  children: ComponentChildren;
}

export function ScrollTable({ label, class: extra = '', children }: Props) {
  return (
    <section class={`table-scroll ${extra}`} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
