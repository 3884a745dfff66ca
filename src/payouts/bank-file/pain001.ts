import type { BankFileFormat } from '../../database/payouts/payout-file.entity.js';
import { isCurrency } from '../../common/currencies.js';
import { isAmount, toMajorUnits } from '../../common/money.js';
import { isSepaText, sepaText } from './sepa-text.js';

/** Whose account the money leaves. */
export interface Debtor {
  readonly name: string;
  readonly iban: string;
  readonly bic: string | null;
}

export interface CreditTransfer {
  /** Comes back in the bank's statement, and with money that is returned; up to 35 characters. */
  readonly endToEndId: string;
  /** Minor units. */
  readonly amount: number;
  readonly name: string;
  readonly iban: string;
  readonly remittance: string;
}

export interface PaymentFile {
  /** Never used twice; up to 35 characters. */
  readonly messageId: string;
  readonly createdAt: Date;
  /** `2026-11-20`; for euros a day that `nextBankDay` gives. */
  readonly executionDay: string;
  readonly currency: string;
  readonly debtor: Debtor;
  readonly transfers: readonly CreditTransfer[];
}

/** Where the two versions differ. */
interface Version {
  readonly bic: string;
  readonly executionDay: (day: string) => string;
}

const VERSIONS: Record<BankFileFormat, Version> = {
  'pain.001.001.09': {
    bic: 'BICFI',
    executionDay: (day) => branch('ReqdExctnDt', leaf('Dt', day)),
  },
  'pain.001.001.03': {
    bic: 'BIC',
    executionDay: (day) => leaf('ReqdExctnDt', day),
  },
};

const ID_MAX = 35;
const NAME_MAX = 70;
const REMITTANCE_MAX = 140;

/**
 * Orders for the bank, as XML of ISO 20022: all transfers from one account, on one day. In euros they
 * are SEPA transfers; in another currency each side pays its own bank. IBANs and BIC as `readIban`
 * and `readBic` give them; names and remittance in any script.
 * @throws Error for no transfer at all, an amount or an identifier that is none, a name that no bank
 * could read, and any other text that a bank would not take.
 */
export function pain001(file: PaymentFile, format: BankFileFormat): string {
  if (file.transfers.length === 0) throw new Error('a bank file without a transfer');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${format}"><CstmrCdtTrfInitn>`,
    groupHeader(file),
    `<PmtInf>${instruction(file, VERSIONS[format])}`,
    ...file.transfers.map((transfer) => creditTransfer(transfer, file.currency)),
    '</PmtInf>',
    '</CstmrCdtTrfInitn></Document>\n',
  ].join('\n');
}

/** Characters of a file in which its debtor stands: all texts before have a length that banks limit. */
export const DEBTOR_WITHIN = 2_000;

/** The account from which such a file, or the beginning of one, pays. */
export const debtorIbanIn = (xml: string): string | null =>
  /<DbtrAcct><Id><IBAN>([^<]*)</.exec(xml)?.[1] ?? null;

function groupHeader(file: PaymentFile): string {
  return branch(
    'GrpHdr',
    identifier('MsgId', file.messageId),
    leaf('CreDtTm', `${file.createdAt.toISOString().slice(0, 19)}Z`),
    totals(file),
    branch('InitgPty', name(file.debtor.name, 'the debtor')),
  );
}

/** What the transfers have in common. */
function instruction(file: PaymentFile, version: Version): string {
  const { debtor } = file;
  const isSepa = file.currency === 'EUR';
  return [
    identifier('PmtInfId', file.messageId),
    leaf('PmtMtd', 'TRF'),
    // A line of the statement for each transfer, by which a payout is known to be paid.
    leaf('BtchBookg', 'false'),
    totals(file),
    isSepa ? branch('PmtTpInf', branch('SvcLvl', leaf('Cd', 'SEPA'))) : '',
    version.executionDay(file.executionDay),
    branch('Dbtr', name(debtor.name, 'the debtor')),
    branch('DbtrAcct', account(debtor.iban)),
    branch('DbtrAgt', branch('FinInstnId', bank(debtor.bic, version))),
    leaf('ChrgBr', isSepa ? 'SLEV' : 'SHAR'),
  ].join('');
}

function creditTransfer(transfer: CreditTransfer, currency: string): string {
  const { endToEndId, amount } = transfer;
  if (!isAmount(amount)) throw new Error(`not an amount in the transfer ${endToEndId}`);
  const remittance = sepaText(transfer.remittance, REMITTANCE_MAX);
  return branch(
    'CdtTrfTxInf',
    branch('PmtId', identifier('EndToEndId', endToEndId)),
    `<Amt><InstdAmt Ccy="${currency}">${toMajorUnits(amount, currency)}</InstdAmt></Amt>`,
    branch('Cdtr', name(transfer.name, `the creditor of ${endToEndId}`)),
    branch('CdtrAcct', account(transfer.iban)),
    remittance === null ? '' : branch('RmtInf', leaf('Ustrd', remittance)),
  );
}

/** A sum too large to be exact throws: it only grows, so it cannot come back into range. */
function totals({ transfers, currency }: PaymentFile): string {
  if (!isCurrency(currency)) throw new RangeError('unknown currency');
  const sum = transfers.reduce((total, { amount }) => total + amount, 0);
  return leaf('NbOfTxs', String(transfers.length)) + leaf('CtrlSum', toMajorUnits(sum, currency));
}

/** An identifier is written as it is or not at all: by it the bank's answer is found. */
function identifier(element: string, id: string): string {
  if (sepaText(id, ID_MAX) !== id) throw new Error(`not an identifier for a bank: ${id}`);
  return leaf(element, id);
}

function name(text: string, whose: string): string {
  const written = sepaText(text, NAME_MAX);
  if (written === null) throw new Error(`no bank could read the name of ${whose}`);
  return leaf('Nm', written);
}

const account = (iban: string): string => branch('Id', leaf('IBAN', iban));

/** The schema wants a bank, though the IBAN names it already. */
const bank = (bic: string | null, version: Version): string =>
  bic === null ? branch('Othr', leaf('Id', 'NOTPROVIDED')) : leaf(version.bic, bic);

const branch = (element: string, ...children: string[]): string =>
  `<${element}>${children.join('')}</${element}>`;

/** Needs no escapes: the set of the banks has none of the signs that XML reads as its own. */
function leaf(element: string, text: string): string {
  if (!isSepaText(text)) throw new Error(`not a text for a bank in ${element}`);
  return `<${element}>${text}</${element}>`;
}
