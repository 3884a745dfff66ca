import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What the bank does to a call.
 * - `answers`: it does what it is asked
 * - `cuts`: the connection ends before it has heard anything
 * - `fails`: it says 503 instead
 * - `loses`: it does it, and the connection ends in place of the answer
 * - `failsLate`: it does it, and says 503
 * - `slow`: it does it, and answers after a while
 * - `late`: it does it after a while
 * - `silent`: it does it, and never answers
 */
const FAULTS = ['cuts', 'fails', 'loses', 'failsLate', 'slow', 'late'] as const;
type Fault = (typeof FAULTS)[number] | 'answers' | 'silent';

/** Part of the calls that go wrong. */
const FAILING = 0.6;
const SILENT = 0.02;
const SLOW_MS = 800;

/**
 * A bank that refunds over HTTP, on the worst of lines. It pays each call that it hears, whether or not it has paid the
 * same refund before, so that whoever calls twice pays twice.
 */
export class RefundingBank {
  /** Amounts that it has paid, by refund. */
  readonly paid = new Map<string, number[]>();
  /** How often it did what to a call. */
  readonly faults: Record<string, number> = {};
  isWell = false;
  private underWay = 0;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.hear(request, response));
  }

  static async open(): Promise<RefundingBank> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new RefundingBank(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Payments that it has heard of, and not made yet: their callers may be dead. */
  get isBusy(): boolean {
    return this.underWay > 0;
  }

  get calls(): number {
    return Object.values(this.faults).reduce((sum, times) => sum + times, 0);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.draw();
    this.faults[fault] = (this.faults[fault] ?? 0) + 1;
    if (fault === 'cuts') return void request.destroy();
    if (fault === 'fails') return void response.writeHead(503).end();
    this.underWay += 1;
    try {
      const body = await text(request).catch(() => null);
      if (fault === 'late') await sleep(Math.random() * SLOW_MS);
      // A question that did not arrive whole was not heard.
      if (body === null) return;
      const answer = request.method === 'POST' ? this.pay(body) : this.look(request.url!.slice(1));
      await this.answer(response, fault, answer);
    } finally {
      this.underWay -= 1;
    }
  }

  private async answer(response: ServerResponse, fault: Fault, answer: object): Promise<void> {
    if (fault === 'silent') return;
    if (fault === 'loses') return void response.destroy();
    if (fault === 'slow') await sleep(Math.random() * SLOW_MS);
    response.writeHead(fault === 'failsLate' ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  }

  private pay(body: string): object {
    const { id, amount } = JSON.parse(body) as { id: string; amount: number };
    this.paid.set(id, [...(this.paid.get(id) ?? []), amount]);
    return { kind: this.isWell || Math.random() < 0.5 ? 'succeeded' : 'pending', reference: id };
  }

  private look(id: string): object {
    return this.paid.has(id) ? { kind: 'succeeded', reference: id } : { kind: 'absent' };
  }

  private draw(): Fault {
    if (this.isWell) return 'answers';
    if (Math.random() < SILENT) return 'silent';
    return Math.random() < FAILING ? FAULTS[Math.floor(Math.random() * FAULTS.length)]! : 'answers';
  }
}
