import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { at } from '../figures/statistics.js';
import { Answers } from './answers.js';

/** What is asked of a server, and how hard. */
export interface Plan {
  readonly port: number;
  /** Each of them asks, waits for its answer, and asks again. */
  readonly connections: number;
  readonly seconds: number;
  /** As bytes, in their order. */
  readonly requests: readonly string[];
  /** Whether they begin anew at their end; otherwise the rush ends with the last one. */
  readonly circular: boolean;
  /** The status of every right answer. */
  readonly expected: number;
}

export interface Rush {
  readonly requests: number;
  /** From the first request to the last answer. */
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of the process that asked. */
  readonly cpuMs: number;
  /** Answers that were not as expected, and how often each came. */
  readonly wrong: Readonly<Record<string, number>>;
}

/** A server that says nothing for so long will not speak any more. */
const SILENCE_MS = 20_000;
const WORDS_MAX = 90;

/** Asks as planned, on connections that are open before the clock starts. */
export async function rush(plan: Plan): Promise<Rush> {
  const sockets = await Promise.all(
    Array.from({ length: plan.connections }, () => open(plan.port)),
  );
  const course = new Course(plan);
  const cpu = process.cpuUsage();
  const start = performance.now();
  course.until = start + plan.seconds * 1_000;
  try {
    await Promise.all(sockets.map((socket) => course.run(socket)));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const seconds = (course.lastAnswer - start) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const times = course.times.toSorted((a, b) => a - b);
  const { wrong } = course;
  const [p50Ms, p99Ms] = [at(times, 0.5), at(times, 0.99)];
  return { requests: times.length, seconds, p50Ms, p99Ms, cpuMs: (user + system) / 1_000, wrong };
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('the server is silent')));
}

/** The requests of all connections together. */
class Course {
  readonly times: number[] = [];
  readonly wrong: Record<string, number> = {};
  until = 0;
  lastAnswer = 0;
  private next = 0;

  constructor(private readonly plan: Plan) {}

  /** Ends after the last answer to this connection. */
  run(socket: Socket): Promise<void> {
    return new Promise((resolve, reject) => {
      const answers = new Answers();
      let asked = 0;
      const ask = (): void => {
        const request = this.take();
        if (request === undefined) return resolve();
        asked = performance.now();
        socket.write(request);
      };
      socket.on('data', (bytes) => {
        try {
          const answer = answers.take(bytes);
          if (!answer) return;
          this.lastAnswer = performance.now();
          this.times.push(this.lastAnswer - asked);
          if (answer.status !== this.plan.expected) this.note(answer.status, answer.body);
        } catch (error) {
          return reject(error);
        }
        ask();
      });
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('the server has closed a connection')));
      ask();
    });
  }

  private take(): string | undefined {
    const { requests, circular } = this.plan;
    if (performance.now() >= this.until) return undefined;
    if (this.next === requests.length && circular) this.next = 0;
    return requests[this.next++];
  }

  private note(status: number, body: Buffer): void {
    const words = `${status} ${body.toString('utf8', 0, WORDS_MAX).replaceAll(/\s+/g, ' ')}`;
    const known = Object.keys(this.wrong).find((other) => other.startsWith(String(status)));
    this.wrong[known ?? words] = (this.wrong[known ?? words] ?? 0) + 1;
  }
}
