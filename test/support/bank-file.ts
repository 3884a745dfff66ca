import type { CsvProfile } from '../../src/bank-statements/csv/csv-profile.js';

/** One payment, as far as its bank tells of it. */
export interface WrittenPayment {
  /** Minor units of the statement's currency, never negative. */
  readonly amount: number;
  /** The bank's own name for it (`TxDtls/Refs/AcctSvcrRef`). */
  readonly bankReference?: string;
  readonly transactionId?: string;
  readonly e2e?: string;
  /** What the payer wrote; texts beyond 140 characters are cut where a bank does it. */
  readonly text?: string;
  /** A structured reference (`SCOR`). */
  readonly reference?: string;
  /** Who stands on the other side. */
  readonly payer?: { readonly name?: string; readonly iban?: string; readonly bic?: string };
  readonly returned?: boolean;
}

/** A booking: one payment, or several that were booked together. */
export interface WrittenEntry extends WrittenPayment {
  /** Default: in. A reversal has the direction of its money, too. */
  readonly direction?: 'in' | 'out';
  /** `YYYY-MM-DD`; default: the statement's last day. */
  readonly bookedOn?: string;
  /** Default: `bookedOn`. */
  readonly valuedOn?: string;
  readonly status?: 'booked' | 'announced';
  readonly ntryRef?: string;
  readonly acctSvcrRef?: string;
  readonly reversal?: boolean;
  /** The payments of a batch; MT940 and CSV show none of them. */
  readonly details?: readonly WrittenPayment[];
  /** How many payments a total without details stands for. */
  readonly batchOf?: number;
  /** What their payer called the file of the payments of a batch. */
  readonly messageId?: string;
}

export interface WrittenStatement {
  readonly account: string;
  readonly entries: readonly WrittenEntry[];
  /** Default: EUR. */
  readonly currency?: string;
  readonly id?: string;
  readonly sequence?: string;
  /** The last day that it covers (`YYYY-MM-DD`). */
  readonly day: string;
  /** The first such day; default: `day`. */
  readonly from?: string;
  /** Minor units, negative when overdrawn; default: 0. */
  readonly opening?: number;
  /** Default: what follows from the booked entries. */
  readonly closing?: number;
}

export type CamtMessage = '052' | '053' | '054';

/** Minor digits of the currencies that tests use. */
const exponentOf = (currency: string): number =>
  currency === 'JPY' ? 0 : currency === 'KWD' ? 3 : 2;

function decimal(amount: number, currency: string, point = '.'): string {
  const digits = exponentOf(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}${point}${text.slice(-digits)}`;
}

const xml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

/** An element with what it holds, or nothing when it holds nothing. */
const tag = (name: string, content: string | undefined): string =>
  content ? `<${name}>${content}</${name}>` : '';
const text = (name: string, value: string | undefined): string =>
  value === undefined ? '' : tag(name, xml(value));

/** What the booked entries come to. */
export const closingOf = ({ opening = 0, closing, entries }: WrittenStatement): number =>
  closing ??
  entries
    .filter(({ status }) => status !== 'announced')
    .reduce(
      (sum, { amount, direction }) => sum + (direction === 'out' ? -amount : amount),
      opening,
    );

const MESSAGES = {
  '052': ['BkToCstmrAcctRpt', 'Rpt'],
  '053': ['BkToCstmrStmt', 'Stmt'],
  '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const;

/** A camt.052, camt.053 or camt.054 file of version 8. */
export function camtFile(message: CamtMessage, ...statements: readonly WrittenStatement[]): string {
  const [root, name] = MESSAGES[message];
  const all = statements.map((each) => camtStatement(message, name, each)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.08"><${root}>
<GrpHdr><MsgId>M1</MsgId></GrpHdr>${all}
</${root}></Document>
`;
}

function camtStatement(message: CamtMessage, name: string, statement: WrittenStatement): string {
  const {
    account,
    currency = 'EUR',
    id = 'S1',
    sequence,
    day,
    from = day,
    opening = 0,
  } = statement;
  const balances =
    message === '053'
      ? camtBalance('OPBD', opening, currency, from) +
        camtBalance('CLBD', closingOf(statement), currency, day)
      : '';
  const number = /^[A-Z]{2}\d{2}[A-Z0-9]{10,}$/.test(account)
    ? text('IBAN', account)
    : tag('Othr', text('Id', account));
  const entries = statement.entries.map((entry) => camtEntry(entry, currency, day)).join('');
  return `
<${name}>${text('Id', id)}${text('ElctrncSeqNb', sequence)}<FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${day}T23:59:59</ToDtTm></FrToDt><Acct>${tag('Id', number)}<Ccy>${currency}</Ccy></Acct>${balances}${entries}
</${name}>`;
}

