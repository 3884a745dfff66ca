import { textOrNull } from '../counterparty.js';
import { quoted, refuse, StatementRefusedError } from '../refused.js';
import { LIMITS } from '../limits.js';
import { PieceQueue, StatementDraft } from '../statement-draft.js';
import type { StatementPiece } from '../statement.js';
import type { Total } from '../total.js';
import { CancellingRun } from './cancelling-run.js';
import { type MtEntry, readMtBalance, readMtEntry } from './mt-entry.js';
import { endOf, FIELD_LINES_MAX, type MtField, mtFields, startOf } from './mt-fields.js';
import { mtLine } from './mt-line.js';
import { readOwnAccount } from './own-account.js';
import { isStructured, readMtDetails } from './read-mt-details.js';
import { WrappedLines } from './wrapped-lines.js';

/** What follows the first entry. All that belongs before it is there a text of a payer, whose lines its bank wrapped. */
const BEHIND_ENTRIES: ReadonlySet<string> = new Set('61 86 62F 62M 64 65 90C 90D'.split(' '));
/** What a statement has before its entries. */
const HEAD: ReadonlySet<string> = new Set('21 25 25P 28 28C 60F 60M 34F 13D'.split(' '));
/** The one bank whose details are known to end with a line of account and name. */
const KNAB = /^\{1:F\d\dKNABNL2H/;

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

/** An entry with what has come of it. */
interface OpenEntry {
  readonly entry: MtEntry;
  /** Its first line, with the tag. */
  readonly first: string;
  /** A payer can have written it, as far as what stands before it shows. */
  readonly mayBeText: boolean;
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
  /** The start of a statement, if its head follows: a payer can have written it. */
  private start: MtField | undefined;
  private isKnab = false;
  private open: OpenEntry | undefined;
  /** The lines of each :86: of the entry. */
  private details: string[][] = [];
  private readonly wrapped = new WrappedLines();
  private run = new CancellingRun();
  /** A payer can have written what ended the entries of the statement. */
  private isEndDoubtful = false;
  /** A payer can have written where a statement began: it may be a part of the one before it. */
  private isStartDoubtful = false;
  private readonly formats = new Set<string>();

  add(field: MtField): void {
    this.hasEnd = false;
    if (this.start && HEAD.has(field.tag)) this.begin(this.start);
    this.start = undefined;
    const { statement } = this;
    if (field.tag === '20') this.maybeBegin(field, statement);
    else if (!statement) this.skip(field, 'stands outside of a statement');
    else if (field.tag === '86') this.addDetails(field);
    else if (this.hasEntries && !BEHIND_ENTRIES.has(field.tag)) this.addText(field);
    else this.addOther(field, statement);
  }

  /** A mark said that the message ends. If it was none, entries go on. */
  end(): void {
    this.hasEnds = true;
    this.hasEnd = true;
    this.endEntries('-', '-');
  }

  close(): void {
    if (this.isInterim && this.hasEnds && !this.hasEnd) this.warnCut('no end, as others have');
    this.endStatement();
    if (this.statements === 0) refuse('The file holds no statement: there is no :20:.');
    for (const format of this.formats) this.pieces.push({ type: 'format', format });
  }

  /**
   * Behind entries a payer can have written it: it begins a statement if a head follows. Where a text may go on, it does
   * so only behind a last balance.
   */
  private maybeBegin(field: MtField, statement: StatementDraft | undefined): void {
    const isDoubtful = this.isEndDoubtful || this.wrapped.mayContinue(startOf(field));
    if (!statement || !this.hasEntries) this.begin(field);
    else if (!isDoubtful || statement.closing) this.start = field;
    else this.addText(field);
  }

  private begin(field: MtField): void {
    this.endEntries(startOf(field), endOf(field));
    this.endStatement();
    this.statement = new StatementDraft();
    this.run = new CancellingRun();
    this.statement.id = textOrNull(field.lines[0]);
    this.statement.isDoubtful = this.isStartDoubtful;
    this.isInterim = false;
    this.hasLimit = false;
    this.hasEntries = false;
    this.isEndDoubtful = false;
    this.isKnab = KNAB.test(field.blocks ?? '');
  }

  private endStatement(): void {
    const { statement } = this;
    if (!statement) return;
    if (this.isInterim || !statement.closing) {
      Object.assign(statement, { coversFrom: null, coversUntil: null });
    }
    if (!this.isInterim && !statement.closing) {
      this.warnCut('no closing balance (:62F: or :62M:)', 'no_closing_balance');
    }
    const format = this.isInterim ? 'mt942' : 'mt940';
    const { balanced } = statement.finish(this.pieces, `Statement ${this.statements}`, format);
    this.isStartDoubtful ||= this.isEndDoubtful && balanced !== true;
    this.statements += 1;
    this.formats.add(format);
    this.statement = undefined;
  }

  private warnCut(lacks: string, code = 'cut_off'): void {
    const id = quoted(this.statement?.id ?? '');
    const detail = `Statement ${this.statements}, ${id}, has ${lacks}: the file may be cut off.`;
    this.pieces.warn(code, detail);
  }

  private addOther(field: MtField, statement: StatementDraft): void {
    const { tag, lines } = field;
    if (tag === '61') return this.beginEntry(field, statement);
    this.endEntries(startOf(field), endOf(field));
    if (tag === '25' || tag === '25P') statement.account = readOwnAccount(lines[0] ?? '');
    else if (tag === '28' || tag === '28C') statement.sequence = textOrNull(lines[0]);
    else if (tag === '34F' || tag === '13D') this.beginInterim(field, statement);
    else if (tag.startsWith('60')) this.beginBalance(field, statement);
    else if (tag.startsWith('62')) this.endBalance(field, statement);
  }

  /** Behind a balance that was taken for the last one it was none. */
  private beginEntry(field: MtField, statement: StatementDraft): void {
    const first = startOf(field);
    const mayBeText = this.wrapped.mayContinue(first);
    this.endEntry();
    this.wrapped.pass(endOf(field), mayBeText);
    this.hasEntries = true;
    this.isEndDoubtful = false;
    statement.closing = undefined;
    const entry = this.read(() => readMtEntry(field), statement, mayBeText);
    this.open = entry && { entry, first, mayBeText };
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

  /** Some banks also write the time (:13D:) into statements. */
  private beginInterim({ tag, lines }: MtField, statement: StatementDraft): void {
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
    const [before] = this.details;
    const isText =
      before && this.details.length === 1 && isStructured(before) && this.wrapped.isCut();
    if (isText) return this.addText(field);
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
    const isPlain = !isStructured(this.details[0]!);
    this.wrapped.note(lines, isPlain);
    const all = this.details.flat();
    if (all.length > FIELD_LINES_MAX) {
      refuse(`Line ${line}: an entry has more than ${FIELD_LINES_MAX} lines of details.`);
    }
    if (all.reduce((sum, each) => sum + each.length, 0) > LIMITS.partText) {
      refuse(`Line ${line}: an entry has more than ${LIMITS.partText} characters of details.`);
    }
  }

  /** @param first the line with which something else begins, and `last` that with which it ends */
  private endEntries(first: string, last: string): void {
    const mayBeText = this.wrapped.mayContinue(first);
    this.isEndDoubtful ||= mayBeText;
    this.endEntry();
    this.wrapped.pass(last, mayBeText);
  }

  private endEntry(): void {
    const { open, statement, details } = this;
    if (open && statement) {
      const { entry } = open;
      const status = entry.expected || this.isInterim ? 'announced' : 'booked';
      const read = readMtDetails(details, { isKnab: this.isKnab });
      this.pieces.push({
        type: 'line',
        line: mtLine(entry, read, status, statement, this.pieces),
      });
      if (status === 'booked') this.doubt(open, statement);
    }
    this.open = undefined;
    this.details = [];
  }

  private doubt(open: OpenEntry, statement: StatementDraft): void {
    const { amount, direction, supplement } = open.entry;
    if (this.mayBeText(open)) statement.doubt(amount, direction);
    const detailLines = this.details.flat().length;
    const lines = 1 + supplement.length + detailLines;
    const run = { amount: direction === 'in' ? amount : -amount, detailLines, lines };
    statement.hasCancellingRun ||= this.run.endsWith(run);
  }

  /** A payer's text goes on until its bank wraps it again, or ends where the bank's next field begins. */
  private mayBeText({ entry, mayBeText, first }: OpenEntry): boolean {
    const next = entry.supplement[0] ?? (this.details[0] && `:86:${this.details[0][0]}`);
    return mayBeText && (next === undefined || this.wrapped.isWrapped(first, next));
  }
}
