import { Injectable } from '@nestjs/common';
import { textProblem } from '../../../common/text.js';
import type { PayoutStatus } from '../../../database/entities/payout.entity.js';
import {
  type DeskAccount,
  type DeskPayout,
  PayoutDeskRepository,
} from '../../../database/repositories/payout-desk.repository.js';
import { PayoutPageRepository } from '../../../database/repositories/payout-page.repository.js';
import {
  PayoutRepository,
  type ReadLine,
} from '../../../database/repositories/payout.repository.js';
import { ApprovalsService } from '../../../payouts/approvals.service.js';
import { PayoutFilesService } from '../../../payouts/payout-files.service.js';
import { MOVES } from '../../../payouts/payout-moves.js';
import type { Bar } from '../../../payouts/second-person.js';
import { AuditService } from '../../people/audit.service.js';
import { FreshFactor } from '../../people/fresh-factor.js';
import { type PayoutStep, timelineOf } from '../../payouts/payout-timeline.js';
import { notFound } from '../../refusal.js';
import { type Problems, textOf } from '../../settings/form.js';
import type { SignedVisit } from '../../visit.js';
import type { DeskKey } from './desk-path.js';
import { codeProblem, refused } from './refused.js';

/** Lines on one page. */
export const LINES_PAGE = 50;
/** Characters of a reason. */
export const REASON_MAX = 140;

/** What can become of a payout that has gone into a file. */
export const OUTCOMES = ['paid', 'failed', 'returned'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const canBecome = ({ status }: { readonly status: PayoutStatus }, to: PayoutStatus) =>
  MOVES[status][to] !== undefined;

/** All that an approver has to know. */
export interface PayoutPage {
  readonly payout: DeskPayout;
  readonly account: DeskAccount;
  /** Behind `afterLine`, one more than a page has when there are more. */
  readonly lines: readonly ReadLine[];
  readonly afterLine: number;
  readonly timeline: readonly PayoutStep[];
  /** Why who looks cannot approve it. */
  readonly bar: Bar | null;
}

/** What operators do about one payout. */
@Injectable()
export class PayoutPageService {
  constructor(
    private readonly desk: PayoutDeskRepository,
    private readonly payouts: PayoutRepository,
    private readonly pages: PayoutPageRepository,
    private readonly approvals: ApprovalsService,
    private readonly files: PayoutFilesService,
    private readonly factor: FreshFactor,
    private readonly audit: AuditService,
  ) {}

  /** @throws Refusal 404 */
  async open({ session }: SignedVisit, key: DeskKey, afterLine = 0): Promise<PayoutPage> {
    // First, so that what is shown of the lines is never older than the hash that is approved.
    const payout = await this.desk.find(key, key.id);
    if (!payout) throw notFound();
    const [account, lines, events, deeds, bar] = await Promise.all([
      this.desk.account(payout),
      this.payouts.lines(payout, afterLine, LINES_PAGE + 1),
      this.payouts.events(payout),
      this.pages.deeds(payout),
      this.approvals.barTo(payout, session.userId),
    ]);
    return { payout, account, lines, afterLine, timeline: timelineOf(payout, events, deeds), bar };
  }

  /**
   * @returns why the form is shown once more; so do the next two
   * @throws Refusal 429
   */
  async approve(visit: SignedVisit, key: DeskKey, form: URLSearchParams): Promise<Problems | null> {
    if (!(await this.factor.shown(visit, form))) return { code: codeProblem(form) };
    const { userId, secondFactorAt } = visit.session;
    const contentHash = Buffer.from(form.get('contentHash') ?? '', 'hex');
    const approval = { userId, secondFactorAt, contentHash };
    const problem = await refused(() =>
      this.approvals.approve(key, key.id, approval, (tx, { id, amount, currency }) =>
        this.audit.record(tx, visit, {
          action: 'payout.approved',
          subject: id,
          merchantId: key.merchantId,
          data: { mode: key.mode, amount, currency },
        }),
      ),
    );
    return problem === null ? null : { form: problem };
  }

  async reject(visit: SignedVisit, key: DeskKey, form: URLSearchParams): Promise<Problems | null> {
    const reason = textOf(form, 'reason');
    const wrong = reasonProblem(reason);
    if (wrong) return { reason: wrong };
    const problem = await refused(() =>
      this.approvals.reject(key, key.id, reason, (tx) =>
        this.audit.record(tx, visit, deedOf('payout.rejected', key, reason)),
      ),
    );
    return problem === null ? null : { form: problem };
  }

  /** What the bank has told of it. */
  async end(
    visit: SignedVisit,
    key: DeskKey,
    to: Outcome,
    form: URLSearchParams,
  ): Promise<Problems | null> {
    const reason = to === 'paid' ? null : textOf(form, 'reason');
    const wrong = reason === null ? null : reasonProblem(reason);
    if (wrong) return { reason: wrong };
    const problem = await refused(() =>
      this.files.ended(key, to, reason, visit.session.userId, (tx) =>
        this.audit.record(tx, visit, deedOf(`payout.${to}`, key, reason)),
      ),
    );
    return problem === null ? null : { form: problem };
  }
}

const deedOf = (action: string, { mode, merchantId, id }: DeskKey, reason: string | null) => ({
  action,
  subject: id,
  merchantId,
  data: { mode, ...(reason === null ? {} : { reason }) },
});

function reasonProblem(reason: string): string | null {
  const problem = textProblem(reason, { min: 1, max: REASON_MAX });
  if (!problem) return null;
  if (problem === 'too_short') return 'Say why: the merchant reads it.';
  return `Use one line of at most ${REASON_MAX} characters.`;
}
