import { Injectable } from '@nestjs/common';
import { textProblem } from '../../../common/text.js';
import {
  type EarlierPayout,
  type MoneyHandShown,
  type MoneySource,
  PayoutMoneyRepository,
} from '../../../database/payouts/payout-money.repository.js';
import { PayoutPageRepository } from '../../../database/read-models/payout-page.repository.js';
import type { PayoutStatus } from '../../../database/payouts/payout.entity.js';
import { PayoutRepository, type ReadLine } from '../../../database/payouts/payout.repository.js';
import {
  type PlatformAccount,
  type PlatformPayout,
  PlatformPayoutRepository,
} from '../../../database/read-models/platform-payout.repository.js';
import { ApprovalsService } from '../../../payouts/approvals.service.js';
import { PayoutFilesService } from '../../../payouts/payout-files.service.js';
import { movesOf } from '../../../payouts/payout-moves.js';
import type { Bar } from '../../../payouts/second-person.js';
import { AuditService } from '../../../people/audit.service.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { notFound } from '../../../people/refusal.js';
import { FreshFactor } from '../../../people/second-factor/fresh-factor.js';
import { type Problems, textOf } from '../../kit/form.js';
import { type PayoutStep, payoutTimeline } from '../../kit/payout-timeline.js';
import type { PlatformPayoutKey } from './platform-path.js';
import type { RefundPayee } from '../../../database/refunds/refund-payee.entity.js';
import { RefundPayees } from '../../../refunds/refund-payees.service.js';
import { codeProblem, refused } from './refused.js';

/** Page size of payout lines. */
export const LINES_PAGE = 50;
/** Maximum length of a reason. */
export const REASON_MAX = 140;

/** Outcomes of an exported payout. */
export const OUTCOMES = ['paid', 'failed', 'returned'] as const;
export type PayoutOutcome = (typeof OUTCOMES)[number];

export const canBecome = ({ status }: { readonly status: PayoutStatus }, to: PayoutStatus) =>
  movesOf(status)[to] !== undefined;

/** Data of the approval page. */
export interface PlatformPayoutPage {
  readonly payout: PlatformPayout;
  /** The payer's entry, if the bank did not name the payer of a refund. */
  readonly payee: RefundPayee | null;
  /** Null for a refund: it goes to the account of the payer. */
  readonly account: PlatformAccount | null;
  /** Lines after `afterLine`; one more than the page size if there are more. */
  readonly lines: readonly ReadLine[];
  readonly afterLine: number;
  readonly sources: readonly MoneySource[];
  readonly hands: readonly MoneyHandShown[];
  readonly earlier: readonly EarlierPayout[];
  readonly timeline: readonly PayoutStep[];
  /** Why the current user cannot approve it. */
  readonly bar: Bar | null;
}

/** Operators' actions on one payout. */
@Injectable()
export class PayoutPageService {
  constructor(
    private readonly platform: PlatformPayoutRepository,
    private readonly payouts: PayoutRepository,
    private readonly pages: PayoutPageRepository,
    private readonly money: PayoutMoneyRepository,
    private readonly payees: RefundPayees,
    private readonly approvals: ApprovalsService,
    private readonly files: PayoutFilesService,
    private readonly factor: FreshFactor,
    private readonly audit: AuditService,
  ) {}

  /** @throws Refusal 404 */
  async open(
    { session }: SignedInContext,
    key: PlatformPayoutKey,
    afterLine = 0,
  ): Promise<PlatformPayoutPage> {
    // Read first: the lines shown must not be older than the content hash that is approved.
    const payout = await this.platform.find(key, key.id);
    if (!payout) throw notFound();
    const [account, lines, sources, hands, earlier, events, auditEntries, bar] = await Promise.all([
      payout.bankAccountId === null ? null : this.platform.account(payout),
      this.payouts.lines(payout, afterLine, LINES_PAGE + 1),
      this.money.sources(payout),
      this.money.hands(payout),
      this.money.earlier(payout),
      this.payouts.events(payout),
      this.pages.auditEntries(payout),
      this.approvals.barTo(payout, session.userId),
    ]);
    return {
      payout,
      payee: payout.refundId === null ? null : await this.payees.entered(payout),
      account,
      lines,
      afterLine,
      sources,
      hands,
      earlier,
      timeline: payoutTimeline(payout, events, auditEntries),
      bar,
    };
  }

  /**
   * @returns problems of the form, or null; the same applies to `reject` and `end`
   * @throws Refusal 429
   */
  async approve(
    context: SignedInContext,
    key: PlatformPayoutKey,
    form: URLSearchParams,
  ): Promise<Problems | null> {
    if (!(await this.factor.shown(context, form))) return { code: codeProblem(form) };
    const { userId, secondFactorAt } = context.session;
    const contentHash = Buffer.from(form.get('contentHash') ?? '', 'hex');
    const approval = { userId, secondFactorAt, contentHash };
    const problem = await refused(() =>
      this.approvals.approve(key, key.id, approval, (tx, { id, amount, currency }) =>
        this.audit.record(tx, context, {
          action: 'payout.approved',
          subject: id,
          merchantId: key.merchantId,
          data: { mode: key.mode, amount, currency },
        }),
      ),
    );
    return problem === null ? null : { form: problem };
  }

  async reject(
    context: SignedInContext,
    key: PlatformPayoutKey,
    form: URLSearchParams,
  ): Promise<Problems | null> {
    const reason = textOf(form, 'reason');
    const wrong = reasonProblem(reason);
    if (wrong) return { reason: wrong };
    const problem = await refused(() =>
      this.approvals.reject(key, key.id, reason, (tx) =>
        this.audit.record(tx, context, auditEntry('payout.rejected', key, reason)),
      ),
    );
    return problem === null ? null : { form: problem };
  }

  /** Records the result reported by the bank. */
  async end(
    context: SignedInContext,
    key: PlatformPayoutKey,
    to: PayoutOutcome,
    form: URLSearchParams,
  ): Promise<Problems | null> {
    const reason = to === 'paid' ? null : textOf(form, 'reason');
    const wrong = reason === null ? null : reasonProblem(reason);
    if (wrong) return { reason: wrong };
    const problem = await refused(() =>
      this.files.ended(key, to, reason, context.session.userId, (tx) =>
        this.audit.record(tx, context, auditEntry(`payout.${to}`, key, reason)),
      ),
    );
    return problem === null ? null : { form: problem };
  }
}

const auditEntry = (
  action: string,
  { mode, merchantId, id }: PlatformPayoutKey,
  reason: string | null,
) => ({
  action,
  subject: id,
  merchantId,
  data: { mode, ...(reason === null ? {} : { reason }) },
});

function reasonProblem(reason: string): string | null {
  const problem = textProblem(reason, { min: 1, max: REASON_MAX });
  if (!problem) return null;
  if (problem === 'too_short') return 'Enter a reason. It is shown to the merchant.';
  return `Use one line of at most ${REASON_MAX} characters.`;
}
