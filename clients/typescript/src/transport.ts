import { ApiError, ConnectionError, RequestTimeoutError } from './errors.js';
import { API_VERSION, OPERATIONS } from './operations.js';
import type { OperationId, Problem } from './types.js';
import { pauseMs, sleep } from './waiting.js';

export interface Settings {
  /** Address of the service, such as `https://pay.example.com`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Milliseconds that one try may take. Standard: 10,000. */
  readonly timeoutMs?: number;
  /** Tries after the first one. Standard: 4. */
  readonly retries?: number;
  /** Longest pause before another try, in milliseconds: who is told to wait longer is told so. Standard: 30,000. */
  readonly maxPauseMs?: number;
}

export interface CallOptions {
  /** Ends the call, its pauses included; what it says is thrown as it is. */
  readonly signal?: AbortSignal;
  /** For orders and cancellations: one is made for each call when there is none. */
  readonly idempotencyKey?: string;
  readonly timeoutMs?: number;
  readonly retries?: number;
}

/** Statuses of a service or a proxy that may do better in a moment. */
const PASSING = [429, 502, 503, 504];

interface Ready {
  readonly url: string;
  readonly init: RequestInit;
  /** Whether it may be sent again although an earlier one may have been done. */
  readonly isRepeatable: boolean;
}

/**
 * Asks the service, and again where that can do no harm.
 * @throws ApiError the last answer
 * @throws ConnectionError when there was none
 */
export async function send(
  settings: Settings,
  id: OperationId,
  given: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<unknown> {
  const request = ready(settings, id, given, options);
  const { retries = settings.retries ?? 4 } = options;
  const { maxPauseMs = 30_000 } = settings;
  for (let attempt = 0; ; attempt++) {
    options.signal?.throwIfAborted();
    try {
      return await once(request, options.timeoutMs ?? settings.timeoutMs ?? 10_000, options.signal);
    } catch (error) {
      if (attempt >= retries || !mayPass(error, request)) throw error;
      const pause = pauseMs(attempt, error instanceof ApiError ? error.retryAfterMs : undefined);
      if (pause > maxPauseMs) throw error;
      await sleep(pause, options.signal);
    }
  }
}

function mayPass(error: unknown, { isRepeatable }: Ready): boolean {
  if (error instanceof ConnectionError) return isRepeatable;
  if (!(error instanceof ApiError) || !PASSING.includes(error.status)) return false;
  // Whoever is sent away for asking too often has changed nothing.
  return isRepeatable || error.status === 429;
}

function ready(
  { baseUrl, apiKey }: Settings,
  id: OperationId,
  given: Readonly<Record<string, unknown>>,
  { idempotencyKey = crypto.randomUUID() }: CallOptions,
): Ready {
  const { method, path, query, isKeyed } = OPERATIONS[id];
  const rest = new Map(Object.entries(given).filter(([, value]) => value !== undefined));
  const take = (name: string): unknown => {
    const value = rest.get(name);
    rest.delete(name);
    return value;
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(take(name))),
  );
  const asked = new URLSearchParams();
  for (const name of query) {
    const value = take(name) as string | number | boolean | readonly string[] | undefined;
    if (value !== undefined) asked.set(name, value.toString());
  }
  const hasBody = rest.size > 0 || method === 'PATCH';
  return {
    url: `${baseUrl.replace(/\/+$/, '')}${filled}${asked.size > 0 ? `?${asked.toString()}` : ''}`,
    init: {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept: 'application/json',
        'api-version': API_VERSION,
        ...(isKeyed ? { 'idempotency-key': idempotencyKey } : {}),
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
      },
      ...(hasBody ? { body: JSON.stringify(Object.fromEntries(rest)) } : {}),
    },
    isRepeatable: isKeyed || method !== 'POST',
  };
}

async function once(
  { url, init }: Ready,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      ...init,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    const text = await response.text();
    if (response.ok) return text === '' ? undefined : (JSON.parse(text) as unknown);
    throw apiErrorOf(response, text);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    signal?.throwIfAborted();
    const words = `${init.method} ${url}`;
    if (limit.aborted) {
      throw new RequestTimeoutError(`${words}: no answer in ${timeoutMs} ms`, { cause: error });
    }
    throw new ConnectionError(`${words}: no whole answer`, { cause: error });
  }
}

function apiErrorOf({ status, headers }: Response, text: string): ApiError {
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json');
  const problem = isProblem ? (JSON.parse(text) as Problem) : undefined;
  return new ApiError(status, problem, retryAfterOf(headers.get('retry-after')));
}

/** Seconds, or a date. */
function retryAfterOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
