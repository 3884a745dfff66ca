import { formatMoney, isLongAmount } from '../common/money-format.js';
import { formatDeadline } from '../common/time-format.js';
import { declineText, MESSAGES } from './messages.js';
import {
  isPayable,
  type PageInput,
  type PageKey,
  type PageSlots,
  type PageState,
} from './page.model.js';
import { isTakenBack, shopUrlOf } from './way-back.js';
import { fingerprintOf, refusalOf, stateOfOrder } from './page-state.js';

const SHOWS_MONEY: ReadonlySet<PageState> = new Set(['underpaid', 'overpaid', 'paid_late']);
const SHOWS_REFUSAL: ReadonlySet<PageState> = new Set(['declined', 'underpaid', 'failed']);

/** Splits what a page needs into what may be compiled and kept, and what belongs to one order. */
export function describePage(input: PageInput): { key: PageKey; slots: PageSlots } {
  const { order, cancelable, theme, methods, mode, locale, stays, now } = input;
  const state = stateOfOrder(order);
  const slots = slotsOf(input, state);
  const takesBack = slots.shopUrl !== undefined && !stays && isTakenBack(order, state, now);
  return { key: { theme, locale, methods, mode, state, cancelable, takesBack }, slots };
}

function slotsOf(input: PageInput, state: PageState): PageSlots {
  const { order, token, now } = input;
  const shopUrl = shopUrlOf(order, state);
  return {
    token,
    fingerprint: fingerprintOf(order),
    orderMerchantId: order.orderMerchantId,
    serverNow: now.toISOString(),
    ...(order.description && { description: order.description }),
    ...(shopUrl && { shopUrl }),
    ...moneySlots(input, state),
    ...deadlineSlots(input, state),
    ...refusalSlot(input, state),
  };
}

function moneySlots({ order, locale }: PageInput, state: PageState) {
  const { amount, amountReceived, currency } = order;
  const money = (minor: number) => formatMoney(minor, currency, locale);
  const asked = money(amount);
  return {
    amount: asked,
    ...(isLongAmount(asked) && { amountIsLong: 'yes' }),
    ...(SHOWS_MONEY.has(state) && amountReceived > 0 && { amountReceived: money(amountReceived) }),
    ...(state === 'underpaid' && { amountDue: money(Math.max(0, amount - amountReceived)) }),
  };
}

/** While the bank's answer is unknown, a running clock would only push the payer to pay twice. */
function deadlineSlots({ order, locale, now }: PageInput, state: PageState) {
  if (!isPayable(state) && state !== 'processing') return {};
  return {
    deadline: formatDeadline(order.expiresAt, now, locale),
    expiresAt: order.expiresAt.toISOString(),
  };
}

function refusalSlot({ order, locale }: PageInput, state: PageState) {
  const code = refusalOf(order);
  if (!SHOWS_REFUSAL.has(state) || code === null) return {};
  return { declineReason: declineText(MESSAGES[locale], code) };
}
