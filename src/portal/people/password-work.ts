import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Refusal } from '../refusal.js';

/** Hashes at once: each keeps one of the process's four threads busy, which others need as well. */
export const AT_ONCE_MAX = 2;
/** Hashes that wait: the last waits for about two seconds. */
export const WAITING_MAX = 64;
/** Of these, from one network or session. */
export const HOLDER_MAX = 8;

const busy = (): Refusal =>
  new Refusal(429, 'Too many people sign in at once', 'Wait a few seconds, then try again.');

/** Lets few passwords be hashed at once, whoever asks for it: a hash is made to be expensive. */
@Injectable()
export class PasswordWork {
  readonly gauge = new Gauge({
    name: 'password_hashes',
    help: 'Passwords that are being hashed, and those that wait for it.',
    labelNames: ['state'],
    registers: [],
    collect: () => this.tell(),
  });
  private readonly held = new Map<string, number>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  /**
   * @param holder a network, a session or a known device
   * @throws Refusal 429 when the holder, or all together, have too many under way
   */
  async run<T>(holder: string, work: () => Promise<T>): Promise<T> {
    const held = this.held.get(holder) ?? 0;
    if (held >= HOLDER_MAX || this.waiting.length >= WAITING_MAX) throw busy();
    this.held.set(holder, held + 1);
    if (this.running >= AT_ONCE_MAX) {
      await new Promise<void>((resolve) => void this.waiting.push(resolve));
    } else this.running++;
    try {
      return await work();
    } finally {
      this.release(holder);
    }
  }

  /** Whoever waits longest takes the place over. */
  private release(holder: string): void {
    const held = this.held.get(holder)! - 1;
    if (held > 0) this.held.set(holder, held);
    else this.held.delete(holder);
    const next = this.waiting.shift();
    if (next) next();
    else this.running--;
  }

  private tell(): void {
    this.gauge.set({ state: 'running' }, this.running);
    this.gauge.set({ state: 'waiting' }, this.waiting.length);
  }
}
