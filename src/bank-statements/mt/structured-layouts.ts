import type { Counterparty } from '../statement.js';
import { CODED_START } from './coded-fields.js';
import { TAGS } from './tagged-fields.js';

/** Characters of a remittance text (SEPA). */
const TEXT_MAX = 140;
/** Characters of a full line. */
const WIDTH = 65;
/** Characters that show how a bank begins tagged details. */
const START = 24;
const REMITTANCE = /\/(?:REMI|SVWZ)\//;
/** Entries with coded details that show how a bank writes them: more than payers forge in a statement. */
const MANY = 12;

interface LaidOut {
  /** Negative = outgoing. */
  readonly amount: bigint;
  readonly isCoded: boolean;
  readonly layout: string;
  readonly namesAccount: boolean;
  /** Characters without the bank's fields after the payer's text. */
  readonly length: number;
  readonly isDoubted: boolean;
}

/**
 * Compares the layouts of structured details (:86:) within a statement. A bank may wrap a text at the width of its lines,
 * trim them and not escape their starts. Then a payer can forge an entry with structured details of its own. Its :61:
 * fills a line, so the rest of the text has no space for the beginning and the counterparty of the bank's entries. Coded
 * details have the counterparty after the text, so the entry before the forged one lacks it.
 */
export class StructuredLayouts {
  private readonly entries: LaidOut[] = [];
  private widest = 0;

  /** @param isDoubted whether the entry counts as possibly forged already */
  add(
    amount: bigint,
    details: readonly string[],
    { account, name, bic }: Counterparty,
    isDoubted: boolean,
  ): void {
    const glued = details.join('');
    const isCoded = CODED_START.test(glued);
    const names = [account, name, bic].map((each) => each !== null);
    this.widest = Math.max(this.widest, ...details.map(({ length }) => length));
    this.entries.push({
      amount,
      isCoded,
      layout: `${isCoded ? '' : beginningOf(glued)} ${names.join(' ')}`,
      namesAccount: account !== null,
      length: isCoded ? lengthBefore(glued, `${glued[3]}30`) : taggedLength(glued),
      isDoubted,
    });
  }

  /** Signed amounts of entries that payers may have forged, and that do not count as doubtful already. */
  get suspectAmounts(): bigint[] {
    const forgedMax = TEXT_MAX - Math.min(this.widest, WIDTH);
    const isGenuine = ({ length }: LaidOut, at: number): boolean => at === 0 || length > forgedMax;
    const known = new Set(this.entries.filter(isGenuine).map(({ layout }) => layout));
    const coded = Map.groupBy(
      this.entries.filter(({ isCoded }) => isCoded),
      ({ layout }) => layout,
    );
    for (const [layout, { length }] of coded) if (length >= MANY) known.add(layout);
    const isKnown = (each: LaidOut): boolean => each.namesAccount && known.has(each.layout);
    const mayBeForged = (each: LaidOut, at: number): boolean => {
      if (each.isDoubted || isGenuine(each, at)) return false;
      const before = this.entries[at - 1]!;
      return !isKnown(each) || (before.isCoded && !isKnown(before));
    };
    return this.entries.filter(mayBeForged).map(({ amount }) => amount);
  }
}

const beginningOf = (tagged: string): string => {
  const text = REMITTANCE.exec(tagged)?.index ?? START;
  return tagged.slice(0, Math.min(text, START));
};

const lengthBefore = (text: string, mark: string): number => {
  const at = text.lastIndexOf(mark);
  return at < 0 ? text.length : at;
};

/** After the remittance text, the last tag may be the bank's. */
const taggedLength = (tagged: string): number => {
  const text = REMITTANCE.exec(tagged)?.index ?? 0;
  return [...tagged.matchAll(TAGS)].findLast(({ index }) => index > text)?.index ?? tagged.length;
};
