import dns from 'node:dns';
import { Injectable } from '@nestjs/common';
import { AttemptMetrics } from '../attempt-metrics.js';
import { type Address, hostsHere } from './hosts-file.js';

export type { Address } from './hosts-file.js';

/** Milliseconds that a name server has to answer, the first time; a packet may get lost once. */
const RESOLVER_OPTIONS = { timeout: 2_000, tries: 2 };

/** Answers after which asking again would bring nothing else. */
const NONE: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'ENODATA']);

/** Finds the addresses of a name. */
export abstract class Resolver {
  /**
   * @param signal ends the look-up, and what it holds
   * @throws Error with the `code` of the resolver when there are none, and what `signal` says
   */
  abstract lookup(name: string, signal: AbortSignal): Promise<readonly Address[]>;
}

/**
 * Asks the machine's name servers itself. The system's own resolver works on the few threads that
 * files, passwords and the look-up of the database wait for too, and nobody can stop it: names
 * whose servers never answer, which anybody may own, would occupy them. Names of the hosts file are
 * known as the process starts.
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

/** Whether the name has no address, as far as anybody can tell. */
export const hasNone = (error: unknown): boolean => NONE.has((error as { code?: string }).code);
