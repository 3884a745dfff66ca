import { type BankDay } from '../bank-day.js';
import { readIban } from '../../common/iban.js';
import { counterparty, textOrNull, joinTexts } from '../counterparty.js';
import { isCollectionCode, isReturnCode, lineKind } from '../line-kind.js';
import { refuse } from '../refused.js';
import { lineAmount, PieceQueue, StatementDraft } from '../statement-draft.js';
import { NO_IDENTIFIERS, type StatementLine, type StatementPiece } from '../statement.js';
import { readMtDetails } from './mt-details.js';
import { type MtEntry, readMtBalance, readMtEntry } from './mt-entry.js';
import { type MtField, mtFields } from './mt-fields.js';

/**
 * Reads MT940 (statements) and MT942 (reports within a day), one entry at a time, with the blocks of SWIFT or without.
 * @throws StatementRefusedError
 */
export async function* readMt(text: AsyncIterable<string>): AsyncGenerator<StatementPiece[]> {
  const reader = new MtReader();
  for await (const fields of mtFields(text)) {
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
  private entry: MtEntry | undefined;
  private details: readonly string[] = [];
  private readonly formats = new Set<string>();

  add(field: MtField): void {
    const { tag, lines } = field;
    if (tag === '20') return this.begin(lines[0] ?? '');
    const statement =
      this.statement ?? refuse(`Line ${field.line}: :${tag}: stands outside of a statement.`);
    if (tag === '86') this.details = this.entry ? lines : [];
    else this.endEntry();
    if (tag === '61') this.entry = readMtEntry(field);
    else if (tag === '25' || tag === '25P') statement.account = accountOf(lines[0] ?? '');
    else if (tag === '28' || tag === '28C') statement.sequence = textOrNull(lines[0]);
    else if (tag === '34F' || tag === '13D') this.beginInterim(lines[0] ?? '', statement);
    else if (tag.startsWith('60')) this.beginBalance(field, statement);
    else if (tag.startsWith('62')) this.endBalance(field, statement);
  }

  end(): void {
    this.endEntry();
    const { statement } = this;
    if (!statement) return;
    if (this.isInterim) Object.assign(statement, { coversFrom: null, coversUntil: null });
    const format = this.isInterim ? 'mt942' : 'mt940';
    statement.finish(this.pieces, `Statement ${this.statements}`, format);
    this.statements += 1;
    this.formats.add(format);
    this.statement = undefined;
  }

  close(): void {
    this.end();
    if (this.statements === 0) refuse('The file holds no statement: there is no :20:.');
    for (const format of this.formats) this.pieces.push({ type: 'format', format });
  }

  private begin(id: string): void {
    this.end();
    this.statement = new StatementDraft();
    this.statement.id = textOrNull(id);
    this.isInterim = false;
  }

  private beginInterim(text: string, statement: StatementDraft): void {
    this.isInterim = true;
    statement.currency ??= /^[A-Z]{3}/.exec(text)?.[0] ?? null;
  }

  private beginBalance(field: MtField, statement: StatementDraft): void {
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
    const returned =
      entry.type.endsWith('RTI') || details.returned || isReturnCode(details.code ?? '');
    const { direction, reversal, customerReference, bankReference } = entry;
    const day = (read: BankDay) => this.pieces.day(read, where);
    return {
      entry: number,
      detail: 0,
      bookedOn: day(entry.bookedOn),
      valuedOn: day(entry.valuedOn),
      ...shown,
      direction,
      status,
      kind: lineKind({
        hasAmount: usable,
        returned,
        reversal,
        collection: isCollectionCode(details.code ?? ''),
        batchTotal: false,
      }),
      reversal,
      returned,
      counterparty: counterparty({
        ...details.party,
        account: details.party.account || ibanIn(entry.supplement),
      }),
      references: details.references,
      endToEndId: details.endToEndId,
      bankReference,
      text: details.text ?? joinTexts(entry.supplement),
      identifiers: {
        ...NO_IDENTIFIERS,
        entryReference: customerReference,
        entryBankReference: bankReference,
      },
    };
  }
}

/** Some banks put the account of the other side below an entry. */
const ibanIn = (supplement: readonly string[]): string | undefined =>
  supplement.find((line) => readIban(line) !== null);

/** The own account as the bank writes it; an IBAN without the currency that some put behind it. */
function accountOf(text: string): string | null {
  const account = textOrNull(text);
  const start = account?.replace(/\/?[A-Z]{3}$/, '') ?? '';
  return readIban(account ?? '') ?? readIban(start) ?? account;
}
