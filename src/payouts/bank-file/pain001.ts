import type { BankFileFormat } from '../../database/payouts/payout-file.entity.js';
import { isCurrency } from '../../common/money/currencies.js';
import { isAmount, toMajorUnits } from '../../common/money/money.js';
import { isSepaText, sepaText } from './sepa-text.js';

/** Debtor account. */
export interface Debtor {
  readonly name: string;
  readonly iban: string;
  readonly bic: string | null;
}

export interface CreditTransfer {
  /** Appears in the bank's statement and in returns; up to 35 characters. */
  readonly endToEndId: string;
  /** Minor units. */
  readonly amount: number;
  readonly name: string;
  readonly iban: string;
  readonly remittance: string;
}

export interface PaymentFile {
  /** Unique; up to 35 characters. */
  readonly messageId: string;
  readonly createdAt: Date;
  /** `2026-11-20`; for euros a day from `nextBankDay`. */
  readonly executionDay: string;
  readonly currency: string;
  readonly debtor: Debtor;
  readonly transfers: readonly CreditTransfer[];
}

/** Differences between the two versions. */
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
 * Payment file as ISO 20022 XML: all transfers from one account on one day. In euros they are SEPA transfers; in other
 * currencies charges are shared. IBANs and BIC as returned by `readIban` and `readBic`; names and remittance in any
 * script.
 * @throws Error for no transfers, an invalid amount or identifier, a name without usable characters, or any other text
 * that a bank would reject.
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

/** The debtor appears within this many characters, since the preceding texts have limited length. */
export const DEBTOR_WITHIN = 2_000;

/** Debtor IBAN in such a file, or in its beginning. */
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

/** Data common to all transfers. */
function instruction(file: PaymentFile, version: Version): string {
  const { debtor } = file;
  const isSepa = file.currency === 'EUR';
  return [
    identifier('PmtInfId', file.messageId),
    leaf('PmtMtd', 'TRF'),
    // One statement line per transfer, which marks its payout as paid.
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

/** Throws when the sum is no longer exact. */
function totals({ transfers, currency }: PaymentFile): string {
  if (!isCurrency(currency)) throw new RangeError('unknown currency');
  const sum = transfers.reduce((total, { amount }) => total + amount, 0);
  return leaf('NbOfTxs', String(transfers.length)) + leaf('CtrlSum', toMajorUnits(sum, currency));
}

/** Identifiers are never altered: the bank's answer refers to them. */
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

/** The schema requires a bank, although the IBAN implies it. */
const bank = (bic: string | null, version: Version): string =>
  bic === null ? branch('Othr', leaf('Id', 'NOTPROVIDED')) : leaf(version.bic, bic);

const branch = (element: string, ...children: string[]): string =>
  `<${element}>${children.join('')}</${element}>`;

/** Needs no escaping: the SEPA character set has no XML special characters. */
function leaf(element: string, text: string): string {
  if (!isSepaText(text)) throw new Error(`not a text for a bank in ${element}`);
  return `<${element}>${text}</${element}>`;
}
