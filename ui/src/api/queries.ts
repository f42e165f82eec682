/** Every question that the page asks, in one place: its key, its address, how long its answer is good for. */

import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/preact-query';
import { getJson } from './client';
import { type Filters, writeFilters } from './filters';
import type {
  Comparison,
  Detail,
  Heatmap,
  Histogram,
  JourneyPage,
  ObjectHistory,
  Run,
  RunDetail,
  Stats,
  Status,
} from './types';

const PAGE_SIZE = 200;

function joinQuery(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('&');
}

export function journeysQuery(filters: Filters) {
  const query = writeFilters(filters);
  return infiniteQueryOptions({
    queryKey: ['journeys', query],
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam ? `cursor=${encodeURIComponent(pageParam)}` : '';
      return getJson<JourneyPage>('/journeys', joinQuery(query, `limit=${PAGE_SIZE}`, cursor), signal);
    },
    initialPageParam: '',
    getNextPageParam: (last: JourneyPage) => last.next ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function journeyListQuery(filters: Filters, limit: number) {
  const query = joinQuery(writeFilters(filters), `limit=${limit}`);
  return queryOptions({
    queryKey: ['journeyList', query],
    queryFn: ({ signal }) => getJson<JourneyPage>('/journeys', query, signal),
    placeholderData: keepPreviousData,
  });
}

export function histogramQuery(filters: Filters, buckets: number) {
  const query = joinQuery(writeFilters(filters), `buckets=${buckets}`);
  return queryOptions({
    queryKey: ['histogram', query],
    queryFn: ({ signal }) => getJson<Histogram>('/histogram', query, signal),
    placeholderData: keepPreviousData,
  });
}

export function journeyQuery(id: string) {
  return queryOptions({
    queryKey: ['journey', id],
    queryFn: ({ signal }) => getJson<Detail>(`/journeys/${encodeURIComponent(id)}`, '', signal),
  });
}

export function valuesQuery(field: string, prefix: string) {
  const query = joinQuery(`prefix=${encodeURIComponent(prefix)}`, 'limit=20');
  return queryOptions({
    queryKey: ['values', field, prefix],
    queryFn: ({ signal }) => getJson<{ values: string[] }>(`/values/${encodeURIComponent(field)}`, query, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

export function objectQuery(search: string) {
  return queryOptions({
    queryKey: ['object', search],
    queryFn: ({ signal }) => getJson<ObjectHistory>('/objects', search, signal),
    // Conditions are those of now, so they are asked for again while someone looks.
    refetchInterval: 5000,
  });
}

export function compareQuery(search: string) {
  return queryOptions({
    queryKey: ['compare', search],
    queryFn: ({ signal }) => getJson<Comparison>('/compare', search, signal),
  });
}

export interface StatsQuestion {
  of: 'journeys' | 'spans' | 'runs';
  by: string[];
  /** Without one, all time is one point. */
  bucket?: string;
  limit?: number;
}

export function statsQuery(question: StatsQuestion, filters: Filters) {
  const params = new URLSearchParams({ of: question.of, limit: String(question.limit ?? 20) });
  if (question.bucket) params.set('bucket', question.bucket);
  if (question.by.length > 0) params.set('by', question.by.join(','));
  const query = joinQuery(params.toString(), writeFilters(filters));
  return queryOptions({
    queryKey: ['stats', query],
    queryFn: ({ signal }) => getJson<Stats>('/stats', query, signal),
    placeholderData: keepPreviousData,
  });
}

export function heatmapQuery(bucket: string | undefined, filters: Filters) {
  const query = joinQuery(bucket ? `bucket=${bucket}` : '', writeFilters(filters));
  return queryOptions({
    queryKey: ['heatmap', query],
    queryFn: ({ signal }) => getJson<Heatmap>('/heatmap', query, signal),
    placeholderData: keepPreviousData,
  });
}

export function runsQuery(search: string) {
  return queryOptions({
    queryKey: ['runs', search],
    queryFn: ({ signal }) => getJson<{ runs: Run[] }>('/runs', search, signal),
    placeholderData: keepPreviousData,
  });
}

export function runQuery(id: string) {
  return queryOptions({
    queryKey: ['run', id],
    queryFn: ({ signal }) => getJson<RunDetail>(`/runs/${encodeURIComponent(id)}`, '', signal),
  });
}

export function statusQuery() {
  return queryOptions({
    queryKey: ['status'],
    queryFn: ({ signal }) => getJson<Status>('/status', '', signal),
    refetchInterval: 5000,
  });
}
