import type { SaxesTagPlain } from 'saxes';
import { formatAmount, type BankAmount, isSameAmount, scaledOf } from '../amount.js';
import { LIMITS } from '../limits.js';
import { CamtPeriod } from './camt-period.js';
import { summaryMismatch } from './camt-totals.js';
import { quoted, refuse, StatementRefusedError } from '../refused.js';
import { PieceQueue, StatementDraft } from '../statement-draft.js';
import type { StatementPiece } from '../statement.js';
import type { Total } from '../total.js';
import { readEntry } from './camt-entry.js';
import { type CamtTransaction, readDirection, readTransaction } from './camt-transaction.js';
import { XmlElement } from './element.js';
import { Namespaces } from './namespaces.js';
import { PartSize } from './part-size.js';
import { xmlParser } from './xml-parser.js';

/** Any version, under its ISO 20022 name or the name of a national variant. */
const FORMAT = /\bcamt\.05[234]\.\d{3}\.\d{2}\b/;
/** Any other ISO 20022 message. A namespace without such a name may belong to an envelope. */
const OTHER_FORMAT = /\b[a-z]{4}\.\d{3}\.\d{3}\.\d{2}\b/;
/** Suffix of message elements in version 1. */
const FIRST_VERSION = /V01$/;
const MESSAGES: ReadonlySet<string> = new Set([
  'BkToCstmrAcctRpt',
  'BkToCstmrStmt',
  'BkToCstmrDbtCdtNtfctn',
]);
const STATEMENT_MESSAGE = 'BkToCstmrStmt';
const STATEMENTS: ReadonlySet<string> = new Set(['Rpt', 'Stmt', 'Ntfctn']);
/** Codes of the opening balance in order of preference, and of the closing balance. */
const OPENING = 'OPBD';
const OPENING_BEFORE = 'PRCD';
const CLOSING = 'CLBD';

/**
 * Reads ISO 20022 bank-to-customer messages one entry at a time.
 * @throws StatementRefusedError
 */
export async function* readCamt(
  text: AsyncIterable<string>,
  total: Total,
): AsyncGenerator<StatementPiece[]> {
  const reader = new CamtReader(total);
  for await (const chunk of text) {
    reader.write(chunk);
    yield reader.pieces.take();
  }
  reader.close();
  yield reader.pieces.take();
}

class CamtReader {
  readonly pieces = new PieceQueue();

  private readonly xml = xmlParser({
    opened: (tag) => this.opened(tag),
    closed: () => this.closed(),
    wrote: (text) => this.wrote(text),
    passed: () => this.progress(),
    counted: (parts) => this.total.count('xmlParts', this.xml.line, parts),
  });
  private depth = 0;
  /** Namespaces of the elements outside of statements. */
  private readonly namespaces = new Namespaces();
  /** Parser position after the last complete part; the input after it is buffered. */
  private completedPosition = 0;
  private inDocument = false;
  private format = '';
  private inMessage = false;
  /** Statements contain all bookings of their days; reports and notifications do not. */
  private isComplete = false;
  private statement: StatementDraft | undefined;
  private statementDepth = 0;
  private statements = 0;
  /** Balances by their codes. */
  private balances = new Map<string, BankAmount>();
  /** `TxsSummry` of the statement. */
  private summary: XmlElement | undefined;
  private period = new CamtPeriod();
  /** Open elements, from the child of the statement down to the current one. */
  private readonly open: XmlElement[] = [];
  private readonly size = new PartSize();
  private transactions: CamtTransaction[] = [];
  /** A transaction was unreadable, so its entry is skipped. */
  private isUnreadable = false;

  constructor(private readonly total: Total) {}

  write(chunk: string): void {
    this.total.count('xmlParts', this.xml.line, referencesIn(chunk));
    this.xml.write(chunk);
    if (this.xml.position - this.completedPosition > LIMITS.text + chunk.length) this.tooLong();
  }

