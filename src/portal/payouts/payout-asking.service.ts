import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { ErrorCode } from '../../common/errors.js';
import { isUuid } from '../../common/ids.js';
import { Problem } from '../../common/problem.js';
import type { Along } from '../../database/along.js';
import type { Payout } from '../../database/entities/payout.entity.js';
import { LedgerRepository } from '../../database/repositories/ledger.repository.js';
import type { Owner } from '../../database/repositories/order.repository.js';
import { BankAccountsService } from '../../payouts/bank-accounts.service.js';
import { PayoutsService } from '../../payouts/payouts.service.js';
import { moneyText } from '../order/order-words.js';
import { AuditService } from '../people/audit.service.js';
import { type Attempt, textOf } from '../settings/form.js';
import type { PlacedVisit } from '../visit.js';
import { offered, type PurseBalance, pursesOf } from './payout-balances.js';
import { isAsTyped, type PayoutOffer, wishIn } from './payout.form.js';

/** The field beside which a problem is told. */
const FIELDS: Partial<Record<ErrorCode, string>> = {
  insufficient_balance: 'amount',
  payout_too_large: 'amount',
  bank_account_not_usable: 'account',
};

/** What people of a merchant do about payouts: what is wrong comes back by field. */
@Injectable()
export class PayoutAskingService {
  constructor(
    private readonly payouts: PayoutsService,
    private readonly accounts: BankAccountsService,
    private readonly ledger: LedgerRepository,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  async offer(place: Owner): Promise<PayoutOffer> {
    const [balances, accounts] = await Promise.all([
      this.ledger.balances(place),
      this.accounts.list(place),
    ]);
    return {
      purses: pursesOf(balances).filter(({ available }) => available > 0),
      accounts: offered(accounts, this.clock.now()),
    };
  }

  /** What a payout can be changed to: what is set aside for it is available to it. */
  async offerFor(place: Owner, payout: Payout): Promise<PayoutOffer> {
    const { purses, accounts } = await this.offer(place);
    const { currency, amount, status } = payout;
    const own = status === 'draft' ? 0 : amount;
    const rest = purses.find((purse) => purse.currency === currency)?.available ?? 0;
    const purse: PurseBalance = { currency, available: rest + own, onItsWay: 0, unexplained: 0 };
    return { purses: [purse], accounts };
  }

  /**
   * Makes a payout of the form, or finds the one that the form has made before: whoever sends it
   * twice asks once.
   */
  async ask(visit: PlacedVisit, form: URLSearchParams, isDraft: boolean): Promise<Attempt<Payout>> {
    const formId = textOf(form, 'id').toLowerCase();
    if (!isUuid(formId)) return { problems: { form: NOT_OURS } };
    const made = await this.make(visit, form, { formId, isDraft });
    const payout = made.problems ? await this.payouts.madeBy(visit.place, formId) : made.done;
    if (!payout) return made;
    return isAsTyped(payout, form) ? { done: payout } : { problems: { form: sentBefore(payout) } };
  }

  async change(
    visit: PlacedVisit,
    payout: Payout,
    form: URLSearchParams,
  ): Promise<Attempt<Payout>> {
    const wish = wishIn(form, await this.offerFor(visit.place, payout));
    if (wish.problems) return wish;
    const along = this.audited(visit, 'payout.changed');
    const { userId } = visit.session;
    return inFields(() => this.payouts.change(visit.place, payout.id, wish.done, userId, along));
  }

  submit(visit: PlacedVisit, { id }: Payout): Promise<Attempt<Payout>> {
    const along = this.audited(visit, 'payout.requested');
    const { userId } = visit.session;
    return inFields(() => this.payouts.submit(visit.place, id, userId, along));
  }

  /** @throws Problem `payout_not_possible` */
  cancel(visit: PlacedVisit, { id }: Payout): Promise<Payout> {
    return this.payouts.cancel(visit.place, id, this.audited(visit, 'payout.cancelled'));
  }

  private async make(
    visit: PlacedVisit,
    form: URLSearchParams,
    { formId, isDraft }: { readonly formId: string; readonly isDraft: boolean },
  ): Promise<Attempt<Payout>> {
    const wish = wishIn(form, await this.offer(visit.place));
    if (wish.problems) return wish;
    const { currency, ...rest } = wish.done;
    const { merchantId, mode } = visit.place;
    const purse = { merchantId, mode, currency };
    const by = visit.session.userId;
    const along = this.audited(visit, isDraft ? 'payout.drafted' : 'payout.requested');
    const request = { ...rest, formId };
    return inFields(() =>
      isDraft
        ? this.payouts.draft(purse, request, by, along)
        : this.payouts.request(purse, request, by, along),
    );
  }

  private audited(visit: PlacedVisit, action: string): Along<Payout> {
    return (tx, { id, mode, status, amount, currency, bankAccountId }) => {
      const data = { mode, status, amount, currency, bankAccountId };
      return this.audit.record(tx, visit, { action, subject: id, data });
    };
  }
}

async function inFields(work: () => Promise<Payout>): Promise<Attempt<Payout>> {
  try {
    return { done: await work() };
  } catch (error) {
    const field = error instanceof Problem ? FIELDS[error.code] : undefined;
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

const NOT_OURS = 'The form came without its number. Please look at it and send it once more.';

const sentBefore = ({ amount, currency }: Payout): string =>
  `This form was sent before, and made a payout of ${moneyText(amount, currency)}. Send it once more if you want another one.`;
