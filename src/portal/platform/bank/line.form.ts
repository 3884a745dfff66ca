import { containsCardNumber } from '../../../common/money/card-number.js';
import { type TextLimits, textProblem } from '../../../common/text.js';
import type { MatchableOrder } from '../../../database/bank/matching/bank-queue.repository.js';
import { ACCOUNT_TYPES, type AccountType } from '../../../database/payments/payment.entity.js';
import type { Payer } from '../../../providers/provider.js';
import { amountIn } from '../../kit/amount-field.js';
import type { BankLinePage } from './line-page.service.js';
import { type ParsedForm, type Problems, textOf } from '../../kit/form.js';

/** Forms with order fields. */
export type NamedForm = 'match' | 'return';

/** Maximum number of orders in one match form. */
export const PARTS_MAX = 5;
/** Maximum length of a merchant's order number. */
export const ORDER_MAX = 64;
/** Maximum length of a reason. */
export const LINE_REASON_MAX = 255;
export const LINE_NOTE_MAX = 1_000;
export const PAYER_NAME_MAX = 140;
export const PAYER_ACCOUNT_MAX = 64;

/** One row of the match form. */
export interface TypedPart {
  readonly order: string;
  /** Minor units in the currency of the line; null = all that fits. */
  readonly amount: number | null;
  /** Row index, from 0. */
  readonly row: number;
}

export interface TypedMatch {
  readonly parts: readonly TypedPart[];
  readonly note: string;
}

/**
 * Parses the rows of the match form; skips empty rows.
 * @param left minor units that the line can still pay
 */
export function matchIn(
  form: URLSearchParams,
  { currency, left }: { readonly currency: string; readonly left: number },
): ParsedForm<TypedMatch> {
  const problems: Record<string, string> = {};
  const parts: TypedPart[] = [];
  for (let row = 0; row < PARTS_MAX; row++) {
    const order = textOf(form, `order${row}`);
    const typed = textOf(form, `amount${row}`);
    if (order === '' && typed === '') continue;
    const amount = typed === '' ? null : amountIn(typed, currency, left || 1);
    if (order === '' || order.length > ORDER_MAX) problems[`order${row}`] = ORDER_PROBLEM;
    if (typeof amount === 'string') problems[`amount${row}`] = amount;
    else parts.push({ order, amount, row });
  }
  const note = textOf(form, 'note');
  const fault = typedProblem(note, { max: LINE_REASON_MAX }, TEXT_PROBLEM);
  if (fault) problems['note'] = fault;
  if (parts.length === 0 && Object.keys(problems).length === 0) problems['order0'] = ORDER_PROBLEM;
  return Object.keys(problems).length > 0 ? { problems } : { done: { parts, note } };
}

/**
 * Parses the return form; without an amount, the whole remaining line is returned.
 * @param left minor units of the line that are not booked as returns yet
 */
export function returnIn(
  form: URLSearchParams,
  { currency, left }: { readonly currency: string; readonly left: number },
): ParsedForm<Omit<TypedPart, 'row'>> {
  const order = textOf(form, 'order');
  const typed = textOf(form, 'amount');
  const amount = typed === '' ? null : amountIn(typed, currency, left || 1);
  const isOrder = order !== '' && order.length <= ORDER_MAX;
  if (isOrder && typeof amount !== 'string') return { done: { order, amount } };
  return {
    problems: {
      ...(isOrder ? {} : { order: ORDER_PROBLEM }),
      ...(typeof amount === 'string' ? { amount } : {}),
    },
  };
}

/** Entered order IDs with their fields; empty if the form has other problems. */
export function namesIn(
  form: URLSearchParams,
  sent: NamedForm,
  { line: { currency }, left, returnable }: Pick<BankLinePage, 'line' | 'left' | 'returnable'>,
): { readonly field: string; readonly name: string }[] {
  if (currency === null) return [];
  if (sent === 'return') {
    const parsed = returnIn(form, { currency, left: returnable });
    return 'done' in parsed ? [{ field: 'order', name: parsed.done.order }] : [];
  }
  const parsed = matchIn(form, { currency, left });
  const parts = 'done' in parsed ? parsed.done.parts : [];
  return parts.map(({ order, row }) => ({ field: `order${row}`, name: order }));
}

