/** The frame around every page, and which address shows which. */

import { QueryClient, QueryClientProvider } from '@tanstack/preact-query';
import { type ComponentType, lazy, Suspense } from 'preact/compat';
import { Route, Switch } from 'wouter-preact';
import { ApiError } from './api/client';
import { ChangesPage } from './changes/page';
import { Arrival } from './ui/arrival';
import { Header } from './ui/header';
import { KeyHelp } from './ui/key-help';
import { Empty, Loading } from './ui/notice';
import { SafetyNet } from './ui/safety-net';

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // What the server refuses it refuses again; only silence is worth another try.
      retry: (failures, error) => !(error instanceof ApiError && error.status < 500) && failures < 3,
      staleTime: 5000,
      refetchOnWindowFocus: false,
    },
  },
});

/** Pages beyond the first are loaded when someone goes there. */
const PAGES: [path: string, page: ComponentType][] = [
  ['/journeys/:id', lazy(() => import('./journey/page').then((module) => ({ default: module.JourneyPage })))],
  ['/objects', lazy(() => import('./object/page').then((module) => ({ default: module.ObjectPage })))],
  ['/compare', lazy(() => import('./compare/page').then((module) => ({ default: module.ComparePage })))],
  ['/dashboards', lazy(() => import('./dashboards/page').then((module) => ({ default: module.DashboardsPage })))],
  ['/runs', lazy(() => import('./runs/page').then((module) => ({ default: module.RunsPage })))],
  ['/runs/:id', lazy(() => import('./runs/run-page').then((module) => ({ default: module.RunPage })))],
  ['/system', lazy(() => import('./system/page').then((module) => ({ default: module.SystemPage })))],
];

export function App() {
  return (
    <QueryClientProvider client={client}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header />
      <SafetyNet>
        <Suspense fallback={<Loading what="page" />}>
          <Switch>
            <Route path="/" component={ChangesPage} />
            {PAGES.map(([path, Page]) => (
              <Route key={path} path={path}>
                <Page />
              </Route>
            ))}
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
      </SafetyNet>
      <KeyHelp />
      <Arrival />
    </QueryClientProvider>
  );
}

function NotFound() {
  return (
    <main id="main">
      <Empty title="There is no such page">
        <p>
          The list of <a href="/">changes</a> is a good place to start from.
        </p>
      </Empty>
    </main>
  );
}
