import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** Every stranger comes from a loopback address of his own. */
export const FROM = {
  merchant: '127.0.0.1',
  sockets: '127.0.0.2',
  keys: '127.0.0.3',
  signIns: '127.0.0.4',
  attacker: '127.0.0.5',
} as const;

const TIMEOUT_MS = 15_000;
const agents = new Map<string, Agent>();

export interface Answer {
  /** 0 when there was none. */
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly cookie: string;
  readonly body: string;
}

export interface Ask {
  readonly from: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const NOTHING: Answer = { status: 0, retryAfter: undefined, cookie: '', body: '' };

/** One request from an address; whatever goes wrong is no answer. */
export async function ask(url: string, { from, body, ...rest }: Ask): Promise<Answer> {
  const agent = agents.get(from) ?? new Agent({ keepAlive: true, maxSockets: 30 });
  agents.set(from, agent);
  const sent = request(url, { agent, localAddress: from, timeout: TIMEOUT_MS, ...rest });
  sent.on('timeout', () => sent.destroy());
  sent.end(body);
  try {
    const [reply] = await once(sent, 'response');
    return {
      status: reply.statusCode,
      retryAfter: reply.headers['retry-after'],
      cookie: (reply.headers['set-cookie'] ?? []).map((c: string) => c.split(';')[0]).join('; '),
      body: await text(reply),
    };
  } catch {
    return NOTHING;
  }
}

export const closeAgents = (): void => {
  for (const agent of agents.values()) agent.destroy();
};

/** A bare connection that reads nothing until it is told to. */
export function openSocket(url: string, from: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  return socket.on('error', () => undefined).pause();
}
