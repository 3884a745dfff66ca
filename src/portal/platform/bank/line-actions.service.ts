import { Injectable } from '@nestjs/common';
import { ManualReconciliation } from '../../../bank/matching/manual-reconciliation.service.js';

import type {
  MatchOutcome,
  ReconciliationOutcome,
  ReturnOutcome,
  UndoOutcome,
} from '../../../bank/matching/outcomes.js';
import { UndoneReturnsService } from '../../../bank/matching/undone-returns.service.js';
import { Clock } from '../../../common/time/clock.js';
import { uuidOf, uuidv7 } from '../../../common/ids.js';
import {
  BankQueueRepository,
  LINE_NOTES_MAX,
  type SeenAllocation,
  type SeenReturn,
} from '../../../database/bank/matching/bank-queue.repository.js';
import type { BankLine } from '../../../database/bank/lines/bank-line.entity.js';
import { Database } from '../../../database/database.js';
import { AuditService } from '../../../people/audit.service.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import type { Problems } from '../../kit/form.js';
import { moneyText } from '../../kit/order-text.js';
import type { BankLinePage } from './line-page.service.js';
import {
  matchIn,
  type NamedForm,
  namesIn,
  noteIn,
  only,
  payerIn,
  reasonIn,
  returnIn,
  shares,
  type TypedPart,
} from './line.form.js';
import type { TypedOrder } from './which-order.js';

export const GONE = 'The line has changed, so this is no longer possible. Check its current state.';
const STANDS_FOR_RETURN =
  'According to its reason, this credit is the return of a payout. Another payout of that money is approved, so the line cannot be reopened.';
const UNDO_PROBLEMS: Readonly<Partial<Record<UndoOutcome, string>>> = {
  paid_out: 'This money is already part of a payout, so the match cannot be undone.',
  sent_back: 'This order was already refunded, so the match cannot be undone.',
  partly_returned:
    'The bank has already returned part of this money, so the match cannot be undone.',
};

const RETURN_PROBLEMS: Readonly<Record<Exclude<ReturnOutcome, 'returned'>, Problems>> = {
  not_waiting: { form: GONE },
  too_much: { amount: 'This is more than the remaining amount of the line.' },
  no_order: { order: 'Order not found.' },
  wrong_currency: { order: 'The order and the line have different currencies.' },
  no_payment: { order: 'No transfer to this order has this amount left to return.' },
};

const MATCH_PROBLEMS: Readonly<Record<Exclude<MatchOutcome, 'matched'>, string>> = {
  not_waiting: GONE,
  unknown_account:
    'The account of this line is not a collection account of this mode and currency, so it cannot pay orders. If it is yours, add it under Collection accounts first.',
  too_much: 'The amounts exceed the remaining amount of the line.',
  no_order: 'An order no longer exists, or was entered twice.',
  wrong_currency: 'An order and the line have different currencies.',
  too_many_payments: 'An order has reached its maximum number of payments.',
};