function camtBalance(code: string, amount: number, currency: string, day: string): string {
  return `
<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${decimal(amount, currency)}</Amt><CdtDbtInd>${amount < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
}

function camtEntry(entry: WrittenEntry, currency: string, day: string): string {
  const { amount, direction = 'in', bookedOn = day, valuedOn = bookedOn } = entry;
  const { details = entry.batchOf === undefined ? [entry] : [] } = entry;
  const indicator = direction === 'in' ? 'CRDT' : 'DBIT';
  const count = entry.batchOf ?? details.length;
  const named = text('MsgId', entry.messageId);
  const batch = count > 1 ? tag('Btch', named + text('NbOfTxs', String(count))) : '';
  const transactions = details.map((each) => camtTransaction(each, currency, indicator)).join('');
  return `
<Ntry>${text('NtryRef', entry.ntryRef)}<Amt Ccy="${currency}">${decimal(amount, currency)}</Amt><CdtDbtInd>${indicator}</CdtDbtInd>${entry.reversal ? '<RvslInd>true</RvslInd>' : ''}<Sts><Cd>${entry.status === 'announced' ? 'PDNG' : 'BOOK'}</Cd></Sts><BookgDt><Dt>${bookedOn}</Dt></BookgDt><ValDt><Dt>${valuedOn}</Dt></ValDt>${text('AcctSvcrRef', entry.acctSvcrRef)}${tag('NtryDtls', batch + transactions)}</Ntry>`;
}

function camtTransaction(
  { amount, payer = {}, ...payment }: WrittenPayment,
  currency: string,
  indicator: 'CRDT' | 'DBIT',
): string {
  const role = indicator === 'CRDT' ? 'Dbtr' : 'Cdtr';
  const refs =
    text('AcctSvcrRef', payment.bankReference) +
    text('EndToEndId', payment.e2e ?? 'NOTPROVIDED') +
    text('TxId', payment.transactionId);
  const parties =
    tag(role, tag('Pty', text('Nm', payer.name))) +
    tag(`${role}Acct`, tag('Id', text('IBAN', payer.iban)));
  const agents = tag(`${role}Agt`, tag('FinInstnId', text('BICFI', payer.bic)));
  const free = (payment.text?.match(/[^]{1,140}/gu) ?? []).map((part) => text('Ustrd', part));
  const structured = payment.reference
    ? `<Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp>${text('Ref', payment.reference)}</CdtrRefInf></Strd>`
    : '';
  const back = payment.returned ? '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>' : '';
  return `<TxDtls>${tag('Refs', refs)}<Amt Ccy="${currency}">${decimal(amount, currency)}</Amt><CdtDbtInd>${indicator}</CdtDbtInd>${tag('RltdPties', parties)}${tag('RltdAgts', agents)}${tag('RmtInf', free.join('') + structured)}${back}</TxDtls>`;
}

/** `YYMMDD` */
const mtDay = (day: string): string => day.slice(2).replaceAll('-', '');

/** MT940, in the style of German banks. */
export const mt940File = (...statements: readonly WrittenStatement[]): string =>
  statements.map((statement) => mtStatement(statement, false)).join('');

/** MT942, which only announces. */
export const mt942File = (...statements: readonly WrittenStatement[]): string =>
  statements.map((statement) => mtStatement(statement, true)).join('');

function mtStatement(statement: WrittenStatement, isInterim: boolean): string {
  const { account, currency = 'EUR', id = 'S1', sequence = '1/1', day, from = day } = statement;
  const balance = (field: string, amount: number, on: string) =>
    `:${field}:${amount < 0 ? 'D' : 'C'}${mtDay(on)}${currency}${decimal(amount, currency, ',')}\n`;
  const entries = statement.entries
    .filter(({ status }) => isInterim || status !== 'announced')
    .map((entry) => mtEntry(entry, currency, day));
  const head = `:20:${id}\n:25:${account}\n:28C:${sequence}\n`;
  return isInterim
    ? `${head}:34F:${currency}0,\n:13D:${mtDay(day)}1200+0100\n${entries.join('')}-\n`
    : `${head}${balance('60F', statement.opening ?? 0, from)}${entries.join('')}${balance('62F', closingOf(statement), day)}-\n`;
}

function mtEntry(entry: WrittenEntry, currency: string, day: string): string {
  const { direction = 'in', reversal, bookedOn = day, valuedOn = bookedOn } = entry;
  const mark = reversal ? (direction === 'in' ? 'RD' : 'RC') : direction === 'in' ? 'C' : 'D';
  const reference = entry.acctSvcrRef ?? entry.bankReference;
  const bank = reference === undefined ? '' : `//${reference.slice(0, 16)}`;
  const short = mtDay(bookedOn).slice(2);
  const type = entry.returned ? 'NRTI' : 'NTRF';
  return `:61:${mtDay(valuedOn)}${short}${mark}${decimal(entry.amount, currency, ',')}${type}NONREF${bank}\n${mtDetails(entry)}`;
}

