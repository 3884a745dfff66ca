import { type BankDay } from '../bank-day.js';
import { readIban } from '../../common/iban.js';
import { counterparty, textOrNull, joinTexts, type PartyTexts } from '../counterparty.js';
import { isBatchCode, isCollectionCode, isReturnCode, lineKind } from '../line-kind.js';
import { quoted, refuse } from '../refused.js';
import { LIMITS } from '../limits.js';
import { lineAmount, PieceQueue, StatementDraft } from '../statement-draft.js';
import { NO_IDENTIFIERS, type StatementLine, type StatementPiece } from '../statement.js';
import type { Total } from '../total.js';
import type { MtDetails } from './mt-details.js';
import { type MtEntry, readMtBalance, readMtEntry } from './mt-entry.js';
import { FIELD_LINES_MAX, type MtField, mtFields } from './mt-fields.js';
import { readMtDetails } from './read-mt-details.js';

/**
 * Reads MT940 (statements) and MT942 (reports within a day), one entry at a time, with the blocks of SWIFT or without.
 * @throws StatementRefusedError
 */
export async function* readMt(
  text: AsyncIterable<string>,
  total: Total,
): AsyncGenerator<StatementPiece[]> {
  const reader = new MtReader();
  for await (const fields of mtFields(text, total)) {
    for (const field of fields) {
      if (field) reader.add(field);
      else reader.end();
    }
    yield reader.pieces.take();
  }
  reader.close();
  yield reader.pieces.take();
}

class MtReader {
  readonly pieces = new PieceQueue();

  private statement: StatementDraft | undefined;
  private statements = 0;
  /** MT942: what it has may be booked otherwise or not at all, until a statement says so. */
  private isInterim = false;
  /** Reports have a limit below which they are silent, statements never. */
  private hasLimit = false;
  private hasEnds = false;
  private entry: MtEntry | undefined;
  /** The lines of each :86: of the entry. */
  private details: (readonly string[])[] = [];
  private readonly formats = new Set<string>();

  add(field: MtField): void {
    const { tag, lines } = field;
    if (tag === '20') return this.begin(lines[0] ?? '');
    const statement =
      this.statement ?? refuse(`Line ${field.line}: :${tag}: stands outside of a statement.`);
    if (tag === '86') this.addDetails(field);
    else this.endEntry();
    if (tag === '61') this.entry = readMtEntry(field);
    else if (tag === '25' || tag === '25P') statement.account = accountOf(lines[0] ?? '');
    else if (tag === '28' || tag === '28C') statement.sequence = textOrNull(lines[0]);
    else if (tag === '34F' || tag === '13D') this.beginInterim(field, statement);
    else if (tag.startsWith('60')) this.beginBalance(field, statement);
    else if (tag.startsWith('62')) this.endBalance(field, statement);
  }

  /** A mark said that the message ends. */
  end(): void {
    this.hasEnds = true;
    this.endStatement();
  }

  close(): void {
    if (this.statement && this.isInterim && this.hasEnds) this.refuseCut('no end, as others have');
    this.endStatement();
    if (this.statements === 0) refuse('The file holds no statement: there is no :20:.');
    for (const format of this.formats) this.pieces.push({ type: 'format', format });
  }

  private endStatement(): void {
    this.endEntry();
    const { statement } = this;
    if (!statement) return;
    if (this.isInterim) Object.assign(statement, { coversFrom: null, coversUntil: null });
    else if (!statement.closing) this.refuseCut('no closing balance (:62F: or :62M:)');
    const format = this.isInterim ? 'mt942' : 'mt940';
    statement.finish(this.pieces, `Statement ${this.statements}`, format);
    this.statements += 1;
    this.formats.add(format);
    this.statement = undefined;
  }

  /** What is gone with its end are entries, and nobody would know of them. */
  private refuseCut(lacks: string): never {
    const id = this.statement?.id ?? '';
    refuse(`Statement ${this.statements}, ${quoted(id)}, has ${lacks}: the file may be cut off.`);
  }

  private begin(id: string): void {
    this.endStatement();
    this.statement = new StatementDraft();
    this.statement.id = textOrNull(id);
    this.isInterim = false;
    this.hasLimit = false;
  }

  /** Some banks also write the time (:13D:) into statements. */
  private beginInterim({ tag, lines }: MtField, statement: StatementDraft): void {
    this.hasLimit ||= tag === '34F';
    this.isInterim = this.hasLimit || !statement.opening;
    statement.currency ??= /^[A-Z]{3}/.exec(lines[0] ?? '')?.[0] ?? null;
  }