/** Operators' actions on one line. Each returns the problems of the form, or null. */
@Injectable()
export class LineActionsService {
  constructor(
    private readonly reconciliation: ManualReconciliation,
    private readonly returns: UndoneReturnsService,
    private readonly queue: BankQueueRepository,
    private readonly database: Database,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Orders entered by the merchant's order number, with candidates: the number is not unique, so the operator has to
   * confirm the order. Empty if the form has other problems.
   */
  async typedOrders(
    page: BankLinePage,
    form: URLSearchParams,
    sent: NamedForm,
  ): Promise<readonly TypedOrder[]> {
    const named = namesIn(form, sent, page);
    const typed = named.filter(({ name }) => uuidOf(name) === null);
    const found = await Promise.all(
      typed.map(async (each) => ({
        ...each,
        orders: (await this.ordersOf(page.line, each.name)).fit,
      })),
    );
    return found.every(({ orders }) => orders.length > 0) ? found : [];
  }

  async match(
    context: SignedInContext,
    { line, left }: BankLinePage,
    form: URLSearchParams,
  ): Promise<Problems | null> {
    if (line.currency === null) return { form: GONE };
    const { done, problems } = only(matchIn(form, { currency: line.currency, left }));
    if (!done) return problems;
    const found = await Promise.all(done.parts.map((part) => this.orderOf(line, part)));
    const missing = found.flatMap((each) => ('problem' in each ? [each.problem] : []));
    if (missing.length > 0) return Object.fromEntries(missing);
    const orders = found.flatMap((each) => ('order' in each ? [each.order] : []));
    const parts = shares(orders, done.parts, left);
    if (!parts) return { form: MATCH_PROBLEMS.too_much };
    const data = { mode: line.mode, orders: parts.map(({ txid, amount }) => ({ txid, amount })) };
    const { userId } = context.session;
    const outcome = await this.reconciliation.matchManually(
      line.mode,
      line.id,
      parts,
      userId,
      done.note,
      (tx) =>
        this.audit.record(tx, context, { action: 'bank-line.matched', subject: line.id, data }),
    );
    return outcome === 'matched' ? null : { form: MATCH_PROBLEMS[outcome] };
  }

  /** Books the line as a full or partial return of a payment. */
  async takeBack(
    context: SignedInContext,
    { line, returnable }: BankLinePage,
    form: URLSearchParams,
  ): Promise<Problems | null> {
    if (line.currency === null) return { form: GONE };
    const { done, problems } = only(returnIn(form, { currency: line.currency, left: returnable }));
    if (!done) return problems;
    const found = await this.orderOf(line, { ...done, row: 0 });
    if ('problem' in found) return { order: found.problem[1] };
    const { merchantId, txid } = found.order;
    const amount = done.amount ?? returnable;
    const data = { mode: line.mode, txid, amount };
    const entry = { action: 'bank-line.returned', subject: line.id, merchantId, data };
    const outcome = await this.reconciliation.returnManually(
      line.mode,
      line.id,
      { merchantId, txid, amount },
      context.session.userId,
      (tx) => this.audit.record(tx, context, entry),
    );
    return outcome === 'returned' ? null : RETURN_PROBLEMS[outcome];
  }

  async ignore(
    context: SignedInContext,
    line: BankLine,
    form: URLSearchParams,
  ): Promise<Problems | null> {
    const { done, problems } = only(reasonIn(form));
    if (!done) return problems;
    const hook = this.audited<BankLine>(context, line, 'bank-line.ignored');
    return this.said(await this.reconciliation.ignore(line.mode, line.id, done, hook));
  }

  async reopen(context: SignedInContext, line: BankLine): Promise<Problems | null> {
    const hook = this.audited<BankLine>(context, line, 'bank-line.reopened');
    const outcome = await this.reconciliation.reopen(line.mode, line.id, hook);
    return outcome === 'stands_for_return' ? { form: STANDS_FOR_RETURN } : this.said(outcome);
  }

  /** Undoes a booked return. */
  async undoReturn(
    context: SignedInContext,
    { id, mode }: BankLine,
    { merchantId, paymentId, txid, amount }: SeenReturn,
  ): Promise<Problems | null> {
    const data = { mode, txid, amount };
    const entry = { action: 'bank-line.return-undone', subject: id, merchantId, data };
    const key = { merchantId, paymentId };
    const { userId } = context.session;
    const hook = (tx: Parameters<AuditService['record']>[0]) =>
      this.audit.record(tx, context, entry);
    return this.said(await this.returns.undo(mode, id, key, userId, hook));
  }

  async addPayer(
    context: SignedInContext,
    line: BankLine,
    { merchantId, paymentId: id, payerAccountName, payerAccountNumber }: SeenAllocation,
    form: URLSearchParams,
  ): Promise<Problems | null> {
    const typed = new URLSearchParams(form);
    if (payerAccountName !== null) typed.delete('name');
    if (payerAccountNumber !== null) typed.delete('account');
    const { done, problems } = only(payerIn(typed));
    if (!done) return problems;
    // The payer is stored with the payment only, never in the audit log.
    const hook = this.audited(context, line, 'bank-line.payer-added', merchantId);
    return this.said(await this.reconciliation.addPayer(line.mode, { merchantId, id }, done, hook));
  }

  async undo(
    context: SignedInContext,
    line: BankLine,
    { merchantId, paymentId, txid, amount }: SeenAllocation,
    form: URLSearchParams,
  ): Promise<Problems | null> {
    const { done, problems } = only(reasonIn(form));
    if (!done) return problems;
    const data = { mode: line.mode, txid, amount, reason: done };
    const entry = { action: 'bank-line.undone', subject: line.id, merchantId, data };
    const outcome = await this.reconciliation.undo(line.mode, { merchantId, paymentId }, (tx) =>
      this.audit.record(tx, context, entry),
    );
    if (outcome === 'taken_back') return null;
    return { form: UNDO_PROBLEMS[outcome as UndoOutcome] ?? GONE };
  }

  note(
    context: SignedInContext,
    { id, mode }: BankLine,
    form: URLSearchParams,
  ): Promise<Problems | null> {
    const { done, problems } = only(noteIn(form));
    if (!done) return Promise.resolve(problems);
    const createdAt = this.clock.now();
    const { userId } = context.session;
    const note = { id: uuidv7(createdAt.getTime()), lineId: id, userId, text: done, createdAt };
    return this.database.transaction(async (tx) => {
      if (!(await this.queue.insertNote(tx, note)))
        return { text: `A line has at most ${LINE_NOTES_MAX} notes.` };
      await this.audit.record(tx, context, {
        action: 'bank-line.noted',
        subject: id,
        data: { mode },
      });
      return null;
    });
  }

  private said(outcome: ReconciliationOutcome): Problems | null {
    return outcome === 'done' ? null : { form: GONE };
  }

  private audited<T>(
    context: SignedInContext,
    { id, mode }: BankLine,
    action: string,
    merchantId?: string,
  ) {
    const entry = { action, subject: id, data: { mode }, ...(merchantId ? { merchantId } : {}) };
    return (tx: Parameters<AuditService['record']>[0], _changed: T) =>
      this.audit.record(tx, context, entry);
  }

  /** Finds an order by its txid only: the merchant's order number is not unique across merchants. */
  private async orderOf(line: BankLine, { order: text, row }: TypedPart) {
    const { all, fit } = await this.ordersOf(line, text);
    const wrong = (sentence: string) => ({ problem: [`order${row}`, sentence] as const });
    if (!all[0]) return wrong(`No order with this ID in ${line.mode} mode.`);
    if (!fit[0]) return wrong(`This order is for ${moneyText(all[0].amount, all[0].currency)}.`);
    if (uuidOf(text) === null) return wrong('Submit again and choose the order.');
    return { order: fit[0] };
  }

  private async ordersOf({ mode, currency }: BankLine, text: string) {
    const all = text.includes('\0') ? [] : await this.queue.orders(mode, uuidOf(text), text);
    return { all, fit: all.filter((order) => order.currency === currency) };
  }
}
