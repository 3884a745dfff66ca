import {
  BACK_VALUED_DAYS,
  NEAR_DAYS,
  OF_ENTRY,
  OF_TRANSACTION,
  SHORT_REFERENCE,
} from './line-store.statements.js';

/**
 * SQL form of `mayBeSame` (`src/bank/recognition/same-booking.ts`): whether a line `l` and a wanted line `w` of the same money and
 * near days may be one booking. `test/bank-same-rule.e2e-spec.ts` compares both forms.
 */

/** Prefix of the identifier that holds the name of a line in one kind of message. */
export const NAME_IN = 'nameIn ';
/** Value for a line without a unique name in that kind of message. */
export const NO_NAME = '-';

const same = (one: string, other: string): string => `(${one} = ${other}
  OR length(${one}) = ${SHORT_REFERENCE} AND starts_with(${other}, ${one})
  OR length(${other}) = ${SHORT_REFERENCE} AND starts_with(${one}, ${other}))`;

/** Whether line `l` shares a bank reference with another line. */
export const sharesReference = (ofTransaction: string, ofEntry: string): string =>
  `coalesce(CASE WHEN ${OF_TRANSACTION} IS NOT NULL AND ${ofTransaction} IS NOT NULL
  THEN ${same(OF_TRANSACTION, ofTransaction)}
  ELSE ${[OF_TRANSACTION, OF_ENTRY]
    .flatMap((mine) =>
      [ofTransaction, ofEntry].map((theirs) => `coalesce(${same(mine, theirs)}, false)`),
    )
    .join(' OR ')} END, false)`;

/** The same for a wanted line `w`. */
export const SHARES_REFERENCE = sharesReference('w."ofTransaction"', 'w."ofEntry"');

export const HAS_END_TO_END_ID = 'l.end_to_end_id = w."endToEndId"';

export const NAMES_REFERENCE = 'l.named_reference = w.named';

/** A reference of this service: see `newTransferReference`. */
const REFERENCE = 'RF[0-9]{18}';

/**
 * Whether a line or a wanted line names two references. Only one of them is stored as its named reference, so the two
 * lines may name the same order although these differ.
 */
export const NAMES_SEVERAL = `EXISTS (SELECT FROM bank_lines x WHERE x.id IN (l.id, w.id)
  AND upper(regexp_replace(concat_ws('|', x.text, x.end_to_end_id, x.payer_references::text), '[^A-Za-z0-9]', '', 'g'))
    ~ '${REFERENCE}.*${REFERENCE}')`;

/** Whether the booking day or the value day is the same. */
export const IS_OF_DAY = `(l.key = w.money OR w.day IS NULL OR l.key = w.money || to_char(w.day, 'YYYY-MM-DD')
  OR coalesce(l.valued_on, l.booked_on) = w."valuedOn")`;

/** SQL form of `nearDays` (`src/bank/recognition/line-key.ts`). */
export const IS_NEAR = `(l.key = w.money OR w.day IS NULL
  OR abs(coalesce(l.booked_on, l.valued_on) - w.day) <= ${NEAR_DAYS}
  OR (l.booked_on IS NULL OR NOT w."isBooked")
    AND abs(coalesce(l.valued_on, l.booked_on) - w."valuedOn") <= ${NEAR_DAYS})`;

/** Days around a wanted line in whose keys lines that are near can be: a line without booking day has its value day there. */
export const SPREAD = `(${NEAR_DAYS} + CASE WHEN w."isBooked" THEN least(abs(w.day - w."valuedOn"), ${BACK_VALUED_DAYS})
  ELSE ${BACK_VALUED_DAYS} END)`;

/** Whether the line has a bank reference that no payer can have written. */
export const IS_REFERRED = `(coalesce(${OF_TRANSACTION}, ${OF_ENTRY}) IS NOT NULL AND l.identifiers ->> 'doubtfulReference' IS NULL)`;

