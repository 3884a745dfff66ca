import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * What becomes of one request.
 * - `passes`: it is answered by the service
 * - `cuts`: the service does what is asked, and the answer is lost
 * - `swallows`: the service never hears of it, and nothing is answered
 * - `unavailable`, `gateway`: something in between answers, a problem with `Retry-After: 1` or a page
 */
export type Fate = 'passes' | 'cuts' | 'swallows' | 'unavailable' | 'gateway';

/** HTTP to the service through something that fails as it is told, request after request. */
export class ShakyLine {
  /** Of the next requests; those after them pass. */
  fates: Fate[] = [];
  readonly requests: {
    readonly method: string;
    readonly key: string | undefined;
    readonly at: number;
  }[] = [];

  private constructor(
    private readonly target: string,
    private readonly server: Server,
  ) {}

  static async to(target: string): Promise<ShakyLine> {
    const server = createServer();
    const line = new ShakyLine(target, server);
    server.on('request', (request, response) => {
      void line.handle(request, response).catch(() => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const key = headers['idempotency-key'] as string | undefined;
    this.requests.push({ method, key, at: performance.now() });
    const fate = this.fates.shift() ?? 'passes';
    const body = await buffer(request);
    if (fate === 'swallows') return;
    if (fate === 'gateway') {
      return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway');
    }
    if (fate === 'unavailable') {
      const problem = { status: 503, code: 'unavailable', detail: 'Away.', retryable: true };
      return void response
        .writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '1' })
        .end(JSON.stringify(problem));
    }
    const passed = Object.entries(headers).filter(
      ([name]) => !/^(host|connection|content-length)$/.test(name),
    );
    const answer = await fetch(this.target + url, {
      method,
      headers: Object.fromEntries(passed) as Record<string, string>,
      ...(body.length > 0 ? { body } : {}),
    });
    const text = await answer.text();
    if (fate === 'cuts') return void request.socket.destroy();
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'text/plain',
    });
    response.end(text);
  }
}