  private addDetails({ line, lines }: MtField): void {
    if (!this.entry) return;
    this.details.push(lines);
    const count = this.details.reduce((sum, each) => sum + each.length, 0);
    if (count > FIELD_LINES_MAX) {
      refuse(`Line ${line}: an entry has more than ${FIELD_LINES_MAX} lines of details.`);
    }
    const length = this.details.flat().reduce((sum, each) => sum + each.length, 0);
    if (length > LIMITS.partText) {
      refuse(`Line ${line}: an entry has more than ${LIMITS.partText} characters of details.`);
    }
  }

  private beginBalance(field: MtField, statement: StatementDraft): void {
    this.isInterim = this.hasLimit;
    if (statement.opening) return;
    const { day, ...balance } = readMtBalance(field);
    statement.opening = balance;
    statement.coversFrom = day?.day ?? null;
  }

  /** Behind a balance in between (:62M:) there is more of the day, in the next message. */
  private endBalance(field: MtField, statement: StatementDraft): void {
    const { day, ...balance } = readMtBalance(field);
    statement.closing = balance;
    statement.coversUntil = field.tag === '62F' ? (day?.day ?? null) : null;
  }

  private endEntry(): void {
    const { entry, statement } = this;
    if (entry && statement) this.pieces.push({ type: 'line', line: this.lineOf(entry, statement) });
    this.entry = undefined;
    this.details = [];
  }

  private lineOf(entry: MtEntry, statement: StatementDraft): StatementLine {
    const number = statement.entries;
    const where = `Entry ${number} at line ${entry.line}`;
    const status = entry.expected || this.isInterim ? 'announced' : 'booked';
    const amount = {
      scaled: entry.amount,
      currency: statement.opening?.currency ?? statement.currency,
    };
    statement.count(amount, entry.direction, status === 'booked');
    const { usable, ...shown } = lineAmount(amount, this.pieces, where);
    const details = readMtDetails(this.details);
    const { direction, reversal, customerReference, bankReference } = entry;
    const day = (read: BankDay) => this.pieces.day(read, where);
    const returned = isReturned(entry, details);
    return {
      entry: number,
      detail: 0,
      bookedOn: day(entry.bookedOn),
      valuedOn: day(entry.valuedOn),
      ...shown,
      direction,
      status,
      kind: lineKind({ hasAmount: usable, returned, reversal, ...traitsOf(details) }),
      reversal,
      returned,
      counterparty: counterparty(otherSide(entry, details)),
      references: details.references,
      endToEndId: details.endToEndId,
      bankReference,
      text: joinTexts([...details.texts, ...textsOf(entry)]),
      identifiers: {
        ...NO_IDENTIFIERS,
        entryReference: customerReference,
        entryBankReference: bankReference,
      },
    };
  }
}

const isReturned = ({ type }: MtEntry, { code, returned }: MtDetails): boolean =>
  type.endsWith('RTI') || returned || isReturnCode(code ?? '');

/** The sum of several transfers says nothing of one of them. */
const traitsOf = ({ code, party, endToEndId }: MtDetails) => ({
  collection: isCollectionCode(code ?? ''),
  batchTotal: isBatchCode(code ?? '') && !party.account && endToEndId === null,
});

/** Who paid, or who was paid; where money comes back, banks also name those of the payment before. */
function otherSide(entry: MtEntry, details: MtDetails): PartyTexts {
  const { direction, reversal, supplement } = entry;
  const { party, payer, payee } = details;
  const [wanted, other] = direction === 'in' ? [payer, payee] : [payee, payer];
  const isBack = reversal || isReturned(entry, details);
  const named = wanted ?? (isBack ? other : undefined);
  return {
    ...party,
    name: named?.name || party.name,
    account: party.account || supplement.find(isAccount),
  };
}

/** Some banks put the account of the other side below an entry. */
const isAccount = (line: string): boolean => readIban(line) !== null;

/** What stands below an entry and is text: no account, and no amounts before exchange or charges. */
const textsOf = ({ supplement }: MtEntry): string[] =>
  supplement.filter((line) => !isAccount(line) && !/^\/[A-Z]{4}\//.test(line));

/** The own account as the bank writes it; an IBAN without the currency that some put behind it. */
function accountOf(text: string): string | null {
  const account = textOrNull(text);
  const start = account?.replace(/\/?[A-Z]{3}$/, '') ?? '';
  return readIban(account ?? '') ?? readIban(start) ?? account;
}
