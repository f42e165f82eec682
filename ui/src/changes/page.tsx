/** Changes: what happened in the cluster, newest first, live. The home page. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { type Filters, readFilters, writeFilters } from '../api/filters';
import { usePhone } from '../lib/phone';
import { rememberedScroll, useScrollMemory } from '../lib/scroll-memory';
import { useVirtualRows } from '../lib/virtual';
import { Icon } from '../ui/icon';
import { Failure } from '../ui/notice';
import { FilterBar } from './filter-bar';
import { linesOf } from './groups';
import { TimeHistogram } from './histogram';
import { LineView } from './line';
import { ListEnd } from './list-end';
import { LiveMark } from './live-mark';
import { useChanges } from './use-changes';
import { useLineSelection } from './use-line-selection';

/** Two lines of text; one more on a phone. */
const ROW_HEIGHT = 58;
const PHONE_ROW_HEIGHT = 92;
const LOAD_AHEAD = 60;

export function ChangesPage() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const filters = readFilters(search);
  const setFilters = (next: Filters) => {
    const query = writeFilters(next);
    navigate(query ? `/?${query}` : '/');
  };
  const [scrolled, setScrolled] = useState(false);
  const changes = useChanges(filters, scrolled);
  const [openCommands, setOpenCommands] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(() => linesOf(changes.rows, openCommands), [changes.rows, openCommands]);
  const scroller = useRef<HTMLElement>(null);
  const phone = usePhone();
  const rows = useVirtualRows({
    count: lines.length,
    scroller,
    rowHeight: () => (phone ? PHONE_ROW_HEIGHT : ROW_HEIGHT),
    keyOf: (index) => lines[index]?.key ?? String(index),
    initialOffset: () => rememberedScroll(search),
  });
  const selected = useLineSelection(lines, rows, scroller);
  useScrollMemory(search, scroller);

  const toggleCommand = (command: string) => {
    const next = new Set(openCommands);
    if (!next.delete(command)) next.add(command);
    setOpenCommands(next);
  };

  const { pages } = changes;
  const lastVisible = rows.items.at(-1)?.index ?? 0;
  useEffect(() => {
    const near = lines.length - lastVisible < LOAD_AHEAD;
    if (near && pages.hasNextPage && !pages.isFetchingNextPage && !pages.isError) void pages.fetchNextPage();
  }, [lastVisible, lines.length, pages.hasNextPage, pages.isFetchingNextPage]);

  const toTop = () => {
    scroller.current?.scrollTo({ top: 0 });
    setScrolled(false);
  };

  return (
    <main class="changes" id="main">
      <div class="changes-head">
        <h1>Changes</h1>
        <LiveMark liveness={changes.liveness} />
      </div>
      <FilterBar filters={filters} onChange={setFilters} />
      <TimeHistogram filters={filters} onChange={setFilters} live={changes.live} />
      {pages.isError && changes.rows.length > 0 && (
        <Failure what="list" error={pages.error} onRetry={() => void pages.refetch()} />
      )}
      {changes.heldBack > 0 && (
        <button type="button" class="held-back" onClick={toTop}>
          <Icon name="up" /> {changes.heldBack} new
        </button>
      )}
      <section
        class="lines"
        ref={scroller}
        onScroll={(event) => setScrolled(event.currentTarget.scrollTop > ROW_HEIGHT)}
        tabIndex={0}
        aria-label="Changes, newest first"
      >
        <ul class="virtual" style={{ height: `${rows.totalSize}px` }}>
          {rows.items.map((item) => {
            const line = lines[item.index];
            if (!line) return null;
            return (
              <li
                key={item.key}
                data-index={item.index}
                class={`virtual-row ${item.index === selected ? 'selected' : ''}`}
                style={{ transform: `translateY(${item.start}px)`, height: `${item.size}px` }}
                aria-setsize={pages.hasNextPage ? -1 : lines.length}
                aria-posinset={item.index + 1}
              >
                <LineView line={line} onToggle={toggleCommand} />
              </li>
            );
          })}
        </ul>
        <ListEnd changes={changes} filters={filters} />
      </section>
    </main>
  );
}
