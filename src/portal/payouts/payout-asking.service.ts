import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { uuidOf } from '../../common/ids.js';
import type { Owner } from '../../database/keys.js';
import { LedgerRepository } from '../../database/ledger/ledger.repository.js';
import type { Payout } from '../../database/payouts/payout.entity.js';
import type { TransactionHook } from '../../database/transaction-hook.js';
import type { ErrorCode } from '../../http/problems/errors.js';
import { Problem } from '../../http/problems/problem.js';
import { BankAccountsService } from '../../payouts/bank-accounts.service.js';
import { PayoutsService } from '../../payouts/payouts.service.js';
import { AuditService } from '../../people/audit.service.js';
import type { MerchantContext } from '../../people/portal-context.js';
import { type ParsedForm, textOf } from '../kit/form.js';
import { moneyText } from '../kit/order-text.js';
import { offered, type CurrencyBalance, currencyBalancesOf } from './payout-balances.js';
import { isAsTyped, type PayoutOffer, wishIn } from './payout.form.js';

/** Form field for each problem. */
const FIELDS: Partial<Record<ErrorCode, string>> = {
  insufficient_balance: 'amount',
  payout_too_large: 'amount',
  bank_account_not_usable: 'account',
};
/** For new payouts: too many are waiting for approval, or were requested recently. */
const FIELDS_OF_NEW: typeof FIELDS = { ...FIELDS, payout_not_possible: 'form' };

/** Merchants' actions on payouts. Problems are returned by form field. */
@Injectable()
export class PayoutAskingService {
  constructor(
    private readonly payouts: PayoutsService,
    private readonly accounts: BankAccountsService,
    private readonly ledger: LedgerRepository,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  async offer(access: Owner): Promise<PayoutOffer> {
    const [balances, accounts] = await Promise.all([
      this.ledger.balances(access),
      this.accounts.list(access),
    ]);
    return {
      currencyBalances: currencyBalancesOf(balances).filter(({ available }) => available > 0),
      accounts: offered(accounts, this.clock.now()),
    };
  }

  /** Options for changing a payout: the amount reserved for it counts as available. */
  async offerFor(access: Owner, payout: Payout): Promise<PayoutOffer> {
    const { currencyBalances, accounts } = await this.offer(access);
    const { currency, amount, status } = payout;
    const own = status === 'draft' ? 0 : amount;
    const rest = currencyBalances.find((balance) => balance.currency === currency)?.available ?? 0;
    const balance: CurrencyBalance = {
      currency,
      available: rest + own,
      onItsWay: 0,
      unexplained: 0,
    };
    return { currencyBalances: [balance], accounts };
  }

  /**
   * Creates the payout, or returns the one created by the same form before: a form submitted twice requests one payout.
   */
  async ask(
    context: MerchantContext,
    form: URLSearchParams,
    isDraft: boolean,
  ): Promise<ParsedForm<Payout>> {
    const formId = uuidOf(textOf(form, 'id'));
    if (formId === null) return { problems: { form: NOT_OURS } };
    const made = await this.make(context, form, { formId, isDraft });
    const payout = made.problems ? await this.payouts.madeBy(context.access, formId) : made.done;
    if (!payout) return made;
    return isAsTyped(payout, form) ? { done: payout } : { problems: { form: sentBefore(payout) } };
  }

  async change(
    context: MerchantContext,
    payout: Payout,
    form: URLSearchParams,
  ): Promise<ParsedForm<Payout>> {
    const wish = wishIn(form, await this.offerFor(context.access, payout));
    if (wish.problems) return wish;
    const hook = this.audited(context, 'payout.changed');
    const { userId } = context.session;
    return inFields(() => this.payouts.change(context.access, payout.id, wish.done, userId, hook));
  }

  submit(context: MerchantContext, { id }: Payout): Promise<ParsedForm<Payout>> {
    const hook = this.audited(context, 'payout.requested');
    const { userId } = context.session;
    return inFields(() => this.payouts.submit(context.access, id, userId, hook));
  }

  /** @throws Problem `payout_not_possible` */
  cancel(context: MerchantContext, { id }: Payout): Promise<Payout> {
    return this.payouts.cancel(context.access, id, this.audited(context, 'payout.cancelled'));
  }

  private async make(
    context: MerchantContext,
    form: URLSearchParams,
    { formId, isDraft }: { readonly formId: string; readonly isDraft: boolean },
  ): Promise<ParsedForm<Payout>> {
    const wish = wishIn(form, await this.offer(context.access));
    if (wish.problems) return wish;
    const { currency, ...rest } = wish.done;
    const { merchantId, mode } = context.access;
    const balance = { merchantId, mode, currency };
    const by = context.session.userId;
    const hook = this.audited(context, isDraft ? 'payout.drafted' : 'payout.requested');
    const request = { ...rest, formId };
    return inFields(
      () =>
        isDraft
          ? this.payouts.draft(balance, request, by, hook)
          : this.payouts.request(balance, request, by, hook),
      FIELDS_OF_NEW,
    );
  }

  private audited(context: MerchantContext, action: string): TransactionHook<Payout> {
    return (tx, { id, mode, status, amount, currency, bankAccountId }) => {
      const data = { mode, status, amount, currency, bankAccountId };
      return this.audit.record(tx, context, { action, subject: id, data });
    };
  }
}

async function inFields(work: () => Promise<Payout>, fields = FIELDS): Promise<ParsedForm<Payout>> {
  try {
    return { done: await work() };
  } catch (error) {
    const field = error instanceof Problem ? fields[error.code] : undefined;
    if (!field) throw error;
    return { problems: { [field]: textFor(error as Problem) } };
  }
}

function textFor({ code, detail, members }: Problem): string {
  const { available, currency } = members;
  if (code !== 'insufficient_balance' || typeof available !== 'number') return detail;
  return available > 0
    ? `Only ${moneyText(available, String(currency))} is available now.`
    : `Nothing is available in ${String(currency)} now.`;
}

const NOT_OURS = 'The form is incomplete. Please check it and submit it again.';

const sentBefore = ({ amount, currency }: Payout): string =>
  `This form was already submitted and created a payout of ${moneyText(amount, currency)}. Submit it again to request another one.`;
