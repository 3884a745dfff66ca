/** A process of the service whose sandbox bank is another one, over HTTP, until it is killed. */
import { SandboxRefunds } from '../../src/providers/sandbox/sandbox-refunds.js';
import type { RefundOutcome, RefundRequest } from '../../src/providers/provider.js';
import { TestApp } from './app.js';

const [url, bank, port] = process.argv.slice(2) as [string, string, string];

/** As adapters of real providers: without an intelligible answer it knows nothing. */
async function call<T>(path: string, init?: RequestInit): Promise<T | { kind: 'unknown' }> {
  const response = await fetch(`${bank}/${path}`, init);
  if (!response.ok) return { kind: 'unknown' };
  return (await response.json()) as T;
}

const atBank = {
  refund: ({ refund: { id, amount } }: RefundRequest) =>
    call<RefundOutcome>('', { method: 'POST', body: JSON.stringify({ id, amount }) }),
  status: ({ id }: RefundRequest['refund']) => call<RefundOutcome | { kind: 'absent' }>(id),
};

await TestApp.start({
  database: { url, isPostgres: true, drop: async () => {} },
  env: { ROLE: 'all', PORT: port, LOG_LEVEL: 'fatal' },
  realTime: true,
  replace: (builder) => builder.overrideProvider(SandboxRefunds).useValue(atBank),
});
