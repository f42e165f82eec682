/** What stands below the last line: more to come, nothing there, or what went wrong. */

import { type Filters, isEmpty } from '../api/filters';
import { Empty, Failure, Loading } from '../ui/notice';
import type { useChanges } from './use-changes';

interface Props {
  changes: ReturnType<typeof useChanges>;
  filters: Filters;
}

export function ListEnd({ changes, filters }: Props) {
  const { pages, rows } = changes;
  if (pages.isFetchingNextPage) return <Loading what="older changes" />;
  if (rows.length > 0) return null;
  if (pages.isPending) return <Loading what="changes" />;
  if (pages.isError) return <Failure what="list" error={pages.error} onRetry={() => void pages.refetch()} />;
  if (!isEmpty(filters)) {
    return (
      <Empty title="Nothing matches these filters">
        <p>Remove one above, or widen the time. New changes that match appear here by themselves.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No change seen yet">
      <p>
        Change something, for instance <code>kubectl create deployment web --image=nginx</code>, and it appears here. If
        it does not, the <a href="/system">System</a> page says which source is missing. To look around without a
        cluster, run <code>clew demo</code>.
      </p>
    </Empty>
  );
}
