import { formatMoney, isLongAmount } from '../common/money/money-format.js';
import { formatDeadline } from '../common/time/time-format.js';
import { BANK_TRANSFER } from '../providers/bank-transfer/bank-transfer.provider.js';
import { declineText, MESSAGES } from './messages.js';
import {
  isPayable,
  type PageInput,
  type PageKey,
  type PageSlots,
  type PageState,
} from './page.model.js';
import { isTakenBack, shopUrlOf } from './way-back.js';
import { transferSlots } from './transfer-slots.js';
import { fingerprintOf, mayHaveSent, refusalOf, stateOfOrder, transferOf } from './page-state.js';

const OWES_REST: ReadonlySet<PageState> = new Set(['underpaid', 'awaiting_transfer']);
const SHOWS_MONEY: ReadonlySet<PageState> = new Set([...OWES_REST, 'overpaid', 'paid_late']);
const SHOWS_REFUSAL: ReadonlySet<PageState> = new Set(['declined', 'underpaid', 'failed']);

/** Splits page data into a cacheable key and the slots of one order. */
export function describePage(input: PageInput): { key: PageKey; slots: PageSlots } {
  const { order, cancelable, theme, methods, mode, locale, stays, now } = input;
  const state = stateOfOrder(order);
  const slots = { ...slotsOf(input, state), ...transferSlots(input) };
  const takesBack =
    slots.shopUrl !== undefined && !slots.mayHaveSent && !stays && isTakenBack(order, state, now);
  const others = slots.reference ? methods.filter(({ id }) => id !== BANK_TRANSFER) : methods;
  return { key: { theme, locale, methods: others, mode, state, cancelable, takesBack }, slots };
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
    ...askedSlot(input),
    ...(mayHaveSent(order) && { mayHaveSent: 'yes' }),
  };
}

function moneySlots({ order, locale }: PageInput, state: PageState) {
  const { amount, amountReceived, currency } = order;
  const money = (minor: number) => formatMoney(minor, currency, locale);
  const asked = money(amount);
  return {
    amount: asked,
    due: String(Math.max(0, amount - amountReceived)),
    ...(isLongAmount(asked) && { amountIsLong: 'yes' }),
    ...(SHOWS_MONEY.has(state) && amountReceived > 0 && { amountReceived: money(amountReceived) }),
    ...(OWES_REST.has(state) &&
      amountReceived > 0 && { amountDue: money(Math.max(0, amount - amountReceived)) }),
  };
}

/** No countdown while the outcome is unknown, since it would push the payer to pay twice. A transfer has a day. */
function deadlineSlots({ order, locale, now }: PageInput, state: PageState) {
  if ((!isPayable(state) && state !== 'processing') || transferOf(order)) return {};
  return {
    deadline: formatDeadline(order.expiresAt, now, locale),
    expiresAt: order.expiresAt.toISOString(),
  };
}

/** Shows the payer how long to wait before paying again. */
function askedSlot({ order, locale, now, processingUntil }: PageInput) {
  if (order.statusReason !== 'outcome_unknown' || !processingUntil) return {};
  return { askedUntil: formatDeadline(processingUntil, now, locale) };
}

function refusalSlot({ order, locale }: PageInput, state: PageState) {
  const code = refusalOf(order);
  if (!SHOWS_REFUSAL.has(state) || code === null) return {};
  return { declineReason: declineText(MESSAGES[locale], code) };
}
