import { containsCardNumber } from '../../common/money/card-number.js';
import { ORDER_MERCHANT_ID, orderMerchantIdOf } from '../../common/order-merchant-id.js';
import { Normalize, fieldType, PLAIN_LINES, PLAIN_TEXT } from '../../contract/fields.js';
import {
  localeTag,
  oneLine,
  pairsInLines,
  trimmed,
  trimmedOrNothing,
} from '../../contract/normalizers.js';
import { isLocaleTag, LOCALE_TAG_LENGTH_MAX } from '../../contract/locale-tag.js';
import { RETURN_URL_LENGTH_MAX, returnUrlProblem } from '../../contract/return-url.js';
import {
  type Fault,
  formed,
  GroupRule,
  pointerStep,
  Validate,
  text,
  wrongType,
} from '../../contract/rules.js';
import { PAIR_NAME_MAX, PAIR_VALUE_MAX } from '../../contract/optional-field.js';
import { LIVE } from '../../contract/versions/rule-groups.js';

const PAIRS_MAX = 20;
const TEXT_MAX = 255;
const NAME_MAX = 140;
const EMAIL_LENGTH_MAX = 254;

const EMAIL = /^[^\s<>,;:"()[\]\\@]{1,64}@[^\s<>,;:"()[\]\\@]{1,189}\.[^\s<>,;:"()[\]\\@]{2,63}$/;
/** An absolute URL with a host and without credentials. */
const URL_PATTERN = '[Hh][Tt][Tt][Pp][Ss]?://[^/?#@]+([/?#].*)?';
/** Allows white space around it, which is trimmed. */
const around = (pattern: string): string => `^\\s*${pattern.replaceAll(/^\^|\$$/g, '')}\\s*$`;
/** Allows empty text, too. */
const aroundOrNothing = (pattern: string): string =>
  around(`(${pattern.replaceAll(/^\^|\$$/g, '')})?`);

const noCardNumber = (value: unknown): Fault | undefined =>
  containsCardNumber(value as string)
    ? { code: 'card_data_refused', detail: 'This looks like a payment card number.' }
    : undefined;

const plainText = text({ max: TEXT_MAX });

/** Free text of a shop, which must not contain card numbers. */
export const FreeText = fieldType(
  { type: 'string', maxLength: TEXT_MAX, pattern: PLAIN_LINES },
  Normalize(oneLine(TEXT_MAX)),
  Validate(plainText, noCardNumber),
);

export const PersonName = fieldType(
  { type: 'string', maxLength: NAME_MAX, pattern: PLAIN_LINES },
  Normalize(oneLine(NAME_MAX)),
  Validate(text({ max: NAME_MAX })),
);

/** Suggests a valid id, for example for `#1001` or `INV 1001`. */
function idFault(value: unknown): Fault | undefined {
  const id = value as string;
  if (orderMerchantIdOf(id) === id) return undefined;
  const bare = id.replace(/^#/, '');
  const dashed = bare.replaceAll(/[^A-Za-z0-9._:/-]+/g, '-');
  const hint = bare === dashed ? `Leave out the #: ${bare}` : `For example ${dashed}`;
  const allowed = 'Use letters, digits and . _ : / - only.';
  const isClear = /[A-Za-z0-9]/.test(dashed);
  return { code: 'wrong_format', detail: isClear ? `${allowed} ${hint}` : allowed };
}

export const OrderMerchantId = fieldType(
  { type: 'string', pattern: around(ORDER_MERCHANT_ID.source) },
  Normalize(trimmed),
  Validate(text({ min: 1, max: 64 }), idFault),
);

export const Email = fieldType(
  { type: 'string', pattern: aroundOrNothing(EMAIL.source) },
  Normalize(trimmedOrNothing),
  Validate(
    text({ min: 3, max: EMAIL_LENGTH_MAX }),
    formed(
      (value) => EMAIL.test(value),
      'This is not one e-mail address, such as erika@example.com. Leave it out when you have none.',
    ),
  ),
);

const httpsOnly = (value: unknown): Fault | undefined =>
  returnUrlProblem(value, { httpsOnly: true }) === 'https_required'
    ? { code: 'https_required', detail: 'In live mode this must begin with https://.' }
    : undefined;

/** Return URL of the payment page. */
export const ReturnUrl = fieldType(
  { type: 'string', pattern: aroundOrNothing(URL_PATTERN) },
  Normalize(trimmedOrNothing),
  GroupRule(LIVE, httpsOnly),
  Validate(
    formed(
      (value) => returnUrlProblem(value, { httpsOnly: false }) === undefined,
      `This must be an absolute http(s) URL without credentials, at most ${RETURN_URL_LENGTH_MAX} characters.`,
    ),
  ),
);

export const LocaleTag = fieldType(
  { type: 'string', maxLength: LOCALE_TAG_LENGTH_MAX, pattern: '^[A-Za-z0-9_ .@-]*$' },
  Normalize(localeTag),
  Validate(formed(isLocaleTag, 'This must be a BCP 47 language tag, such as de-AT.')),
);

function fewPairs(value: unknown): Fault | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return wrongType('an object');
  }
  return Object.keys(value).length > PAIRS_MAX
    ? { code: 'too_long', detail: `At most ${PAIRS_MAX} pairs are allowed.` }
    : undefined;
}

const pairName = text({ min: 1, max: PAIR_NAME_MAX });

const goodPairs = (value: unknown): readonly Fault[] =>
  Object.entries(value as object).flatMap(([name, member]) => {
    const fault =
      inName(pairName(name) ?? noCardNumber(name)) ?? plainText(member) ?? noCardNumber(member);
    return fault ? [{ ...fault, at: pointerStep(name) }] : [];
  });

/** The fault concerns a pair's name, not its value. */
const inName = (fault: Fault | undefined): Fault | undefined =>
  fault && { ...fault, detail: `The name of the field: ${fault.detail}` };

/** Custom pairs of a shop. */
export const TextPairs = fieldType(
  {
    type: 'object',
    maxProperties: PAIRS_MAX,
    propertyNames: {
      minLength: 1,
      maxLength: PAIR_NAME_MAX,
      pattern: PLAIN_TEXT,
      not: { const: '__proto__' },
    },
    additionalProperties: { type: 'string', maxLength: PAIR_VALUE_MAX, pattern: PLAIN_LINES },
  },
  Normalize(pairsInLines(TEXT_MAX)),
  Validate(fewPairs, goodPairs),
);
