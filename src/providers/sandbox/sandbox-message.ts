import { isAmount } from '../../common/money/money.js';
import { uuidOf } from '../../common/ids.js';
import { DECLINE_CODES, type DeclineCode, isDeclineCode } from '../../common/decline-codes.js';
import { textProblem } from '../../common/text.js';
import type { AccountType } from '../../database/payments/payment.entity.js';
import type { SandboxTransaction } from '../../database/sandbox-bank/sandbox-transaction.entity.js';
import type { Outcome, Payer, ProviderReport } from '../provider.js';

/** Callback message of the sandbox bank, in its own format. */
export interface SandboxMessage {
  readonly id: string;
  readonly merchant: string;
  readonly order: string;
  readonly payment: string;
  readonly result: 'booked' | 'refused' | 'withdrawn' | 'in_progress';
  readonly amount?: number;
  readonly currency?: string;
  readonly reason?: DeclineCode;
  readonly debtorAccount?: string | null;
  readonly debtorAccountType?: AccountType | null;
  readonly debtorName?: string | null;
  /** The bank's payment reference. */
  readonly reference?: string;
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

export const SANDBOX_ACCOUNTS: Readonly<Record<AccountType, string>> = {
  iban: 'DE89370400440532013000',
  domestic: '12345678',
  masked_card: '**** **** **** 4242',
  wallet: 'wallet-4711',
  email: 'payer@example.com',
  unknown: '4711',
};

const isAccountType = (type: unknown): type is AccountType =>
  typeof type === 'string' && Object.hasOwn(SANDBOX_ACCOUNTS, type);

const accountType = (account: string | null, type: unknown): AccountType | null => {
  if (account === null) return null;
  if (isAccountType(type)) return type;
  if (IBAN.test(account)) return 'iban';
  return account.includes('@') ? 'email' : 'domestic';
};

export const SANDBOX_REFUSED = {
  kind: 'declined',
  code: 'declined',
  message: 'The bank refused.',
} as const;

const refused = (reason: unknown): Outcome =>
  isDeclineCode(reason) && reason !== SANDBOX_REFUSED.code
    ? { kind: 'declined', code: reason, message: DECLINE_CODES[reason].meaning }
    : SANDBOX_REFUSED;

export const SANDBOX_TURNED_BACK = {
  kind: 'declined',
  code: 'cancelled_by_payer',
  message: 'The payer turned back at the bank.',
} as const;

const payer = (account: string | null, type: unknown, name: string | null): Payer => ({
  accountNumber: account,
  accountType: accountType(account, type),
  accountName: name,
});

const NO_PAYER = payer(null, null, null);

/** Whether the bank has reported the payer, or would on request. */
export const isPayerReported = ({ payerDueAt }: SandboxTransaction, now: Date): boolean =>
  payerDueAt === null || payerDueAt <= now;

/** Whether the answer itself is still due, and not only the payer details. */
export const isAnswerLate = ({ dueAt, payerDueAt }: SandboxTransaction, now: Date): boolean =>
  dueAt !== null && dueAt > now && dueAt.getTime() !== payerDueAt?.getTime();

/** Outcome in the bank's records at `now`. A late answer is pending until it is due. */
export function sandboxOutcome(line: SandboxTransaction | null, now: Date): Outcome {
  if (!line || line.outcome === 'unknown') return { kind: 'unknown' };
  if (line.outcome === null || line.outcome === 'pending') return { kind: 'pending' };
  if (isAnswerLate(line, now)) return { kind: 'pending' };
  if (line.outcome === 'declined') return refused(line.declineCode);
  if (line.outcome === 'cancelled') return SANDBOX_TURNED_BACK;
  return {
    kind: 'accepted',
    amount: line.paidAmount ?? line.amount,
    currency: line.paidCurrency ?? line.currency,
    payer: isPayerReported(line, now)
      ? payer(line.payerAccountNumber, line.payerAccountType, line.payerAccountName)
      : NO_PAYER,
  };
}

const EVENT_ID = { min: 1, max: 255 };
const PAYER_TEXT = { max: 255 };

/** Ignores payer details that cannot be stored, since the money matters more. */
const text = (value: unknown): string | null =>
  textProblem(value, PAYER_TEXT) ? null : (value as string);

const idOf = (value: unknown): string | null => (typeof value === 'string' ? uuidOf(value) : null);

/** Parses a callback; null if it is not a message of the bank. */
export function readSandboxMessage(body: Buffer): ProviderReport | null {
  let message: Partial<Record<keyof SandboxMessage, unknown>> | null;
  try {
    message = JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
  const merchantId = idOf(message?.merchant);
  const txid = idOf(message?.order);
  const paymentId = idOf(message?.payment);
  if (!message || !merchantId || !txid || !paymentId) return null;
  const outcome = readResult(message);
  if (!outcome || textProblem(message.id, EVENT_ID)) return null;
  const providerReference = text(message.reference);
  return {
    eventId: message.id as string,
    merchantId,
    txid,
    paymentId,
    outcome,
    ...(providerReference === null ? {} : { providerReference }),
  };
}

function readResult(message: Partial<Record<keyof SandboxMessage, unknown>>): Outcome | null {
  if (message.result === 'refused') return refused(message.reason);
  if (message.result === 'withdrawn') return SANDBOX_TURNED_BACK;
  if (message.result === 'in_progress') return { kind: 'pending' };
  if (message.result !== 'booked') return null;
  const { amount, currency } = message;
  if (!isAmount(amount) || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency))
    return null;
  const { debtorAccount, debtorAccountType, debtorName } = message;
  return {
    kind: 'accepted',
    amount,
    currency,
    payer: payer(text(debtorAccount), debtorAccountType, text(debtorName)),
  };
}
