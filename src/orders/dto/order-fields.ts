import { containsCardNumber } from '../../common/card-number.js';
import { kind, PLAIN_TEXT } from '../../contract/fields.js';
import { isLocaleTag } from '../../contract/locale-tag.js';
import { RETURN_URL_LENGTH_MAX, returnUrlProblem } from '../../contract/return-url.js';
import {
  type Fault,
  formed,
  GroupRule,
  pointerStep,
  Rule,
  text,
  wrongType,
} from '../../contract/rules.js';
import { LIVE } from '../../contract/versions/rule-groups.js';
import { ORDER_MERCHANT_ID } from '../../status/order-selector.decorator.js';

const PAIRS_MAX = 20;
const PAIR_NAME_MAX = 40;
const TEXT_MAX = 255;
const EMAIL_LENGTH_MAX = 254;

const EMAIL = /^[^\s<>,;:"()[\]\\@]{1,64}@[^\s<>,;:"()[\]\\@]{1,189}\.[^\s<>,;:"()[\]\\@]{2,63}$/;
/** An absolute address with a host and without credentials. */
const URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@]+([/?#].*)?$';
/** Language, script and region of a BCP 47 tag. */
const LOCALE_PATTERN = '^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$';

const noCardNumber = (value: unknown): Fault | undefined =>
  containsCardNumber(value as string)
    ? { code: 'card_data_refused', detail: 'This looks like a payment card number.' }
    : undefined;

const plainText = text({ max: TEXT_MAX });

/** Text that a shop writes freely, and where a card number has no business. */
export const FreeText = kind(
  { type: 'string', maxLength: TEXT_MAX, pattern: PLAIN_TEXT },
  Rule(plainText, noCardNumber),
);

export const OrderMerchantId = kind(
  { type: 'string', pattern: ORDER_MERCHANT_ID.source },
  Rule(
    text({ min: 1, max: 64 }),
    formed((value) => ORDER_MERCHANT_ID.test(value), 'Use letters, digits and . _ : / - only.'),
  ),
);

export const Email = kind(
  { type: 'string', maxLength: EMAIL_LENGTH_MAX, format: 'email', pattern: EMAIL.source },
  Rule(
    text({ min: 3, max: EMAIL_LENGTH_MAX }),
    formed((value) => EMAIL.test(value), 'This is not an e-mail address.'),
  ),
);

const httpsOnly = (value: unknown): Fault | undefined =>
  returnUrlProblem(value, { httpsOnly: true }) === 'https_required'
    ? { code: 'https_required', detail: 'In live mode this must begin with https://.' }
    : undefined;

/** An address to which the payment page sends the payer. */
export const ReturnUrl = kind(
  { type: 'string', maxLength: RETURN_URL_LENGTH_MAX, pattern: URL_PATTERN, format: 'uri' },
  GroupRule(LIVE, httpsOnly),
  Rule(
    formed(
      (value) => returnUrlProblem(value, { httpsOnly: false }) === undefined,
      `This must be an absolute http(s) URL without credentials, at most ${RETURN_URL_LENGTH_MAX} characters.`,
    ),
  ),
);

export const LocaleTag = kind(
  { type: 'string', pattern: LOCALE_PATTERN },
  Rule(formed(isLocaleTag, 'This must be a BCP 47 language tag, such as de-AT.')),
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

/** The fault is in a pair's name, not in its value. */
const inName = (fault: Fault | undefined): Fault | undefined =>
  fault && { ...fault, detail: `The name of the field: ${fault.detail}` };

/** Pairs of a shop's own. */
export const TextPairs = kind(
  {
    type: 'object',
    maxProperties: PAIRS_MAX,
    propertyNames: {
      minLength: 1,
      maxLength: PAIR_NAME_MAX,
      pattern: PLAIN_TEXT,
      not: { const: '__proto__' },
    },
    additionalProperties: { type: 'string', maxLength: TEXT_MAX, pattern: PLAIN_TEXT },
  },
  Rule(fewPairs, goodPairs),
);
