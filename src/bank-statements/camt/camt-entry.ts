import { type BankAmount, formatAmount, scaledOf, formatScaled, isSameAmount } from '../amount.js';
import { type BankDay, readIsoDay } from '../bank-day.js';
import { counterparty, joinTexts, reference } from '../counterparty.js';
import { lineKind } from '../line-kind.js';
import { checkLength } from '../lengths.js';
import { quoted, refuse, sentence } from '../refused.js';
import { lineAmount, type PieceQueue, type StatementDraft } from '../statement-draft.js';
import type { MoneyDirection, LineIdentifiers, LineStatus, StatementLine } from '../statement.js';
import { amountAt, bookingCodes, type CamtTransaction, readDirection } from './camt-transaction.js';
import type { XmlElement } from './element.js';

/** Values shared by all transactions of an entry. */
interface Entry {
  readonly number: number;
  readonly where: string;
  readonly amount: BankAmount;
  readonly direction: MoneyDirection;
  readonly status: LineStatus;
  readonly reversal: boolean;
  readonly returned: boolean;
  readonly collection: boolean;
  readonly batchTotal: boolean;
  /** Contradiction between the transactions and the bank's batch count or batch total. */
  readonly batchMismatch: string | undefined;
  readonly bookedOn: string | null;
  readonly valuedOn: string | null;
  readonly reference: string | null;
  readonly bankReference: string | null;
  readonly messageId: string | null;
  readonly paymentInformationId: string | null;
  readonly text: string | null;
}

/** Amount and direction of a line, and its contradictions to the entry. */
interface Part {
  readonly amount: BankAmount | undefined;
  readonly direction: MoneyDirection;
  readonly contradicts: string | undefined;
  /** The transaction has the opposite direction of its entry, so it is not a payment. */
  readonly opposite: boolean;
}

/**
 * Reads an Ntry: one line per transaction if there are two or more, otherwise one line.
 * @throws StatementRefusedError
 */
export function readEntry(
  element: XmlElement,
  transactions: readonly CamtTransaction[],
  statement: StatementDraft,
  pieces: PieceQueue,
): void {
  const entry = entryOf(element, transactions, statement, pieces);
  if (transactions.length > 1) checkRepeated(entry);
  statement.count(entry.amount, entry.direction, entry.status === 'booked');
  const parts =
    transactions.length < 2 ? [single(entry, transactions[0])] : several(entry, transactions);
  for (const [detail, part] of parts.entries()) {
    const line = lineOf(entry, transactions[detail], part, detail, pieces);
    pieces.push({ type: 'line', line });
  }
}

/** Each transaction repeats these, so that a short file could fill the database. */
function checkRepeated(entry: Entry): void {
  const { reference: own, bankReference, messageId, paymentInformationId } = entry;
  for (const text of [own, bankReference, messageId, paymentInformationId])
    if (text) checkLength('reference', text, entry.where);
}

function entryOf(
  element: XmlElement,
  transactions: readonly CamtTransaction[],
  { entries, currency }: StatementDraft,
  pieces: PieceQueue,
): Entry {
  const where = `Entry ${entries} at line ${element.line}`;
  const { scaled, currency: own } = amountAt(element, 'Amt') ?? refuse(`${where} has no amount.`);
  const amount = { scaled, currency: own ?? currency };
  const { batch: isBatch, ...codes } = bookingCodes(element);
  const batches = batchesOf(element);
  const inBatch = (name: string) => batches.map((batch) => batch.textAt(name)).find(Boolean);
  return {
    number: entries,
    where,
    amount,
    direction: readDirection(element) ?? refuse(`${where} is neither CRDT nor DBIT.`),
    status: element.textAt('Sts', 'Sts/Cd') === 'BOOK' ? 'booked' : 'announced',
    reversal: ['true', '1'].includes(element.textAt('RvslInd') ?? ''),
    ...codes,
    batchTotal:
      isBatchTotal(batches, transactions.length) || (isBatch && transactions.length === 0),
    batchMismatch:
      transactions.length > 0 ? batchMismatch(batches, transactions.length, amount) : undefined,
    bookedOn: dayAt(element, 'BookgDt', where, pieces),
    valuedOn: dayAt(element, 'ValDt', where, pieces),
    reference: reference(element.textAt('NtryRef')),
    bankReference: reference(element.textAt('AcctSvcrRef')),
    messageId: reference(inBatch('MsgId')),
    paymentInformationId: reference(inBatch('PmtInfId')),
    text: element.textAt('AddtlNtryInf') ?? null,
  };
}

/** Each NtryDtls may have its own `Btch`; in version 1 the entry has it. */
const batchesOf = (element: XmlElement): XmlElement[] =>
  [element, ...element.all('NtryDtls')].flatMap((each) => each.all('Btch'));

/** Whether an entry is a batch total, whose payments are in another message. */
function isBatchTotal(batches: readonly XmlElement[], transactions: number): boolean {
  if (batches.length === 0 || transactions > 1) return false;
  const counts = batches.flatMap((batch) => batch.textAt('NbOfTxs') ?? []);
  if (counts.length === 0 && batches.length === 1) return transactions === 0;
  return batches.length > 1 || counts.some((count) => Number(count) > 1);
}