  close(): void {
    this.xml.close();
    if (!this.inDocument) refuse('The XML holds no camt.052, camt.053 or camt.054 document.');
    if (!this.inMessage) refuse('The document is empty: it holds no message.');
    if (this.statements === 0) refuse('The message holds no statement.');
  }

  private progress(): void {
    this.completedPosition = this.xml.position;
  }

  private tooLong(): never {
    refuse(`Line ${this.xml.line}: a text is longer than ${LIMITS.text} characters.`);
  }

  private opened(tag: SaxesTagPlain): void {
    this.progress();
    if (++this.depth > LIMITS.depth) {
      refuse(`Line ${this.xml.line}: elements stand more than ${LIMITS.depth} deep in each other.`);
    }
    const name = tag.name.slice(tag.name.indexOf(':') + 1);
    if (this.statement) this.began(new XmlElement(name, this.xml.line, tag.attributes.Ccy));
    else this.openedOutside(name, tag);
  }

  private openedOutside(name: string, tag: SaxesTagPlain): void {
    this.namespaces.open(tag.attributes);
    const message = name.replace(FIRST_VERSION, '');
    if (this.inMessage && STATEMENTS.has(name)) this.beginStatement();
    else if (this.inDocument && MESSAGES.has(message)) this.beginMessage(message);
    else if (name === 'Document') this.beginDocument(this.namespaces.of(tag.name));
  }

  private began(element: XmlElement): void {
    if (this.open.length === 0) this.size.begin();
    if (this.isTransaction(element)) this.size.beginTransaction();
    this.size.addElement(element.line);
    this.open.push(element);
  }

  private beginDocument(namespace: string): void {
    const format = FORMAT.exec(namespace)?.[0];
    if (!format) return this.skipEnvelope(namespace);
    this.inDocument = true;
    this.format = format;
    this.pieces.push({ type: 'format', format });
  }

  private skipEnvelope(namespace: string): void {
    if (namespace !== '' && !OTHER_FORMAT.test(namespace)) return;
    refuse(
      `Line ${this.xml.line}: the namespace ${quoted(namespace)} is not of camt.052, camt.053 or camt.054.`,
    );
  }

  private beginMessage(name: string): void {
    this.inMessage = true;
    this.isComplete = name === STATEMENT_MESSAGE;
  }

  private beginStatement(): void {
    this.statement = new StatementDraft();
    this.statementDepth = this.depth;
    this.balances = new Map();
    this.summary = undefined;
    this.period = new CamtPeriod();
  }

  private wrote(text: string): void {
    this.progress();
    if (text.length > LIMITS.text) this.tooLong();
    const element = this.open.at(-1);
    // White space between elements is ignored; inside a text it is kept.
    if (!element || (element.text === '' && !/\S/.test(text))) return;
    element.text += text;
    if (element.text.length > LIMITS.text) this.tooLong();
    this.size.addText(text.length, this.xml.line);
  }

  private closed(): void {
    this.progress();
    const { statement } = this;
    const element = this.open.pop();
    if (!element) this.namespaces.close();
    if (statement && element) this.took(element, statement);
    else if (statement && this.depth === this.statementDepth) this.endStatement(statement);
    this.depth -= 1;
  }

  private endStatement(statement: StatementDraft): void {
    const where = `Statement ${this.statements}`;
    if (this.isComplete) Object.assign(statement, this.period.days());
    const odd = this.summary && summaryMismatch(this.summary, statement.tallies);
    if (odd) {
      this.pieces.warn('not_balanced', `${where}: ${odd}`);
      statement.isIncomplete = true;
    }
    statement.finish(this.pieces, where, this.format);
    this.statements += 1;
    this.statement = undefined;
  }

  /** Processes each transaction at its end, so that an entry with thousands is never in memory as a whole. */
  private took(element: XmlElement, statement: StatementDraft): void {
    const parent = this.open.at(-1);
    if (this.isTransaction(element)) {
      this.takeTransaction(element, statement);
      this.size.endTransaction(element.line);
      if (this.transactions.length > LIMITS.transactions) {
        refuse(`Line ${element.line}: an entry has more than ${LIMITS.transactions} transactions.`);
      }
    } else if (parent) parent.children.push(element);
    else this.endPart(element, statement);
  }

