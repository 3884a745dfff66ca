import { textOrNull } from '../counterparty.js';
import { quoted, refuse, StatementRefusedError } from '../refused.js';
import { LIMITS } from '../limits.js';
import { PieceQueue, StatementDraft } from '../statement-draft.js';
import type { StatementPiece } from '../statement.js';
import type { Total } from '../total.js';
import { EntryDoubts, type OpenEntry } from './entry-doubts.js';
import { readMtBalance, readMtEntry } from './mt-entry.js';
import { endOf, FIELD_LINES_MAX, type MtField, mtFields, startOf } from './mt-fields.js';
import { BEHIND_ENTRIES, HEAD, namesAccount } from './mt-head.js';
import { mtLine } from './mt-line.js';
import { type MtWriter, mtWriter } from './mt-writer.js';
import { readOwnAccount } from './own-account.js';
import { isStructured, readMtDetails } from './read-mt-details.js';
import { WrappedLines } from './wrapped-lines.js';

/**
 * Reads MT940 (statements) and MT942 (reports within a day), one entry at a time, with the blocks of SWIFT or without.
 * What cannot be understood is named in a warning, and the rest is read.
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
  /** MT942: what it has may be booked otherwise or not at all, until a statement says so. */
  private isInterim = false;
  /** Reports have a limit below which they are silent, statements never. */
  private hasLimit = false;
  private hasEnds = false;
  /** A mark said that the message ends, and nothing came behind it. */
  private hasEnd = false;
  private hasEntries = false;
  /** Some entry of the file came: from there on a payer can have written what looks like a start. */
  private hasTexts = false;
  /** The start of a statement and its head so far, if there is an account in it. */
  private start: MtField[] | undefined;
  private writer: MtWriter | undefined;
  private open: OpenEntry | undefined;
  /** Nothing else has begun since an entry did. */
  private isInEntry = false;
  /** The lines of each :86: of the entry. */
  private details: string[][] = [];
  private readonly wrapped = new WrappedLines();
  private doubts = new EntryDoubts();
  /** A payer can have written what ended the entries of the statement. */
  private isEndDoubtful = false;
  /** A payer can have written where a statement began: it may be a part of the one before it. */
  private isStartDoubtful = false;
  /** That of the statement before: without one, its entries behind such a start would have no amounts. */
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
    else if (this.hasEntries && !BEHIND_ENTRIES.has(field.tag)) this.addText(field);
    else this.addOther(field, statement);
  }

  /** A mark said that the message ends. If it was none, entries go on. */
  end(): void {
    this.endStart();
    this.hasEnds = true;
    this.hasEnd = true;
    this.endEntries(this.wrapped.mayContinue('-'), '-');
  }

  close(): void {
    this.endStart();
    if (this.isInterim && this.hasEnds && !this.hasEnd) this.warnCut('no end, as others have');
    else if (this.isInterim && this.isInEntry) this.warnCut('nothing behind its last entry');
    this.endEntry();
    this.endStatement();
    if (this.statements === 0) refuse('The file holds no statement: there is no :20:.');
    for (const format of this.formats) this.pieces.push({ type: 'format', format });
  }

  /**
   * Behind entries a payer can have written it: it begins a statement if a head with an account follows. Where a text may
   * go on, it does so only behind a last balance.
   */
  private maybeBegin(field: MtField, statement: StatementDraft | undefined): void {
    const isDoubtful = this.isEndDoubtful || this.mayContinue(field);
    if (!statement || !this.hasTexts) this.begin(field);
    else if (!isDoubtful || statement.closing) this.start = [field];
    else this.addText(field);
  }

  /** A start without an account hides nothing: it is a text, and the entries behind it join those before. */
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
    this.doubts = new EntryDoubts();
    this.statement.id = textOrNull(field.lines[0]);
    this.statement.isDoubtful = this.isStartDoubtful;
    this.isInterim = false;
    this.hasLimit = false;
    this.hasEntries = false;
    this.isEndDoubtful = false;
    this.writer = mtWriter(field, this.writer);
  }

  private endStatement(): void {
    const { statement } = this;
    if (!statement) return;
    if (this.isInterim || !statement.closing) {
      Object.assign(statement, { coversFrom: null, coversUntil: null });
    }
    const isOpen = !this.isInterim && !statement.closing;
    if (isOpen) this.warnCut('no closing balance (:62F: or :62M:)', 'no_closing_balance');
    const format = this.isInterim ? 'mt942' : 'mt940';
    const { balanced } = statement.finish(this.pieces, `Statement ${this.statements}`, format);
    this.isStartDoubtful ||= this.isEndDoubtful ? balanced !== true : this.mayBeCut(statement);
    this.statements += 1;
    this.formats.add(format);
    this.statement = undefined;
  }

  /**
   * Where balances do not end a statement, a payer can have cut it, and have written the next one. A bank that trims lines
   * and guards no starts of them shows nothing else.
   */
  private mayBeCut({ closing, hasFittingBalances }: StatementDraft): boolean {
    return this.hasEntries && !hasFittingBalances && (!closing || this.doubts.hasPlainDetails);
  }

  private warnCut(lacks: string, code = 'cut_off'): void {
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

  /** Behind a balance that was taken for the last one it was none. */
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
    // Even if a payer may have written it: it may be a real entry that forged ones replace.
    const entry = this.read(() => readMtEntry(field), statement, false);
    this.open = entry && { entry, field, mayBeText };
  }

  /** @returns undefined for what cannot be read: a warning says so, and unless it may be text the statement lacks it */
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

  /** Some banks also write the time (:13D:) into statements, and payers what would only announce the entries behind it. */
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

  /** Behind a balance in between (:62M:) there is more of the day, in the next message. */
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

  /** What looks like a field, and goes on the text before it. */
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

  /** @param mayBeText whether a payer may have written what begins now and ends with the line `last` */
  private endEntries(mayBeText: boolean, last: string): void {
    this.isEndDoubtful ||= mayBeText;
    this.isInEntry = false;
    this.endEntry();
    this.wrapped.pass(last, mayBeText);
  }

  private endEntry(): void {
    const { open, statement, details } = this;
    if (open && statement) {
      const { entry } = open;
      const status = entry.expected || this.isInterim ? 'announced' : 'booked';
      const read = readMtDetails(details, this.writer!);
      this.pieces.push({
        type: 'line',
        line: mtLine(entry, read, status, statement, this.pieces),
      });
      const mayBeText = this.doubts.add(open, details, this.wrapped);
      if (mayBeText && status === 'booked') statement.doubt(entry.amount, entry.direction);
      statement.hasCancellingRun ||= this.doubts.endsRun;
    }
    this.open = undefined;
    this.details = [];
  }
}
