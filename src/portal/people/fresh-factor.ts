import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Database } from '../../database/database.js';
import type { SignedVisit } from '../visit.js';
import { SessionsService } from './sessions.service.js';
import { TotpService } from './totp.service.js';
import { TriesService } from './tries.service.js';

/** Milliseconds for which a code is good for what moves money. */
export const FRESH_MS = 5 * 60_000;

/** For what a sign-in of this morning is not enough. */
@Injectable()
export class FreshFactor {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly totp: TotpService,
    private readonly tries: TriesService,
    private readonly clock: Clock,
  ) {}

  /** Whether a form has to ask for a code. */
  isOwed({ session }: SignedVisit): boolean {
    const shownAt = session.secondFactorAt?.getTime() ?? -Infinity;
    return this.clock.now().getTime() - shownAt > FRESH_MS;
  }

  /**
   * When the visitor showed a second factor, now that he may have typed a code into the form.
   * @returns null when that is too long ago and no right code was typed
   * @throws Refusal 429
   */
  async shown(visit: SignedVisit, form: URLSearchParams): Promise<Date | null> {
    const { session } = visit;
    if (!this.isOwed(visit)) return session.secondFactorAt;
    await this.tries.take(visit, session.email);
    if (!(await this.totp.take(session.userId, form.get('code') ?? ''))) return null;
    await this.database.transaction((tx) => this.sessions.passed(tx, session.id));
    return this.clock.now();
  }
}
