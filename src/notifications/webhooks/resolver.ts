import dns from 'node:dns';
import { Injectable } from '@nestjs/common';
import { AttemptMetrics } from '../attempt-metrics.js';
import { type Address, hostsHere } from './hosts-file.js';

export type { Address } from './hosts-file.js';

/** Milliseconds for the first DNS query; one packet may get lost. */
const RESOLVER_OPTIONS = { timeout: 2_000, tries: 2 };

/** Final answers; a retry is pointless. */
const NONE: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'ENODATA']);

/** DNS resolver. */
export abstract class Resolver {
  /**
   * @param signal aborts the lookup
   * @throws Error with the resolver's `code` if there are no addresses; the reason of `signal` if aborted
   */
  abstract lookup(name: string, signal: AbortSignal): Promise<readonly Address[]>;
}

/**
 * Queries the name servers directly. The system resolver uses the small thread pool that files, passwords and database
 * lookups share, and cannot be aborted: names with unresponsive servers would block it. Names of the hosts file are
 * read at startup.
 */
@Injectable()
export class SystemResolver extends Resolver {
  private readonly hosts = hostsHere();

  constructor(private readonly metrics: AttemptMetrics) {
    super();
  }

  async lookup(name: string, signal: AbortSignal): Promise<readonly Address[]> {
    const known = this.hosts.get(name);
    if (known) return known;
    signal.throwIfAborted();
    const resolver = new dns.promises.Resolver(RESOLVER_OPTIONS);
    resolver.setServers(dns.getServers());
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel);
    this.metrics.lookups.inc();
    try {
      return await addressesOf(name, resolver);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      this.metrics.lookups.dec();
      signal.removeEventListener('abort', cancel);
    }
  }
}

async function addressesOf(
  name: string,
  resolver: dns.promises.Resolver,
): Promise<readonly Address[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer, n) =>
    answer.status === 'fulfilled'
      ? answer.value.map((address) => ({ address, family: n === 0 ? 4 : 6 }))
      : [],
  );
  if (found.length > 0) return found;
  const errors = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as NodeJS.ErrnoException] : [],
  );
  throw errors.find(({ code }) => !NONE.has(code)) ?? errors[0]!;
}

/** Whether the name certainly has no address. */
export const hasNone = (error: unknown): boolean => NONE.has((error as { code?: string }).code);
