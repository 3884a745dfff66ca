import type {
  Mark,
  MarkedLines,
  CandidateQuery,
} from '../../database/bank/lines/candidate-query.js';
import {
  ORDINAL_MAX,
  SHORT_END_TO_END_ID,
  SHORT_REFERENCE,
} from '../../database/bank/lines/line-store.repository.js';
import { chunksByKey } from '../../common/chunks.js';
import { batchKeysOf } from './batches.js';
import type { GivenOrdinals } from './given-ordinals.js';
import type { IncomingLine } from './incoming-line.js';
import { keysAround, lineKey, undatedKey } from './line-key.js';
import { bankReferencesOf } from './same-booking.js';

/** Lines per query, unless more have the same amount: a batch entry may have thousands of lines. */
const QUERY_LINES = 1_000;

/**
 * Queries for the stored lines that must be read before lines are recognised: every line that does not contradict one of
 * them.
 */
export function* candidateQueriesOf(
  lines: readonly IncomingLine[],
  given: GivenOrdinals,
): Generator<CandidateQuery> {
  let batchKeys = batchKeysOf(lines);
  for (const chunk of chunksByKey(lines, undatedKey, QUERY_LINES)) {
    yield candidateQueryOf(chunk, batchKeys, given);
    batchKeys = [];
  }
}

/** Keys of the lines and their batch totals. */
export const ordinalKeysOf = (lines: readonly IncomingLine[]): string[] =>
  each([...lines.flatMap(keysOf), ...batchKeysOf(lines)]);

function candidateQueryOf(
  lines: readonly IncomingLine[],
  batchKeys: readonly string[],
  given: GivenOrdinals,
): CandidateQuery {
  const unmarked = lines.filter((line) => marksOf(line).length === 0);
  const isReferred = (line: IncomingLine) => referencesOf(line).length > 0;
  const marked = lines.flatMap((line) => {
    const marks = marksOf(line);
    const booking = isReferred(line) ? marks : marks.filter(isReference);
    return [
      ...onItsDay(line, marks, given),
      ...(isBooked(line) ? around(line, marks, 'announced') : []),
      // Banks date a booking differently in each message type.
      ...around(line, booking, 'referred'),
    ];
  });
  return {
    batchKeys: each(lines.map((line) => lineKey(line))),
    marked: once(marked),
    anyOf: given.others(each([...unmarked.flatMap(keysOf), ...batchKeys])),
    announced: once(unmarked.filter(isBooked).map((line) => keysAround(line))),
    referred: once(unmarked.filter(isReferred).map((line) => keysAround(line))),
    references: each(lines.flatMap(referencesOf)),
  };
}

/**
 * Index keys of candidate bookings with the same amount: they share the line's reference or lack it. Empty for a line
 * without references.
 */
function marksOf(line: IncomingLine): Mark[] {
  const ofBank = bankReferencesOf(line).map((text) => named('bank', text, SHORT_REFERENCE));
  const { endToEndId } = line;
  const ofPayer = endToEndId === null ? [] : [named('payer', endToEndId, SHORT_END_TO_END_ID)];
  if (ofBank.length === 0) return ofPayer.flatMap((mark) => [mark, { of: 'payer', mark: '' }]);
  const silent: Mark[] = [{ of: 'bank', mark: '' }];
  const silentOfBank: Mark[] = [{ of: 'bank', mark: '-' }];
  return [...ofBank, ...silent, ...(endToEndId === null ? silentOfBank : ofPayer)];
}

/** Truncated as in the database index. */
const named = (of: Mark['of'], reference: string, length: number): Mark => ({
  of,
  mark: `=${[...reference].slice(0, length).join('')}`,
});

const isReference = ({ mark }: Mark): boolean => mark.startsWith('=');

/** Keys with the day and without it. */
const keysOf = (line: IncomingLine): string[] => each([lineKey(line), undatedKey(line)]);

/** Identifiers that only some formats have; all others are marks. */
const referencesOf = ({ identifiers }: IncomingLine): string[] =>
  ['transactionId', 'instructionId', 'uetr'].flatMap((name) => identifiers[name] ?? []);

const isBooked = ({ status }: IncomingLine): boolean => status === 'booked';

function onItsDay(line: IncomingLine, marks: readonly Mark[], given: GivenOrdinals): MarkedLines[] {
  return given.others(keysOf(line)).flatMap(({ key, low, high }) => {
    const range = { low: key, first: low, high: key, last: high, among: 'all' } as const;
    return marks.map((mark) => ({ ...mark, ...range }));
  });
}

function around(
  line: IncomingLine,
  marks: readonly Mark[],
  among: MarkedLines['among'],
): MarkedLines[] {
  const range = { ...keysAround(line), first: 0, last: ORDINAL_MAX, among };
  return marks.map((mark) => ({ ...mark, ...range }));
}

const each = (texts: readonly string[]): string[] => [...new Set(texts)];

const once = <Range extends object>(ranges: readonly Range[]): Range[] => [
  ...new Map(ranges.map((range) => [JSON.stringify(range), range])).values(),
];