/** Compares the transactions with the bank's batch count and total; undefined if they agree or the bank gave none. */
function batchMismatch(
  batches: readonly XmlElement[],
  transactions: number,
  { scaled, currency }: BankAmount,
): string | undefined {
  const said = (name: string) => batches.flatMap((batch) => batch.textAt(name) ?? []);
  const counts = said('NbOfTxs');
  const count = counts.reduce((sum, each) => sum + Number(each), 0);
  const isCounted = transactions > 1 && counts.length === batches.length && counts.length > 0;
  if (isCounted && count !== transactions) {
    return `The bank counts ${counts.join(' + ')} transactions, and there are ${transactions}.`;
  }
  const totals = batches.flatMap((batch) => batch.at('TtlAmt') ?? []);
  const isTotal =
    totals.length > 0 &&
    totals.length === batches.length &&
    totals.every((total) => (total.currency ?? currency) === currency);
  const total = totals.reduce((sum, each) => sum + (scaledOf(each.text.trim()) ?? 0n), 0n);
  return isTotal && total !== scaled
    ? `The bank says that the transactions come to ${formatScaled(total)}.`
    : undefined;
}

function dayAt(
  element: XmlElement,
  name: string,
  where: string,
  pieces: PieceQueue,
): string | null {
  const text = element.textAt(`${name}/Dt`, `${name}/DtTm`);
  if (text === undefined) return null;
  const day: BankDay = readIsoDay(text) ?? refuse(`${where}: ${quoted(text)} is no day.`);
  return pieces.day(day, where);
}

/** Takes amount and direction from the entry; a transaction with other values contradicts it. */
function single(entry: Entry, transaction: CamtTransaction | undefined): Part {
  const { amount, direction } = entry;
  const booked = transaction?.amounts ?? [];
  const opposite = transaction?.direction !== undefined && transaction.direction !== direction;
  const isOther = booked.length > 0 && !booked.some((each) => isSameAmount(each, amount));
  const said = [
    ...(opposite ? ['has the opposite direction'] : []),
    ...(isOther ? [`says ${formatAmount(booked[0]!)}, ${formatAmount(amount)} is booked`] : []),
  ].join(' and ');
  return {
    amount,
    direction,
    contradicts: said ? `The transaction ${said}.` : entry.batchMismatch,
    opposite,
  };
}

/** Each transaction has its own amount. It is incoming only if both the entry and the transaction are credits. */
function several(entry: Entry, transactions: readonly CamtTransaction[]): Part[] {
  const { currency } = entry.amount;
  const parts = transactions.map(({ amounts, instructed, direction = entry.direction }) => ({
    amount: amounts.find((each) => each.currency === currency) ?? amounts[0] ?? instructed,
    direction: direction === 'out' ? direction : entry.direction,
    opposite: direction !== entry.direction,
  }));
  const counted = parts.filter(({ amount }) => amount?.currency === currency);
  const sum = counted.reduce(
    (total, { amount, opposite }) => total + (opposite ? -amount!.scaled : amount!.scaled),
    0n,
  );
  const others = parts.length - counted.length;
  const without = others > 0 ? `, without ${others} in no or another currency` : '';
  const gap =
    sum === entry.amount.scaled && others === 0
      ? entry.batchMismatch
      : `The transactions come to ${formatScaled(sum)}${without}, ${formatAmount(entry.amount)} is booked.`;
  return parts.map((part) => ({
    ...part,
    contradicts: part.opposite ? 'The transaction has the opposite direction of its entry.' : gap,
  }));
}

function lineOf(
  entry: Entry,
  transaction: CamtTransaction | undefined,
  part: Part,
  detail: number,
  pieces: PieceQueue,
): StatementLine {
  const where = `${entry.where}, detail ${detail}`;
  const { usable, ...amount } = lineAmount(part.amount, pieces, where);
  const contradicts = part.contradicts && sentence(part.contradicts);
  if (contradicts) pieces.warn('contradiction', `${where}: ${contradicts}`);
  const { reversal } = entry;
  const returned = entry.returned || transaction?.returned === true;
  const collection = entry.collection || transaction?.collection === true;
  const { batchTotal } = entry;
  const kind = lineKind({ hasAmount: usable, returned, reversal, collection, batchTotal });
  const { direction } = part;
  const other = direction === 'in' ? transaction?.debtor : transaction?.creditor;
  return {
    entry: entry.number,
    detail,
    bookedOn: entry.bookedOn,
    valuedOn: entry.valuedOn,
    ...amount,
    direction,
    status: entry.status,
    kind: part.opposite && kind === 'payment' ? 'other' : kind,
    reversal,
    returned,
    ...(contradicts === undefined ? {} : { contradicts }),
    counterparty: counterparty(other ?? {}),
    references: transaction?.references ?? [],
    endToEndId: transaction?.endToEndId ?? null,
    bankReference: transaction?.bankReference ?? entry.bankReference ?? entry.reference,
    // Omits the text of an entry with several payments, which would be repeated in each line.
    text: joinTexts([
      ...(transaction?.texts ?? []),
      part.amount === entry.amount ? entry.text : null,
    ]),
    identifiers: identifiersOf(entry, transaction),
  };
}

function identifiersOf(entry: Entry, transaction: CamtTransaction | undefined): LineIdentifiers {
  return {
    entryReference: entry.reference,
    entryBankReference: entry.bankReference,
    transactionBankReference: transaction?.bankReference ?? null,
    transactionId: transaction?.transactionId ?? null,
    instructionId: transaction?.instructionId ?? null,
    uetr: transaction?.uetr ?? null,
    messageId: transaction?.messageId ?? entry.messageId,
    paymentInformationId: transaction?.paymentInformationId ?? entry.paymentInformationId,
  };
}
