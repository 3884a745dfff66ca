import { ZeroSumRun, type ZeroSumEntry } from './zero-sum-run.js';
import type { MtEntry } from './mt-entry.js';
import { type MtField, startOf } from './mt-fields.js';
import { isStructured } from './read-mt-details.js';
import type { Counterparty } from '../statement.js';
import { StructuredLayouts } from './structured-layouts.js';
import type { WrappedLines } from './wrapped-lines.js';

type Details = readonly (readonly string[])[];

/** An entry whose details are not complete yet. */
export interface OpenEntry {
  readonly entry: MtEntry;
  readonly field: MtField;
  /** The entry may continue the payer's text before it. */
  readonly mayBeText: boolean;
}

/** Finds entries of a statement that payers may have forged in the details of other entries. */
export class ForgeryDetector {
  /** Some entry has unstructured details. */
  hasPlainDetails = false;
  /** The last entry ends a run of entries that sum to zero. */
  endsZeroSumRun = false;

  private readonly run = new ZeroSumRun();
  private readonly layouts = new StructuredLayouts();
  /** The next entry directly follows unstructured details, or an entry without details. */
  private followsPlainText = false;
  private hasEntries = false;
  private hasDetails = false;

  /**
   * @param details the lines of each :86: of the entry
   * @returns whether a payer may have forged the entry. After unstructured text, line widths do not matter, since banks
   *   may trim lines.
   */
  add(
    open: OpenEntry,
    details: Details,
    wrapped: WrappedLines,
    counterparty: Counterparty,
  ): boolean {
    const { followsPlainText, hasEntries } = this;
    const [first] = details;
    const isPlain = first !== undefined && !isStructured(first);
    this.hasEntries = true;
    // Without details, the entry ends with its supplement line, where some banks write an end-to-end id.
    this.followsPlainText = first === undefined || isPlain;
    this.hasPlainDetails ||= isPlain;
    this.endsZeroSumRun = !open.entry.expected && this.run.endsWith(runEntry(open.entry, details));
    // Banks with structured details write them for every entry; a forged entry has little room for them, or none.
    const isBare = first === undefined && this.hasDetails;
    this.hasDetails ||= first !== undefined;
    const isOdd = open.field.isBroken || isBare || (isPlain && hasEntries);
    const isDoubted = followsPlainText || isOdd || mayBeText(open, details, wrapped);
    if (first && !isPlain && !open.entry.expected)
      this.layouts.add(signed(open.entry), first, counterparty, isDoubted);
    return isDoubted;
  }

  /** Signed amounts of other entries that payers may have forged, once all entries are known. */
  get suspectAmounts(): readonly bigint[] {
    return this.layouts.suspectAmounts;
  }
}

/** A forged :61: ends where the bank wraps the payer's text again, or where the bank's next field begins. */
function mayBeText(
  { entry, mayBeText: isBehindWrapped, field }: OpenEntry,
  [details]: Details,
  wrapped: WrappedLines,
): boolean {
  const next = entry.supplement[0] ?? (details && `:86:${details[0]}`);
  return isBehindWrapped && (next === undefined || wrapped.isWrapped(startOf(field), next));
}

function runEntry(entry: MtEntry, details: Details): ZeroSumEntry {
  const detailLines = details.flat().length;
  const lines = 1 + entry.supplement.length + detailLines;
  return { amount: signed(entry), detailLines, lines };
}

export const signed = ({ amount, direction }: MtEntry): bigint =>
  direction === 'in' ? amount : -amount;
