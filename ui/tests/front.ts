/** Serves the built page, and passes everything else on to a clew. */

import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveFile } from './fixture/server';

export class Front {
  private server: Server | undefined;

  constructor(readonly behind: string) {}

  async start(): Promise<string> {
    const server = createServer((request, response) => {
      const path = request.url ?? '/';
      if (!path.startsWith('/api/')) return void serveFile(new URL(path, this.behind).pathname, response);
      const target = new URL(path, this.behind);
      const headers = { ...request.headers, host: target.host };
      const passed = forward(target, { method: request.method ?? 'GET', headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        // A stream that has nothing to say yet is open all the same.
        response.flushHeaders();
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      response.on('close', () => passed.destroy());
      request.pipe(passed);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.server = server;
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}