  /** In version 1, TxDtls is a child of the entry itself. */
  private isTransaction({ name }: XmlElement): boolean {
    const parent = this.open.at(-1)?.name;
    const isThere = parent === 'NtryDtls' || parent === 'Ntry';
    return name === 'TxDtls' && isThere && this.open[0]?.name === 'Ntry';
  }

  private endPart(element: XmlElement, statement: StatementDraft): void {
    const text = element.text.trim() || null;
    if (element.name === 'Id') statement.id = text;
    else if (element.name === 'ElctrncSeqNb') statement.sequence = text;
    else if (element.name === 'LglSeqNb') statement.sequence ??= text;
    else if (element.name === 'TxsSummry') this.summary = element;
    else if (element.name === 'FrToDt') this.period.readRange(element);
    else if (element.name === 'Acct') readAccount(element, statement);
    else if (element.name === 'Bal')
      this.attempt(statement, () => this.readBalance(element, statement));
    else if (element.name === 'Ntry') this.takeEntry(element, statement);
  }

  private takeTransaction(element: XmlElement, statement: StatementDraft): void {
    const read = this.attempt(statement, () => readTransaction(element));
    if (read) this.transactions.push(read);
    else this.isUnreadable = true;
  }

  private takeEntry(element: XmlElement, statement: StatementDraft): void {
    const { transactions, isUnreadable } = this;
    this.transactions = [];
    this.isUnreadable = false;
    if (isUnreadable) return;
    this.attempt(statement, () => readEntry(element, transactions, statement, this.pieces));
  }

  /** Skips an unreadable part with a warning, and marks the statement as incomplete. */
  private attempt<T>(statement: StatementDraft, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof StatementRefusedError)) throw error;
      this.pieces.warn('entry_skipped', error.message);
      statement.isIncomplete = true;
      return undefined;
    }
  }

  private readBalance(element: XmlElement, statement: StatementDraft): void {
    const type = element.textAt('Tp/CdOrPrtry/Cd', 'Tp/Cd') ?? '';
    this.period.readBalance(type, element);
    if (![OPENING, OPENING_BEFORE, CLOSING].includes(type)) return;
    const balance = balanceOf(element);
    const other = this.balances.get(type);
    this.balances.set(type, balance);
    if (type === CLOSING) statement.closing = balance;
    else if (type === OPENING || !this.balances.has(OPENING)) statement.opening = balance;
    if (type === OPENING_BEFORE || !other || isSameAmount(balance, other)) return;
    const words = [balance, other].map(formatAmount).join(' and of ');
    refuse(`Line ${element.line}: there are balances ${type} of ${words}.`);
  }
}

/** Character references take as much time as elements, and the parser does not report them. */
function referencesIn(chunk: string): number {
  let count = 0;
  for (let at = chunk.indexOf('&'); at !== -1; at = chunk.indexOf('&', at + 1)) count += 1;
  return count;
}

/** Own account: an IBAN, or another account number of the bank. */
function readAccount(element: XmlElement, statement: StatementDraft): void {
  const account = element.textAt('Id/IBAN', 'Id/Othr/Id', 'Id/BBAN', 'Id/PrtryAcct/Id');
  statement.account = account ?? null;
  statement.currency = element.textAt('Ccy') ?? null;
}

/** For an overdrawn balance, some banks write a minus sign, and others DBIT. */
function balanceOf(element: XmlElement): BankAmount {
  const amount = element.child('Amt');
  const text = amount?.text.trim() ?? '';
  const isNegative = text.startsWith('-');
  const scaled = scaledOf(isNegative ? text.slice(1) : text);
  if (scaled === undefined) {
    refuse(`Line ${element.line}: the balance ${quoted(text)} is no decimal number.`);
  }
  const isOverdrawn = (readDirection(element) === 'out') !== isNegative;
  return { scaled: isOverdrawn ? -scaled : scaled, currency: amount?.currency ?? null };
}
