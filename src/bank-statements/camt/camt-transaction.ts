import { type BankAmount, scaledOf } from '../amount.js';
import { type PartyTexts, reference } from '../counterparty.js';
import { checkLength } from '../lengths.js';
import {
  isBatchCode,
  isCollectionCode,
  isCollectionType,
  isReturnCode,
  isReturnType,
} from '../line-kind.js';
import { quoted, refuse } from '../refused.js';
import type { MoneyDirection, LineReference } from '../statement.js';
import type { XmlElement } from './element.js';

/** Content of a TxDtls, in which every element is optional. */
export interface CamtTransaction {
  readonly direction: MoneyDirection | undefined;
  /** Possible booked amounts, the most likely first. */
  readonly amounts: readonly BankAmount[];
  /** Instructed amount, before charges and currency exchange. */
  readonly instructed: BankAmount | undefined;
  readonly returned: boolean;
  readonly collection: boolean;
  readonly debtor: PartyTexts;
  readonly creditor: PartyTexts;
  readonly references: readonly LineReference[];
  readonly endToEndId: string | null;
  readonly bankReference: string | null;
  readonly transactionId: string | null;
  readonly instructionId: string | null;
  readonly uetr: string | null;
  readonly messageId: string | null;
  readonly paymentInformationId: string | null;
  /** Payer's remittance text, rejoined, then the bank's additions. */
  readonly texts: readonly string[];
}

/** ISO 20022 bank transaction codes: families of direct debits, and subfamilies of returns. */
const COLLECTION_FAMILIES: ReadonlySet<string> = new Set(['IDDT', 'RDDT']);
const RETURN_FAMILIES: ReadonlySet<string> = new Set(['RRTN', 'ARET', 'UPDD', 'PRDD', 'RPCR']);
/** `NTRF+166`, `NRTI+109+…`, `NDDT`: SWIFT transaction type, and the German booking code if there is one. */
const GERMAN_CODE = /^([NSF][A-Z0-9]{3})(?:\+(\d{3})(?!\d)|$|\+)/;
const DIRECTIONS: ReadonlyMap<string, MoneyDirection> = new Map([
  ['CRDT', 'in'],
  ['DBIT', 'out'],
]);
/** Lengths at which texts are cut (form line, transfer field), often inside a word. */
const CUT_AT: ReadonlySet<number> = new Set([35, 140]);
/** Processing flags of PostFinance. */
const BANK_FLAG = /^\?[A-Z]+\?\d+$/;

export function readTransaction(element: XmlElement): CamtTransaction {
  const refs = (name: string) => reference(element.textAt(`Refs/${name}`));
  return {
    direction: readDirection(element),
    amounts: ['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/CntrValAmt/Amt'].flatMap(
      (path) => amountAt(element, path) ?? [],
    ),
    instructed: amountAt(element, 'AmtDtls/InstdAmt/Amt'),
    ...bookingCodes(element),
    debtor: party(element, 'Dbtr'),
    creditor: party(element, 'Cdtr'),
    references: references(element),
    endToEndId: refs('EndToEndId'),
    bankReference: refs('AcctSvcrRef'),
    transactionId: refs('TxId'),
    instructionId: refs('InstrId'),
    uetr: refs('UETR'),
    messageId: refs('MsgId'),
    paymentInformationId: refs('PmtInfId'),
    texts: remittance(element),
  };
}

/** @throws StatementRefusedError for a debit/credit indicator other than CRDT and DBIT */
export function readDirection(element: XmlElement): MoneyDirection | undefined {
  const indicator = element.child('CdtDbtInd');
  if (!indicator) return undefined;
  return (
    DIRECTIONS.get(indicator.text.trim()) ??
    refuse(`Line ${indicator.line}: ${quoted(indicator.text)} is neither CRDT nor DBIT.`)
  );
}

/** @throws StatementRefusedError for an invalid decimal number, or too long a currency */
export function amountAt(element: XmlElement, path: string): BankAmount | undefined {
  const found = element.at(path);
  if (!found) return undefined;
  const scaled = scaledOf(found.text.trim().replace(/^\+/, ''));
  if (scaled === undefined) {
    refuse(`Line ${found.line}: the amount ${quoted(found.text.trim())} is no decimal number.`);
  }
  const currency = found.currency ?? null;
  checkLength('currency', currency, `Line ${found.line}`);
  return { scaled, currency };
}

interface BookingCodes {
  readonly returned: boolean;
  readonly collection: boolean;
  /** Batch total, unless the entry contains its transfers. */
  readonly batch: boolean;
}

/** Evaluates the codes (`BkTxCd`) and the return information of an entry or transaction. */
export function bookingCodes(element: XmlElement): BookingCodes {
  const code = element.child('BkTxCd');
  const family = code?.textAt('Domn/Fmly/Cd') ?? '';
  const below = code?.textAt('Domn/Fmly/SubFmlyCd') ?? '';
  const [, type = '', german = ''] = GERMAN_CODE.exec(code?.textAt('Prtry/Cd') ?? '') ?? [];
  return {
    returned:
      element.child('RtrInf') !== undefined ||
      RETURN_FAMILIES.has(below) ||
      isReturnType(type) ||
      isReturnCode(german),
    collection:
      COLLECTION_FAMILIES.has(family) || isCollectionType(type) || isCollectionCode(german),
    batch: isBatchCode(german),
  };
}

/** Since version 8 a party is a person or firm (`Pty`), or a bank (`Agt`). */
function party(element: XmlElement, role: 'Dbtr' | 'Cdtr'): PartyTexts {
  const parties = element.child('RltdPties');
  const agent = `RltdAgts/${role}Agt/FinInstnId`;
  const id = `${role}Acct/Id`;
  return {
    name: parties?.textAt(`${role}/Nm`, `${role}/Pty/Nm`, `${role}/Agt/FinInstnId/Nm`),
    account: parties?.textAt(`${id}/IBAN`, `${id}/Othr/Id`, `${id}/BBAN`, `${id}/PrtryAcct/Id`),
    bic: element.textAt(`${agent}/BICFI`, `${agent}/BIC`),
  };
}

function references(element: XmlElement): LineReference[] {
  const structured = element.child('RmtInf')?.all('Strd') ?? [];
  return structured.flatMap((each) => {
    const value = reference(each.textAt('CdtrRefInf/Ref', 'CdtrRefInf/CdtrRef'));
    const type = `CdtrRefInf/${each.at('CdtrRefInf/CdtrRefTp') ? 'CdtrRefTp' : 'Tp'}/CdOrPrtry`;
    return value ? [{ value, type: each.textAt(`${type}/Cd`, `${type}/Prtry`) ?? null }] : [];
  });
}

function remittance(element: XmlElement): string[] {
  const information = element.child('RmtInf');
  const free = (information?.all('Ustrd') ?? []).map(({ text }) => text);
  const structured = information?.all('Strd') ?? [];
  const more = structured
    .flatMap((each) => [
      ...each.all('RfrdDocInf').map((document) => document.textAt('Nb') ?? ''),
      ...each.all('AddtlRmtInf').map(({ text }) => text.trim()),
    ])
    .filter((text) => !BANK_FLAG.test(text));
  return [rejoin(free), ...more, element.textAt('AddtlTxInf') ?? ''];
}

function rejoin(parts: readonly string[]): string {
  return parts.map((part) => (CUT_AT.has([...part].length) ? part : `${part} `)).join('');
}
