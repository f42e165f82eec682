/**
 * A real clew with the journeys of `clew demo`: the one at CLEW_URL, or one that is started from the binary at CLEW_BIN.
 * A binary that was built without the page gets it from ui/dist; with CLEW_DIST=1 every one does.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createProbe } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Front } from './front';

export const HAS_DEMO = Boolean(process.env.CLEW_URL || process.env.CLEW_BIN);

/** The demo plays two minutes of a cluster's life; at this speed it is over in seconds. */
const FAST = '40';
const STARTS_WITHIN_MS = 60_000;

export class Demo {
  private process: ChildProcess | undefined;
  private front: Front | undefined;
  private folder: string | undefined;
  url = '';

  constructor(
    private readonly speed = FAST,
    private readonly journeys = 10,
  ) {}

  async start(): Promise<void> {
    this.url = process.env.CLEW_URL ?? (await this.spawn(process.env.CLEW_BIN ?? 'clew'));
    await until(`${this.url}/readyz`, (response) => response.ok);
    await until(`${this.url}/api/v1/journeys?limit=50`, async (response) => {
      const { journeys } = (await response.json()) as { journeys: { state: string }[] };
      return journeys.length >= this.journeys && journeys.some(({ state }) => state === 'converged');
    });
    const page = await (await fetch(this.url)).text();
    if (page.includes('id="app"') && !process.env.CLEW_DIST) return;
    this.front = new Front(this.url);
    this.url = await this.front.start();
  }

  async stop(): Promise<void> {
    await this.front?.stop();
    this.process?.kill('SIGINT');
    if (this.process && this.process.exitCode === null)
      await new Promise((resolve) => this.process?.on('exit', resolve));
    if (this.folder) rmSync(this.folder, { recursive: true, force: true });
  }

  private async spawn(binary: string): Promise<string> {
    const [http, grpc, otlp] = await Promise.all([freePort(), freePort(), freePort()]);
    this.folder = mkdtempSync(join(tmpdir(), 'clew-ui-'));
    const at = (port: number) => `127.0.0.1:${port}`;
    const flags = [
      '--http',
      at(http),
      '--otlp-grpc',
      at(grpc),
      '--otlp-http',
      at(otlp),
      '--key-file',
      join(this.folder, 'key'),
    ];
    this.process = spawn(
      binary,
      ['demo', '--no-open', '--speed', this.speed, '--data', join(this.folder, 'data'), ...flags],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    return `http://${at(http)}`;
  }
}

async function until(url: string, good: (response: Response) => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + STARTS_WITHIN_MS;
  while (Date.now() < deadline) {
    try {
      const response = await fetch(url);
      if (await good(response)) return;
    } catch {
      // Not there yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${url} did not give what was waited for within ${STARTS_WITHIN_MS / 1000} s`);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createProbe().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