const ORDER_PROBLEM = 'Enter an order ID: its txid or the merchant’s order number.';
const TEXT_PROBLEM = `Use at most ${LINE_REASON_MAX} characters on one line.`;
const CARD_PROBLEM = 'This looks like a payment card number. Leave it out.';

/** @param sentence message for texts that break the limits */
function typedProblem(text: string, limits: TextLimits, sentence: string): string | undefined {
  if (textProblem(text, limits)) return sentence;
  return containsCardNumber(text) ? CARD_PROBLEM : undefined;
}

export function reasonIn(form: URLSearchParams): ParsedForm<string> {
  const reason = textOf(form, 'reason');
  if (reason === '') return { problems: { reason: 'Enter a reason.' } };
  const fault = typedProblem(reason, { max: LINE_REASON_MAX }, TEXT_PROBLEM);
  return fault ? { problems: { reason: fault } } : { done: reason };
}

/** Payer details; empty fields stay unknown. */
export function payerIn(form: URLSearchParams): ParsedForm<Payer> {
  const accountNumber = textOf(form, 'account') || null;
  const accountName = textOf(form, 'name') || null;
  const accountType = ACCOUNT_TYPES.find((type) => type === form.get('type')) ?? 'unknown';
  const problems = payerProblems(accountNumber, accountName);
  if (Object.keys(problems).length > 0) return { problems };
  return { done: { accountNumber, accountName, accountType: typeFor(accountNumber, accountType) } };
}

const typeFor = (account: string | null, type: AccountType): AccountType | null =>
  account === null ? null : type;

function payerProblems(account: string | null, name: string | null): Problems {
  if (account === null && name === null) return { name: 'Enter a name or an account.' };
  const faults = {
    account: payerProblem(account, PAYER_ACCOUNT_MAX),
    name: payerProblem(name, PAYER_NAME_MAX),
  };
  return Object.fromEntries(
    Object.entries(faults).flatMap(([field, fault]) => (fault ? [[field, fault]] : [])),
  );
}

const payerProblem = (text: string | null, max: number): string | undefined =>
  typedProblem(
    text ?? '',
    { max, name: true },
    `Use at most ${max} characters, and no invisible ones.`,
  );

export function noteIn(form: URLSearchParams): ParsedForm<string> {
  const note = textOf(form, 'text').replaceAll('\r\n', '\n');
  if (note === '') return { problems: { text: 'Enter a note.' } };
  const sentence = `Use at most ${LINE_NOTE_MAX} characters, and no control characters.`;
  const fault = typedProblem(note, { max: LINE_NOTE_MAX, lines: true }, sentence);
  return fault ? { problems: { text: fault } } : { done: note };
}

/** Allows destructuring of either result. */
export const only = <T>(parsed: { readonly done: T } | { readonly problems: Problems }) =>
  'done' in parsed
    ? { done: parsed.done, problems: null }
    : { done: undefined, problems: parsed.problems };

/** Without an amount, a single order gets all that is left, and one of several its outstanding amount. */
export function shares(
  orders: readonly MatchableOrder[],
  typed: readonly TypedPart[],
  left: number,
): readonly { merchantId: string; txid: string; amount: number }[] | null {
  let rest = left;
  const parts = orders.map(({ merchantId, txid, amount: asked, amountReceived }, at) => {
    const open = Math.max(asked - amountReceived, 0) || rest;
    const amount = typed[at]!.amount ?? (orders.length === 1 ? rest : Math.min(open, rest));
    rest -= amount;
    return { merchantId, txid, amount };
  });
  return rest < 0 || parts.some(({ amount }) => amount <= 0) ? null : parts;
}
