import type { Counterparty } from '../statement.js';
import { CODED_START } from './coded-fields.js';

/** Characters that show how a bank begins tagged details; the remittance text may begin before. */
const START = 24;
const REMITTANCE = /\/(?:REMI|SVWZ)\//;
/**
 * Details of this length are not forged: a remittance text has 140 characters, of which a forged :61: takes 27, and the
 * bank's fields follow the text. In coded details these are the counterparty's.
 */
const FORGED_MAX = { tagged: 113 + 60, coded: 113 + 143 };

interface LaidOut {
  /** Negative = outgoing. */
  readonly amount: bigint;
  readonly layout: string;
  readonly namesAccount: boolean;
  /** The first entry of the statement, or one with details too long for a forged one. */
  readonly isGenuine: boolean;
  readonly isDoubted: boolean;
}

/**
 * Compares the layouts of structured details (:86:) within a statement. A bank may wrap a text at the width of its lines,
 * trim them and not escape their starts. Then a payer can forge an entry with structured details of its own in a
 * remittance text, but lacks the space for the beginning and the counterparty of the bank's entries. In coded details the
 * counterparty follows the text, so the entry before the forged one lacks it.
 */
export class StructuredLayouts {
  private readonly entries: LaidOut[] = [];

  /** @param isDoubted whether the entry counts as possibly forged already */
  add(
    amount: bigint,
    details: readonly string[],
    counterparty: Counterparty,
    isDoubted: boolean,
  ): void {
    const glued = details.join('');
    const isCoded = CODED_START.test(glued);
    const { account, name, bic } = counterparty;
    const names = [account, name, bic].map((each) => each !== null);
    const start = isCoded ? glued.split(glued[3]!, 2).join('') : beginningOf(glued);
    this.entries.push({
      amount,
      layout: `${start} ${names.join(' ')}`,
      namesAccount: account !== null,
      isGenuine:
        this.entries.length === 0 || glued.length > FORGED_MAX[isCoded ? 'coded' : 'tagged'],
      isDoubted,
    });
  }

  /** Amounts of entries that are laid out differently from the bank's, or follow one that is. */
  get odd(): bigint[] {
    const known = new Set(
      this.entries.filter(({ isGenuine }) => isGenuine).map(({ layout }) => layout),
    );
    const isKnown = (each: LaidOut | undefined): boolean =>
      each === undefined || (each.namesAccount && known.has(each.layout));
    const isOdd = (each: LaidOut, at: number): boolean =>
      !each.isGenuine && !each.isDoubted && !(isKnown(each) && isKnown(this.entries[at - 1]));
    return this.entries.filter(isOdd).map(({ amount }) => amount);
  }
}

const beginningOf = (tagged: string): string => {
  const text = REMITTANCE.exec(tagged)?.index ?? START;
  return tagged.slice(0, Math.min(text, START));
};
