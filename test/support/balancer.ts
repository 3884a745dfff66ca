import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Milliseconds between two questions whether a process is ready. */
const CHECK_MS = 500;

/** Sends each request to the next of the processes that are ready, once, on connections that it keeps. */
export class Balancer {
  private readonly agent = new http.Agent({ keepAlive: true });
  private readonly ready = new Set<string>();
  private readonly server = http.createServer((request, response) => this.pass(request, response));
  private readonly timer = setInterval(() => void this.check(), CHECK_MS);
  private turn = 0;

  private constructor(private readonly targets: readonly string[]) {}

  static async start(targets: readonly string[]): Promise<Balancer> {
    const balancer = new Balancer(targets);
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    await balancer.check();
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    clearInterval(this.timer);
    this.server.closeAllConnections();
    this.server.close();
    this.agent.destroy();
  }

  has(target: string): boolean {
    return this.ready.has(target);
  }

  private async check(): Promise<void> {
    await Promise.all(
      this.targets.map(async (target) => {
        const answer = await fetch(`${target}/health/ready`).catch(() => undefined);
        if (answer?.ok) this.ready.add(target);
        else this.ready.delete(target);
      }),
    );
  }

  private pass(request: http.IncomingMessage, response: http.ServerResponse): void {
    const ready = [...this.ready];
    const target = ready[this.turn++ % ready.length];
    const fail = () => response.writeHead(502).end('no process answered');
    if (!target) return void fail();
    const { method, headers, url = '/' } = request;
    const passed = http.request(target + url, { method, headers, agent: this.agent });
    passed.once('response', (answer) => {
      response.writeHead(answer.statusCode!, { 'content-type': answer.headers['content-type'] });
      answer.pipe(response);
    });
    passed.once('error', fail);
    request.pipe(passed);
  }
}
