import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { ipNetwork, ipSite } from '../../common/ip-network.js';
import { FairQueue } from '../../common/waiting/fair-queue.js';
import { HolderCounts } from '../../common/waiting/holder-counts.js';
import { Refusal } from '../refusal.js';

/** Hashes at once in each line: they keep threads of the process busy, which others need as well. */
const AT_ONCE = 1;
/** Hashes of strangers that wait: the last waits for about two seconds. */
export const STRANGERS_MAX = 48;
/** Hashes of those who are known that wait. */
const KNOWN_MAX = 16;
/** Hashes of one holder, waiting or not. */
export const HASHES_PER_HOLDER = 8;

/** Who has a password hashed: somebody whom a browser, a session or a link shows, or nobody knows who. */
export type Asker = { readonly known: string } | { readonly address: string };

const busy = (): Refusal =>
  new Refusal(429, 'Too many people sign in at once', 'Wait a few seconds, then try again.');

/**
 * Lets few passwords be hashed at once, whoever asks for it: a hash is made to be expensive. Who is
 * known never waits for strangers.
 */
@Injectable()
export class PasswordWork {
  readonly gauge = new Gauge({
    name: 'password_hashes',
    help: 'Passwords that are being hashed, and those that wait for it.',
    labelNames: ['state'],
    registers: [],
    collect: () => this.notify(),
  });
  private readonly strangers = new FairQueue({ atOnce: AT_ONCE, waiting: STRANGERS_MAX });
  private readonly known = new FairQueue({ atOnce: AT_ONCE, waiting: KNOWN_MAX });
  private readonly holders = new HolderCounts(HASHES_PER_HOLDER);

  /** @throws Refusal 429 when the asker, or all together, have too many under way */
  async run<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    const [line, holder, turn] =
      'known' in asker
        ? [this.known, asker.known, asker.known]
        : [this.strangers, ipNetwork(asker.address), ipSite(asker.address)];
    if (this.holders.isFull(holder)) throw busy();
    const giveBack = this.holders.take(holder);
    try {
      if (!(await line.enter(turn))) throw busy();
      return await work().finally(() => line.leave());
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
