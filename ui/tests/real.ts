/** A real clew, started from the binary at CLEW_BIN. A binary that was built without the page gets it from ui/dist; with CLEW_DIST=1 every one does. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createProbe } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Front } from './front';

/** The binary that is tested; tests that need one are skipped without. */
export const BINARY = process.env.CLEW_BIN;

const STARTS_WITHIN_MS = 60_000;

export class RealClew {
  private process: ChildProcess | undefined;
  private front: Front | undefined;
  readonly folder = mkdtempSync(join(tmpdir(), 'clew-ui-'));
  url = '';

  /** Starts `clew ...words` with addresses of its own, and returns when it is ready. */
  async start(words: string[]): Promise<void> {
    const [http, grpc, otlp] = await Promise.all([freePort(), freePort(), freePort()]);
    const at = (port: number) => `127.0.0.1:${port}`;
    const flags = ['--http', at(http), '--otlp-grpc', at(grpc), '--otlp-http', at(otlp)];
    const own = [...flags, '--key-file', join(this.folder, 'key'), '--no-open'];
    this.process = spawn(BINARY ?? 'clew', [...words, ...own], { stdio: ['ignore', 'ignore', 'inherit'] });
    this.url = `http://${at(http)}`;
    await until(`${this.url}/readyz`, (response) => response.ok);
    await this.bringPage();
  }

  /** The page from ui/dist, where the binary has none, or where that one is wanted. */
  async bringPage(): Promise<void> {
    const page = await (await fetch(this.url)).text();
    if (page.includes('id="app"') && !process.env.CLEW_DIST) return;
    this.front = new Front(this.url);
    this.url = await this.front.start();
  }

  /** Where clew itself is, whoever serves the page. */
  get behind(): string {
    return this.front?.behind ?? this.url;
  }

  async stop(): Promise<void> {
    await this.front?.stop();
    this.process?.kill('SIGINT');
    if (this.process && this.process.exitCode === null)
      await new Promise((resolve) => this.process?.on('exit', resolve));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Asks until the answer is good. */
export async function until(url: string, good: (response: Response) => boolean | Promise<boolean>): Promise<void> {
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
