import { Injectable } from '@nestjs/common';
import { MatcherService } from '../../../bank/matching/matcher.service.js';
import {
  PossibleDuplicatesService,
  type UnmergeOutcome,
} from '../../../bank/matching/possible-duplicates.service.js';
import type { BankLine } from '../../../database/bank/lines/bank-line.entity.js';
import { AuditService } from '../../../people/audit.service.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import type { Problems } from '../../kit/form.js';
import { GONE } from './line-actions.service.js';

/** Time limit of matching within the request. */
const MATCH_MS = 1_000;

const MERGE_USED =
  'The other line was booked on the evidence of this one. Undo its bookings first.';
const APART_USED = 'This line was matched as a separate booking. Undo its matches first.';

/** Operators' decisions about possible duplicates. Each returns the problems, or null. */
@Injectable()
export class DuplicateActionsService {
  constructor(
    private readonly duplicates: PossibleDuplicatesService,
    private readonly matcher: MatcherService,
    private readonly audit: AuditService,
  ) {}

  async sameBooking(context: SignedInContext, line: BankLine): Promise<Problems | null> {
    const hook = this.audited(context, line, 'bank-line.same-booking');
    const outcome = await this.duplicates.sameBooking(line.mode, line.id, hook);
    return outcome === 'done' ? null : { form: GONE };
  }

  async undoSameBooking(context: SignedInContext, line: BankLine): Promise<Problems | null> {
    const hook = this.audited(context, line, 'bank-line.same-booking-undone');
    return this.looked(await this.duplicates.undoSameBooking(line.mode, line.id, hook), MERGE_USED);
  }

  /** @returns also the success message: the line may be compared with another booking next */
  async anotherBooking(
    context: SignedInContext,
    line: BankLine,
  ): Promise<{ problems: Problems | null; done: 'another' | 'another-next' }> {
    const hook = this.audited(context, line, 'bank-line.another-booking');
    const { userId } = context.session;
    const outcome = await this.duplicates.anotherBooking(line.mode, line.id, userId, hook);
    if (outcome === 'asked_again') return { problems: null, done: 'another-next' };
    return { problems: await this.looked(outcome), done: 'another' };
  }

  async undoAnotherBooking(context: SignedInContext, line: BankLine): Promise<Problems | null> {
    const hook = this.audited(context, line, 'bank-line.another-booking-undone');
    return this.looked(
      await this.duplicates.undoAnotherBooking(line.mode, line.id, hook),
      APART_USED,
    );
  }

  /** Matches reopened lines at once, so that the next page shows the result; the job does the rest. */
  private async looked(outcome: UnmergeOutcome, used = GONE): Promise<Problems | null> {
    if (outcome === 'used') return { form: used };
    if (outcome !== 'done') return { form: GONE };
    await this.matcher.matchNew(MATCH_MS);
    return null;
  }

  private audited(context: SignedInContext, { id, mode }: BankLine, action: string) {
    const entry = { action, subject: id, data: { mode } };
    return (tx: Parameters<AuditService['record']>[0]) => this.audit.record(tx, context, entry);
  }
}
