/** A button that copies a text, and says so. */

import { useState } from 'preact/hooks';
import { Icon } from './icon';

interface Props {
  text: string;
  label: string;
}

export function CopyButton({ text, label }: Props) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await writeClipboard(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" class="quiet" onClick={copy} title={text.length < 300 ? text : label}>
      <Icon name="copy" /> <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </button>
  );
}

// The clipboard's own interface exists on secure pages only, and clew is often looked at over plain HTTP.
async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