/** IBAN that no payer can have written. */
export const IBAN = `CASE WHEN l.counterparty_account_type = 'iban' AND l.identifiers ->> 'doubtfulAccount' IS NULL
  THEN l.counterparty_account END`;

export const UETR = `l.identifiers ->> 'uetr'`;
export const TRANSACTION_ID = `l.identifiers ->> 'transactionId'`;
const SHARES_UNIQUE = `(coalesce(${UETR} = w.uetr, false) OR coalesce(${TRANSACTION_ID} = w."transactionId", false))`;

const IS_REFERRED_ALIKE = `(${SHARES_REFERENCE} AND coalesce(${HAS_END_TO_END_ID}, false))`;

/** Name of the line in the kind of message that is being stored; null if no such message contains the line. */
export const NAME_THERE = `l.identifiers ->> $9`;

/**
 * Whether no data of the bank distinguishes a line of the days around from a wanted line.
 * @param isInOneKind whether one kind of message contains both
 * @param isNamedAlike whether it names both
 */
const mayBe = (isInOneKind: string, isNamedAlike: string): string => `
  (${UETR} <> w.uetr) IS NOT TRUE AND (${IBAN} <> w.iban AND NOT ${SHARES_UNIQUE} AND NOT ${IS_REFERRED_ALIKE}) IS NOT TRUE
  AND (${isNamedAlike} AND NOT ${SHARES_UNIQUE} AND (${TRANSACTION_ID} <> w."transactionId"
    OR w."isReferred" AND ${IS_REFERRED} AND NOT ${SHARES_REFERENCE})) IS NOT TRUE
  AND (${IS_OF_DAY} OR ${isInOneKind} IS NOT TRUE OR ${SHARES_UNIQUE} OR ${SHARES_REFERENCE}
    OR ${HAS_END_TO_END_ID} OR ${NAMES_REFERENCE})`;

/** For a line of a file. `$9` is the identifier of its kind of message. */
export const MAY_BE = mayBe(
  `${NAME_THERE} IS NOT NULL`,
  `${NAME_THERE} <> '${NO_NAME}' AND w."isNamed"`,
);

/** Columns of a stored line `l` that serve as a wanted line. */
export const AS_WANTED = `l.identifiers, regexp_replace(l.key, '[^|]*$', '') AS money, coalesce(l.booked_on, l.valued_on) AS day,
  coalesce(l.valued_on, l.booked_on) AS "valuedOn", l.booked_on IS NOT NULL AS "isBooked", ${OF_TRANSACTION} AS "ofTransaction", ${OF_ENTRY} AS "ofEntry",
  ${IS_REFERRED} AS "isReferred", ${UETR} AS uetr, ${TRANSACTION_ID} AS "transactionId", ${IBAN} AS iban,
  l.end_to_end_id AS "endToEndId", l.named_reference AS named`;

/** Whether a kind of message contains both lines, on a condition. */
const kinds = (condition: string): string => `EXISTS (SELECT FROM json_each_text(l.identifiers) a
  JOIN json_each_text(w.identifiers) b ON b.key = a.key AND starts_with(a.key, '${NAME_IN}') AND ${condition})`;
/** For a stored line. */
export const MAY_BE_KNOWN = mayBe(
  kinds('a.value IS NOT NULL AND b.value IS NOT NULL'),
  kinds(`a.value <> '${NO_NAME}' AND b.value <> '${NO_NAME}'`),
);

/** Columns of `WantedRival`. */
export const WANTED = `n integer, money text, day date, "valuedOn" date, "isBooked" boolean, "ofTransaction" text, "ofEntry" text,
  "isDoubtful" boolean, "isNamed" boolean, "endToEndId" text, "transactionId" text, uetr text, named text, iban text`;
export const IS_WANTED_REFERRED = `coalesce("ofTransaction", "ofEntry") IS NOT NULL AND NOT "isDoubtful" AS "isReferred"`;
