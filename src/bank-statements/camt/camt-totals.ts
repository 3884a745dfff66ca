import { scaledOf } from '../amount.js';
import type { Tallies, Tally } from '../statement-draft.js';
import type { XmlElement } from './element.js';

/** A number of the bank's summary, if present, and the accepted values calculated from the entries. */
type Check = readonly [said: string | undefined, counted: readonly bigint[]];

/**
 * Compares the entries with the bank's summary (`TxsSummry`); undefined if they agree. Some banks count booked entries,
 * others all entries of the message.
 */
export function summaryMismatch(
  summary: XmlElement,
  { booked, announced }: Tallies,
): string | undefined {
  const all = {
    in: together(booked.in, announced.in),
    out: together(booked.out, announced.out),
  };
  const fits = [booked, all].some((each) =>
    checksOf(summary, each.in, each.out).every(([said, counted]) => isOneOf(said, counted)),
  );
  if (fits) return undefined;
  const { entries } = together(all.in, all.out);
  return `the bank counts other entries, or another sum, than the ${entries} that are there.`;
}

const together = (one: Tally, other: Tally): Tally => ({
  entries: one.entries + other.entries,
  scaled: one.scaled + other.scaled,
});

/** The net amount is not compared: banks count the sign of a reversal in different ways. */
function checksOf(summary: XmlElement, credits: Tally, debits: Tally): Check[] {
  const both = together(credits, debits);
  const net = distance(credits.scaled, debits.scaled);
  const checks = (name: string, { entries, scaled }: Tally, ...more: bigint[]): Check[] => [
    [summary.textAt(`${name}/NbOfNtries`), [scaledOf(String(entries))!]],
    [summary.textAt(`${name}/Sum`), [scaled, ...more]],
  ];
  return [
    ...checks('TtlNtries', both, net),
    ...checks('TtlCdtNtries', credits),
    ...checks('TtlDbtNtries', debits),
  ];
}

const distance = (one: bigint, other: bigint): bigint => (one > other ? one - other : other - one);

/** Ignores a sign, since some banks write one before the sum of debits. */
function isOneOf(said: string | undefined, counted: readonly bigint[]): boolean {
  if (said === undefined) return true;
  const scaled = scaledOf(said.replace(/^[+-]/, ''));
  return scaled !== undefined && counted.includes(scaled);
}
