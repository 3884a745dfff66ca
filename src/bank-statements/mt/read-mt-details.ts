import { textOrNull } from '../counterparty.js';
import { codedDetails } from './coded-details.js';
import { CODED_START } from './coded-fields.js';
import { type MtDetails, NO_DETAILS } from './mt-details.js';
import type { MtBankFormat } from './mt-writer.js';
import { taggedDetails } from './tagged-details.js';
import { TAGGED_START } from './tagged-fields.js';

/** Full line width: the text of a full line continues in the next one without a blank, even inside a word. */
const WIDTH = 65;
/** Knab's own line with the counterparty's account and name, after the text. */
const COUNTER = /^REK: ?([A-Z]{2}\d\d[A-Z0-9]+)\/NAAM: ?(.*)$/s;
const COUNTER_START = 'REK:';

/**
 * Only the first :86: of an entry can be structured. Later ones, one per line at Nordic banks, are text, since a payer
 * may have forged the tag.
 */
export function readMtDetails(
  [first, ...others]: readonly (readonly string[])[],
  { isKnab, isRabobank }: MtBankFormat,
): MtDetails {
  if (!first) return NO_DETAILS;
  // If two are structured, a payer forged one of them: below the bank's :61:, or after its :86:.
  const isOne = !isKnab && !others.some(isStructured);
  const structured = isOne ? structuredDetails(first) : undefined;
  if (!structured) return plainDetails([first, ...others].flat(), isKnab);
  const texts = [...structured.texts, plainText(others.flat())];
  return { ...structured, hasSupplementAccount: isRabobank, texts };
}

/** Whether details have coded subfields (`166?00…`) or tagged fields (`/EREF/…`). */
export const isStructured = (lines: readonly string[]): boolean => {
  const glued = lines.slice(0, 2).join('');
  return CODED_START.test(glued) || TAGGED_START.test(glued);
};

const structuredDetails = (lines: readonly string[]): MtDetails | undefined => {
  const glued = lines.join('');
  return codedDetails(glued) ?? taggedDetails(glued);
};

const plainText = (lines: readonly string[]): string | null =>
  textOrNull(lines.map((line) => (line.length < WIDTH ? `${line} ` : line)).join(''));

function plainDetails(lines: readonly string[], isKnab: boolean): MtDetails {
  const details = { ...NO_DETAILS, texts: [plainText(lines)] };
  const starts = lines.flatMap((line, at) => (line.startsWith(COUNTER_START) ? [at] : []));
  // A second such line would be the payer's text, wrapped before these words.
  if (!isKnab || starts.length !== 1) return details;
  const counter = COUNTER.exec(plainText(lines.slice(starts[0])) ?? '');
  return { ...details, party: { account: counter?.[1], name: counter?.[2] } };
}
