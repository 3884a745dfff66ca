import { Injectable } from '@nestjs/common';
import type { Locale } from '../common/locale.js';
import { maskAccount } from '../common/mask.js';
import { readIban } from '../common/money/iban.js';
import { formatMoney } from '../common/money/money-format.js';
import { Clock } from '../common/time/clock.js';
import type { Merchant } from '../database/merchants/merchant.entity.js';
import { MerchantRepository } from '../database/merchants/merchant.repository.js';
import type { Order } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { holderFault } from '../payouts/bank-file/holder.js';
import { type AskingRefund, awaitsPayer, RefundPayees } from '../refunds/refund-payees.service.js';
import type { EntryFault } from './messages.js';
import {
  type RefundEntry,
  type RefundAccountPage,
  type RefundAccountState,
  renderRefundAccount,
} from './refund-account.view.js';

/** Longer texts in a field are cut before they are checked and shown again. */
const FIELD_MAX = 140;

/** A refund that asks its payer, with what its page shows. */
export interface ShownRefund extends AskingRefund {
  readonly order: Order;
  readonly merchant: Merchant;
}

@Injectable()
export class RefundAccountService {
  constructor(
    private readonly payees: RefundPayees,
    private readonly orders: OrderRepository,
    private readonly merchants: MerchantRepository,
    private readonly clock: Clock,
  ) {}

  async find(token: string): Promise<ShownRefund | null> {
    const asking = await this.payees.findByToken(token);
    if (!asking) return null;
    const { refund } = asking;
    const order = await this.orders.find(refund, { txid: refund.txid });
    const merchant = await this.merchants.find(refund.merchantId);
    return order && merchant && { ...asking, order, merchant };
  }

  render(asking: ShownRefund, locale: Locale, entry: RefundEntry | null = null): string {
    const { payee, refund, order, merchant } = asking;
    const page: RefundAccountPage = {
      state: this.stateOf(asking),
      locale,
      theme: merchant,
      orderMerchantId: order.orderMerchantId,
      amount: formatMoney(refund.amount, refund.currency, locale),
      account: payee.iban === null ? null : maskAccount(payee.iban, 'iban'),
      isTest: refund.mode === 'test',
      entry,
    };
    return renderRefundAccount(page);
  }

  /** @returns the rejected entry; null if it was accepted, or the refund no longer waits for it */
  async enter(asking: AskingRefund, form: URLSearchParams): Promise<RefundEntry | null> {
    const holder = textOf(form, 'holder');
    const text = textOf(form, 'iban');
    const iban = readIban(text);
    const faults: EntryFault[] = [];
    if (holderFault(holder)) faults.push('holder');
    if (iban === null) faults.push('iban');
    else if (!this.payees.isReachable(asking.refund, iban)) faults.push('unreachable');
    if (iban === null || faults.length > 0) return { holder, iban: text, faults };
    await this.payees.enter(asking, { holder, iban });
    return null;
  }

  private stateOf({ payee, refund }: AskingRefund): RefundAccountState {
    if (payee.enteredAt === null)
      return awaitsPayer(refund) && payee.expiresAt > this.clock.now() ? 'form' : 'ended';
    if (refund.status === 'succeeded') return 'sent';
    return refund.completedAt === null ? 'entered' : 'ended';
  }
}

const textOf = (form: URLSearchParams, name: string): string =>
  (form.get(name) ?? '').slice(0, FIELD_MAX).trim();
