import { CancellingRun, type RunEntry } from './cancelling-run.js';
import type { MtEntry } from './mt-entry.js';
import { type MtField, startOf } from './mt-fields.js';
import { isStructured } from './read-mt-details.js';
import type { WrappedLines } from './wrapped-lines.js';

type Details = readonly (readonly string[])[];

/** An entry with what has come of it. */
export interface OpenEntry {
  readonly entry: MtEntry;
  readonly field: MtField;
  /** A payer can have written it, as far as what stands before it shows. */
  readonly mayBeText: boolean;
}

/** What shows of the entries of a statement that payers can have written some of them. */
export class EntryDoubts {
  /** Some entry has details that are a text alone. */
  hasPlainDetails = false;
  /** The last entry ends a run that comes to nothing. */
  endsRun = false;

  private readonly run = new CancellingRun();
  /** Whether the next entry directly follows such details, or an entry without details. */
  private isBehindText = false;
  private hasEntries = false;

  /**
   * @param details the lines of each :86: of the entry
   * @returns whether a payer can have written the entry. Behind a text it does not matter where lines end, as a bank may
   *   have trimmed them.
   */
  add(open: OpenEntry, details: Details, wrapped: WrappedLines): boolean {
    const { isBehindText, hasEntries } = this;
    const [first] = details;
    const isPlain = first !== undefined && !isStructured(first);
    this.hasEntries = true;
    // Without details the line below an entry is its last, and some banks print an end-to-end id there.
    this.isBehindText = first === undefined || isPlain;
    this.hasPlainDetails ||= isPlain;
    this.endsRun = !open.entry.expected && this.run.endsWith(runEntry(open.entry, details));
    // A bank that writes marks writes them for each entry; a payer has little room for them.
    const isOdd = open.field.isBroken || (isPlain && hasEntries);
    return isBehindText || isOdd || mayBeText(open, details, wrapped);
  }
}

/** A payer's text goes on until its bank wraps it again, or ends where the bank's next field begins. */
function mayBeText(
  { entry, mayBeText: isBehindWrapped, field }: OpenEntry,
  [details]: Details,
  wrapped: WrappedLines,
): boolean {
  const next = entry.supplement[0] ?? (details && `:86:${details[0]}`);
  return isBehindWrapped && (next === undefined || wrapped.isWrapped(startOf(field), next));
}

function runEntry({ amount, direction, supplement }: MtEntry, details: Details): RunEntry {
  const detailLines = details.flat().length;
  const lines = 1 + supplement.length + detailLines;
  return { amount: direction === 'in' ? amount : -amount, detailLines, lines };
}
