import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { ipNetwork, ipSite } from '../../common/ip-network.js';
import { Bulkhead } from '../../overload/bulkhead.js';
import { HolderCounts } from '../../overload/holder-counts.js';
import { Refusal } from '../refusal.js';

/** Parallel hashes per pool: they occupy threads that other work needs, too. */
const AT_ONCE = 1;
/** Queue limit for unauthenticated clients: the last waits about two seconds. */
export const UNAUTHENTICATED_QUEUE_MAX = 48;
/** Queue limit for known clients. */
const KNOWN_MAX = 16;
/** Maximum hashes per fairness key, queued or running. */
export const HASHES_PER_HOLDER = 8;

/** Requester of a hash. */
export interface HashRequester {
  readonly address: string;
  /** Id of the user, or of the link; undefined in an unknown browser without a session. */
  readonly known?: string | undefined;
}

const busy = (): Refusal =>
  new Refusal(429, 'Too many people sign in at once', 'Wait a few seconds, then try again.');

/**
 * Limits concurrent password hashes, which are expensive by design. Known clients never wait for unauthenticated ones.
 * Networks take turns, because one person can have the accounts of a whole team.
 */
@Injectable()
export class PasswordWork {
  readonly gauge = new Gauge({
    name: 'payment_orders_password_hashes_running',
    help: 'Passwords that are being hashed, and those that wait for it.',
    labelNames: ['state'],
    registers: [],
    collect: () => this.notify(),
  });
  private readonly strangers = new Bulkhead({ max: AT_ONCE, queue: UNAUTHENTICATED_QUEUE_MAX });
  private readonly known = new Bulkhead({ max: AT_ONCE, queue: KNOWN_MAX });
  private readonly holders = new HolderCounts(HASHES_PER_HOLDER);

  /** @throws Refusal 429 if the client, or all together, have too many in progress */
  async run<T>({ address, known }: HashRequester, work: () => Promise<T>): Promise<T> {
    const line = known === undefined ? this.strangers : this.known;
    const holder = known ?? ipNetwork(address);
    if (this.holders.isFull(holder)) throw busy();
    const giveBack = this.holders.take(holder);
    try {
      const release = await line.enter(ipSite(address));
      if (!release) throw busy();
      return await work().finally(release);
    } finally {
      giveBack();
    }
  }

  private notify(): void {
    const lines = [this.strangers, this.known];
    for (const state of ['running', 'waiting'] as const) {
      this.gauge.set(
        { state },
        lines.reduce((sum, line) => sum + line[state], 0),
      );
    }
  }
}
