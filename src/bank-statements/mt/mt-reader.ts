import { textOrNull } from '../counterparty.js';
import { quoted, refuse, StatementRefusedError } from '../refused.js';
import { LIMITS } from '../limits.js';
import { PieceQueue, StatementDraft } from '../statement-draft.js';
import type { StatementPiece } from '../statement.js';
import type { Total } from '../total.js';
import { ForgeryDetector, type OpenEntry, signed } from './forgery-detector.js';
import { readMtBalance, readMtEntry } from './mt-entry.js';
import { endOf, FIELD_LINES_MAX, type MtField, mtFields, startOf } from './mt-fields.js';
import { ENTRY_TAGS, HEAD, namesAccount } from './mt-head.js';
import { mtLine } from './mt-line.js';
import { type MtBankFormat, mtBankFormat } from './mt-writer.js';
import { readOwnAccount } from './own-account.js';
import { isStructured, readMtDetails } from './read-mt-details.js';
import { WrappedLines } from './wrapped-lines.js';

/**
 * Reads MT940 (statements) and MT942 (intraday reports), with or without SWIFT blocks, one entry at a time. Unreadable
 * parts are skipped with a warning.
 * @throws StatementRefusedError
 */
export async function* readMt(
  text: AsyncIterable<string>,
  total: Total,
): AsyncGenerator<StatementPiece[]> {
  const reader = new MtReader();
  const warn = (code: string, detail: string) => reader.pieces.warn(code, detail);
  for await (const fields of mtFields(text, total, warn)) {
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
  /** MT942: entries are only announced, since a statement may book them differently or not at all. */
  private isInterim = false;
  /** There is a floor limit (:34F:), which only reports have. */
  private hasLimit = false;
  private hasEndMarks = false;
  /** No field has followed the last end mark. */
  private hasEnd = false;
  private hasEntries = false;
  /** The file has had an entry: from there on, a payer may have forged the start of a statement. */
  private hasTexts = false;
  /** Possible start of a statement (:20: and header fields), held until it is known whether it has an account. */
  private start: MtField[] | undefined;
  private writer: MtBankFormat | undefined;
  private open: OpenEntry | undefined;
  /** Only details have followed the last entry. */
  private isInEntry = false;
  /** Lines of each :86: of the open entry. */
  private details: string[][] = [];
  private readonly wrapped = new WrappedLines();
  private doubts = new ForgeryDetector();
  /** A payer may have forged the field that ended the entries of the statement. */
  private isEndDoubtful = false;
  /** A payer may have forged the start of a statement, which may be part of the previous one. */
  private isStartDoubtful = false;
  /** Currency of the previous statement, for its entries that follow a forged start. */
  private currencyBefore: string | null = null;
  private readonly formats = new Set<string>();

  add(field: MtField): void {
    this.hasEnd = false;
    if (this.start && HEAD.has(field.tag)) return void this.start.push(field);
    this.endStart();
    const { statement } = this;
    if (field.tag === '20') this.maybeBegin(field, statement);
    else if (!statement) this.skip(field, 'stands outside of a statement');
    else if (field.tag === '86') this.addDetails(field);
    else if (this.hasEntries && !ENTRY_TAGS.has(field.tag)) this.addText(field);
    else this.addOther(field, statement);
  }

  /** Handles an end mark. If it was text, more entries may follow. */
  end(): void {
    this.endStart();
    this.hasEndMarks = true;
    this.hasEnd = true;
    this.endEntries(this.wrapped.mayContinue('-'), '-');
  }

  close(): void {
    this.endStart();
    if (this.isInterim && this.hasEndMarks && !this.hasEnd)
      this.warnTruncated('no end, as others have');
    else if (this.isInterim && this.isInEntry) this.warnTruncated('nothing behind its last entry');
    this.endEntry();
    this.endStatement();
    if (this.statements === 0) refuse('The file holds no statement: there is no :20:.');
    for (const format of this.formats) this.pieces.push({ type: 'format', format });
  }

  /**
   * After entries, a payer may have forged :20:, so it begins a statement only if header fields with an account follow.
   * If it may also continue a text, it needs a closing balance before it.
   */
  private maybeBegin(field: MtField, statement: StatementDraft | undefined): void {
    const isDoubtful = this.isEndDoubtful || this.mayContinue(field);
    if (!statement || !this.hasTexts) this.begin(field);
    else if (!isDoubtful || statement.closing) this.start = [field];
    else this.addText(field);
  }

  /** A start without an account is text: the entries after it belong to the current statement. */
  private endStart(): void {
    const [field, ...head] = this.start ?? [];
    this.start = undefined;
    if (!field) return;
    if (head.some(namesAccount)) {
      this.begin(field);
      for (const each of head) this.addOther(each, this.statement!);
    } else if (this.open) {
      for (const each of [field, ...head]) this.addText(each);
    } else this.skip(field, 'begins no statement, as no account (:25:) follows');
  }

  private begin(field: MtField): void {
    const before = this.statement;
    this.endEntries(this.mayContinue(field), endOf(field));
    this.endStatement();
    this.currencyBefore = before?.opening?.currency ?? before?.currency ?? null;
    this.statement = new StatementDraft();
    this.doubts = new ForgeryDetector();
    this.statement.id = textOrNull(field.lines[0]);
    this.statement.isDoubtful = this.isStartDoubtful;
    this.isInterim = false;
    this.hasLimit = false;
    this.hasEntries = false;
    this.isEndDoubtful = false;
    this.writer = mtBankFormat(field, this.writer);
  }

  private endStatement(): void {
    const { statement } = this;
    if (!statement) return;
    if (this.isInterim || !statement.closing) {
      Object.assign(statement, { coversFrom: null, coversUntil: null });
    }
    for (const amount of this.doubts.suspectAmounts) statement.doubt(amount);
    const isOpen = !this.isInterim && !statement.closing;
    if (isOpen) this.warnTruncated('no closing balance (:62F: or :62M:)', 'no_closing_balance');
    const format = this.isInterim ? 'mt942' : 'mt940';
    const { balanced } = statement.finish(this.pieces, `Statement ${this.statements}`, format);
    this.isStartDoubtful ||= this.isEndDoubtful
      ? balanced !== true
      : this.mayBeTruncatedByPayer(statement);
    this.statements += 1;
    this.formats.add(format);
    this.statement = undefined;
  }

  /**
   * Whether a payer may have cut the statement and forged the next start, because no fitting balances end it. If the
   * bank trims lines and does not escape line starts, nothing else reveals this.
   */
  private mayBeTruncatedByPayer({ closing, hasFittingBalances }: StatementDraft): boolean {
    return this.hasEntries && !hasFittingBalances && (!closing || this.doubts.hasPlainDetails);
  }

  private warnTruncated(lacks: string, code = 'cut_off'): void {
    const id = quoted(this.statement?.id ?? '');
    const detail = `Statement ${this.statements}, ${id}, has ${lacks}: the file may be cut off.`;
    this.pieces.warn(code, detail);
  }

  private addOther(field: MtField, statement: StatementDraft): void {
    const { tag, lines } = field;
    if (tag === '61') return this.beginEntry(field, statement);
    this.endEntries(this.mayContinue(field), endOf(field));
    if (tag === '25' || tag === '25P') statement.account = readOwnAccount(lines[0] ?? '');
    else if (tag === '28' || tag === '28C') statement.sequence = textOrNull(lines[0]);
    else if (tag === '34F' || tag === '13D') this.beginInterim(field, statement);
    else if (tag.startsWith('60')) this.beginBalance(field, statement);
    else if (tag.startsWith('62')) this.endBalance(field, statement);
  }

  /** An entry after a closing balance revokes that balance. */
  private beginEntry(field: MtField, statement: StatementDraft): void {
    const mayBeText = this.mayContinue(field);
    this.endEntry();
    this.wrapped.pass(endOf(field), mayBeText);
    this.isInEntry = true;
    this.hasEntries = true;
    this.hasTexts = true;
    this.isEndDoubtful = false;
    statement.closing = undefined;
    if (statement.isDoubtful && !statement.opening) statement.currency ??= this.currencyBefore;
    // If unreadable, it counts as missing even if it may be text: forged entries may replace a real one.
    const entry = this.read(() => readMtEntry(field), statement, false);
    this.open = entry && { entry, field, mayBeText };
  }

  /** @returns undefined with a warning if unreadable; unless it may be text, the statement is then incomplete */
  private read<T>(read: () => T, statement: StatementDraft, mayBeText: boolean): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof StatementRefusedError)) throw error;
      this.pieces.warn('entry_skipped', error.message);
      statement.isIncomplete ||= !mayBeText;
      return undefined;
    }
  }

  private skip({ tag, line }: MtField, why: string): void {
    this.pieces.warn('entry_skipped', `Line ${line}: :${tag}: ${why}.`);
  }

  /** Statements may also have :13D:. After a doubtful start, a forged tag could make later entries only announced. */
  private beginInterim({ tag, lines }: MtField, statement: StatementDraft): void {
    if (statement.isDoubtful && this.formats.has('mt940')) return;
    this.hasLimit ||= tag === '34F';
    this.isInterim = this.hasLimit || !statement.opening;
    statement.currency ??= /^[A-Z]{3}/.exec(lines[0] ?? '')?.[0] ?? null;
  }

  private beginBalance(field: MtField, statement: StatementDraft): void {
    this.isInterim = this.hasLimit;
    if (statement.opening) return;
    const read = this.read(() => readMtBalance(field), statement, false);
    if (!read) return;
    const { day, ...balance } = read;
    statement.opening = balance;
    statement.coversFrom = day?.day ?? null;
  }

  /** After an intermediate balance (:62M:), the next message continues the day. */
  private endBalance(field: MtField, statement: StatementDraft): void {
    const read = this.read(() => readMtBalance(field), statement, this.isEndDoubtful);
    if (!read) return;
    const { day, ...balance } = read;
    statement.closing = balance;
    statement.coversUntil = field.tag === '62F' ? (day?.day ?? null) : null;
  }

  private addDetails(field: MtField): void {
    if (!this.open) return;
    const isSecond = this.details.length === 1 && isStructured(this.details[0]!);
    if (isSecond && this.wrapped.isCut()) return this.addText(field);
    this.details.push([...field.lines]);
    this.checkDetails(field);
  }

  /** Appends a line that looks like a field to the text that it continues. */
  private addText(field: MtField): void {
    const last = this.details.at(-1);
    if (!this.open || !last) return;
    last.push(startOf(field), ...field.lines.slice(1));
    this.checkDetails(field);
  }

  private checkDetails({ line, lines }: MtField): void {
    this.wrapped.note(lines, !isStructured(this.details[0]!));
    const all = this.details.flat();
    if (all.length > FIELD_LINES_MAX) {
      refuse(`Line ${line}: an entry has more than ${FIELD_LINES_MAX} lines of details.`);
    }
    if (all.reduce((sum, each) => sum + each.length, 0) > LIMITS.partText) {
      refuse(`Line ${line}: an entry has more than ${LIMITS.partText} characters of details.`);
    }
  }

  /** Whether a field may continue a payer's text. */
  private mayContinue(field: MtField): boolean {
    return field.isBroken || this.wrapped.mayContinue(startOf(field));
  }

  /** @param mayBeText whether the field that begins now, and ends with the line `last`, may be the payer's text */
  private endEntries(mayBeText: boolean, last: string): void {
    this.isEndDoubtful ||= mayBeText;
    this.isInEntry = false;
    this.endEntry();
    this.wrapped.pass(last, mayBeText);
  }

  private endEntry(): void {
    const { open, statement, details } = this;
    if (open && statement) {
      const status = open.entry.expected || this.isInterim ? 'announced' : 'booked';
      const read = readMtDetails(details, this.writer!);
      const line = mtLine(open.entry, read, status, statement, this.pieces);
      this.pieces.push({ type: 'line', line });
      const mayBeText = this.doubts.add(open, details, this.wrapped, line.counterparty);
      if (mayBeText && status === 'booked') statement.doubt(signed(open.entry));
      statement.hasCancellingRun ||= this.doubts.endsZeroSumRun;
    }
    this.open = undefined;
    this.details = [];
  }
}
