import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { keyOfCommand } from '../config/key-of-command.js';
import { LATEST } from '../notifications/dto/event-query.js';
import type { EventPageResponse, EventResponse } from '../contract/event.response.js';
import { signatureHeaders } from '../notifications/webhooks/webhook-signature.js';
import { type Command, CommandError } from './command.js';
import * as inputs from './inputs.js';
import { UsageError } from './options.js';

/** Milliseconds between polls of an empty feed. */
const POLL_MS = 1_000;
/** Milliseconds before a retry, first and maximum; doubles with each. */
const PAUSE_MS = { first: 1_000, max: 30_000 } as const;
/** Timeout in milliseconds of service and receiver, as for webhooks. */
const TIMEOUT_MS = 15_000;
/** Events per page. */
const LIMIT = 100;

const STANDARD_URL = 'http://127.0.0.1:3000';

interface Settings {
  readonly forwardTo: string;
  readonly apiKey: string;
  /** URL of the service. */
  readonly url: string;
  readonly types: string | undefined;
  readonly json: boolean;
}

/** Derives a stable secret from a key, without revealing the key. */
export const secretFor = (apiKey: string): string =>
  `whsec_${createHmac('sha256', apiKey).update('webhooks of listen').digest('base64')}`;

/** Reads the event feed like any client, and posts each event as a webhook. */
class Listener {
  private readonly secret: string;

  constructor(
    private readonly settings: Settings,
    private readonly stop: AbortSignal,
  ) {
    this.secret = secretFor(settings.apiKey);
  }

  /** Ends only on the signal, or on an error that a retry cannot change. */
  async run(): Promise<void> {
    const { forwardTo } = this.settings;
    this.say({ secret: this.secret, forwardTo }, `Webhooks are signed with ${this.secret}`);
    let { next } = await this.page(LATEST);
    this.say({ listening: true }, `Forwarding to ${forwardTo}; Ctrl-C ends it.`);
    while (!this.stop.aborted) {
      const page = await this.page(next);
      for (const event of page.data) await this.forward(event);
      ({ next } = page);
      if (!page.hasMore) await this.pause(POLL_MS);
    }
  }

  private page(after: string | null): Promise<EventPageResponse> {
    const { url, apiKey, types } = this.settings;
    const query = new URLSearchParams({ limit: String(LIMIT) });
    if (after !== null) query.set('after', after);
    if (types !== undefined) query.set('type', types);
    return this.withRetries(`The service at ${url}`, async (signal) => {
      const headers = { authorization: `Bearer ${apiKey}` };
      const response = await fetch(`${url}/api/event?${query}`, { headers, signal });
      return pageOf(response.status, await response.text(), url);
    });
  }

  private async forward(event: EventResponse): Promise<void> {
    const { id, type, timestamp, sequence, data } = event;
    const { forwardTo } = this.settings;
    const body = JSON.stringify(event);
    const status = await this.withRetries(forwardTo, async (signal) => {
      const secrets = { secret: this.secret, previousSecret: null, previousSecretUntil: null };
      const signature = signatureHeaders(secrets, id, body, new Date());
      const headers = { 'content-type': 'application/json', ...signature };
      const request = { method: 'POST', redirect: 'manual', headers, body, signal } as const;
      const response = await fetch(forwardTo, request);
      await response.body?.cancel();
      return response.status;
    });
    const subject = 'txid' in data ? { txid: data.txid } : { payoutId: data.id };
    const [name] = Object.values(subject);
    this.say(
      { id, type, sequence, ...subject, status },
      `${timestamp}  ${type}  ${name}  ${status}`,
    );
  }

  /** Retries until it works, with growing pauses. */
  private async withRetries<T>(who: string, work: (signal: AbortSignal) => Promise<T>) {
    for (let pause: number = PAUSE_MS.first; ; pause = Math.min(pause * 2, PAUSE_MS.max)) {
      try {
        return await work(AbortSignal.any([this.stop, AbortSignal.timeout(TIMEOUT_MS)]));
      } catch (error) {
        if (this.stop.aborted || error instanceof CommandError) throw error;
        console.error(`${who} ${whatFailed(error)}: trying again in ${pause / 1_000} s.`);
        await this.pause(pause);
      }
    }
  }

  private pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.stop });
  }

  private say(json: object, text: string): void {
    console.log(this.settings.json ? JSON.stringify(json) : text);
  }
}

/** Error response for which a retry can help. */
class RetryableError extends Error {}

/**
 * @throws RetryableError if a retry can help
 * @throws CommandError if a retry would have the same result
 */
function pageOf(status: number, text: string, url: string): EventPageResponse {
  const body = parse(text);
  if (status === 200 && Array.isArray(body?.['data'])) return body as unknown as EventPageResponse;
  if (status >= 500 || body?.['retryable'] === true) throw new RetryableError(`answers ${status}`);
  const detail = body?.['detail'];
  throw new CommandError(
    typeof detail === 'string' ? detail : `There is no payment order service at ${url}.`,
  );
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function whatFailed(error: unknown): string {
  if (error instanceof RetryableError) return error.message;
  const { name, message, cause } = error as Error & { cause?: { code?: string } };
  if (name === 'TimeoutError') return `gave no answer within ${TIMEOUT_MS / 1_000} s`;
  return `cannot be reached (${cause?.code ?? message})`;
}

async function untilStopped(settings: Settings): Promise<undefined> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  await new Listener(settings, stop.signal).run().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
}

/** @throws UsageError */
function testKey(): string {
  const key = keyOfCommand();
  const { TEST_KEY } = inputs;
  if (key === '')
    throw new UsageError(`API_KEY is missing in the environment: ${TEST_KEY.expects}.`);
  if (TEST_KEY.parse(key) === undefined)
    throw new UsageError(`API_KEY must be ${TEST_KEY.expects}.`);
  return key;
}

export const listen: Command = {
  name: 'listen',
  usage:
    '--forward-to http://localhost:4000/hook\n' +
    `      [--url ${STANDARD_URL}] [--types order.paid,order.failed]`,
  help:
    'Forwards test events, signed like webhooks, to a program under development, until Ctrl-C.\n' +
    '      The test key is API_KEY in the environment.',
  options: ['forward-to', 'url', 'types'],
  prepare: (options, json) => {
    const settings = {
      forwardTo: options.required('forward-to', inputs.HTTP_URL),
      apiKey: testKey(),
      url: (options.optional('url', inputs.HTTP_URL) ?? STANDARD_URL).replace(/\/+$/, ''),
      types: options.optional('types', inputs.EVENT_TYPE_LIST),
      json,
    };
    return () => untilStopped(settings);
  },
};