/** A purpose of up to ten parts of 27 characters, then the other side. */
function mtDetails({
  e2e,
  text: said,
  reference,
  payer = {},
  returned,
  details,
}: WrittenEntry): string {
  const purpose =
    (e2e === undefined ? '' : `EREF+${e2e}`) +
    `SVWZ+${[reference, said].filter(Boolean).join(' ')}`;
  const parts = details ? ['SAMMELGUTSCHRIFT'] : (purpose.match(/[^]{1,27}/gu) ?? []).slice(0, 14);
  const numbered = parts.map((part, at) => `?${at < 10 ? 20 + at : 50 + at}${part}`).join('');
  const other = [
    payer.bic && `?30${payer.bic}`,
    payer.iban && `?31${payer.iban}`,
    payer.name && `?32${payer.name.slice(0, 27)}`,
  ];
  const whole = `${returned ? '159' : '166'}?00GUTSCHRIFT${numbered}${other.filter(Boolean).join('')}`;
  return `:86:${(whole.match(/[^]{1,65}/gu) ?? []).join('\n')}\n`;
}

/** How `csvFile` of an account is read. */
export const csvProfileOf = (ownAccount: string): CsvProfile => ({
  name: 'test',
  ownAccount,
  delimiter: ';',
  date: 'DD.MM.YYYY',
  decimal: ',',
  group: '',
  columns: {
    bookedOn: 'Booked',
    valuedOn: 'Valued',
    amount: 'Amount',
    currency: 'Currency',
    name: 'Name',
    account: 'Account',
    bic: 'BIC',
    text: ['Text'],
    reference: 'Reference',
    endToEndId: 'EndToEnd',
    bankReference: 'BankReference',
    balance: 'Balance',
  },
});

const csvDay = (day: string): string => day.split('-').toReversed().join('.');
const csvAmount = (amount: number, currency: string): string =>
  `${amount < 0 ? '-' : ''}${decimal(Math.abs(amount), currency, ',')}`;
const cell = (value = ''): string => `"${value.replaceAll('"', '""')}"`;

/** CSV that `csvProfileOf` reads; it shows only what is booked. */
export function csvFile(statement: WrittenStatement): string {
  const { entries, currency = 'EUR', day, opening = 0 } = statement;
  let balance = opening;
  const head =
    'Booked;Valued;Amount;Currency;Name;Account;BIC;Text;Reference;EndToEnd;BankReference;Balance\n';
  const rows = entries
    .filter(({ status }) => status !== 'announced')
    .map((entry) => {
      const { bookedOn = day, valuedOn = bookedOn, direction, amount, payer = {} } = entry;
      balance += direction === 'out' ? -amount : amount;
      return [
        csvDay(bookedOn),
        csvDay(valuedOn),
        csvAmount(direction === 'out' ? -amount : amount, currency),
        currency,
        ...[payer.name, payer.iban, payer.bic, entry.text, entry.reference, entry.e2e].map(cell),
        cell(entry.acctSvcrRef ?? entry.bankReference),
        csvAmount(balance, currency),
      ].join(';');
    });
  return `${head}${rows.join('\n')}\n`;
}
