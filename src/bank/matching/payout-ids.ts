import { uuidOf } from '../../common/ids.js';
import type { BankLine } from '../../database/bank/lines/bank-line.entity.js';
import { LOOKED_AT } from './reference-clues.js';

/** Our payout id as banks return it: without dashes. `MAY_BE_OF_ANOTHER` looks for the same two spellings. */
const PAYOUT_ID = /^(?:[0-9a-f]{32}|[0-9A-F]{32})$/;
/** Maximum ids that are read from a text, of which a payer can write four. */
const TEXT_IDS_MAX = 10;

/** Reads the end-to-end id only: a payer may have written the text, or the creditor of a direct debit part of an id. */
export const payoutIdsIn = ({ endToEndId }: BankLine): string[] =>
  endToEndId !== null && PAYOUT_ID.test(endToEndId) ? withDashes(endToEndId) : [];

/** The first ids in the text: a reason to ask, never to book. */
export const payoutIdsWithin = ({ text }: BankLine): string[] =>
  [...(text ?? '').slice(0, LOOKED_AT).matchAll(/[0-9a-f]{32}/gi)]
    .slice(0, TEXT_IDS_MAX)
    .flatMap(([id]) => withDashes(id));

function withDashes(id: string): string[] {
  const dashed = uuidOf(id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
  return dashed === null ? [] : [dashed];
}
