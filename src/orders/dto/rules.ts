import { containsCardNumber } from '../../common/card-number.js';
import { isCurrency } from '../../common/currencies.js';
import { formed, isMissing, text, wholeNumber, wrongType } from '../../common/field-rules.js';
import { isLocaleTag } from '../../common/locale-tag.js';
import { returnUrlProblem } from '../../common/return-url.js';
import { type Fault, pointerStep } from '../../common/validation.js';
import { ORDER_MERCHANT_ID } from '../../status/order-selector.decorator.js';

export { amount, optional, required, text } from '../../common/field-rules.js';

export const OPTIONAL_FIELDS_MAX = 20;
export const OPTIONAL_KEY_MAX = 40;
export const TEXT_MAX = 255;
export const NAME_MAX = 140;
export const EXPIRY_MINUTES = { min: 5, max: 43_200, standard: 60 } as const;

export const EMAIL =
  /^[^\s<>,;:"()[\]\\@]{1,64}@[^\s<>,;:"()[\]\\@]{1,189}\.[^\s<>,;:"()[\]\\@]{2,63}$/;

/** Text that a shop writes freely, and where a card number has no business. */
export const freeText = (value: unknown): Fault | undefined =>
  text(TEXT_MAX)(value) ??
  (containsCardNumber(value as string)
    ? { code: 'card_data_refused', detail: 'This looks like a payment card number.' }
    : undefined);

export function orderMerchantId(value: unknown): Fault | undefined {
  const fault = text(64, 1)(value);
  if (fault) return fault;
  return ORDER_MERCHANT_ID.test(value as string)
    ? undefined
    : { code: 'wrong_format', detail: 'Use letters, digits and . _ : / - only.' };
}

export const currency = formed(
  isCurrency,
  'Use a current ISO 4217 code in capitals, such as EUR.',
  'unknown_currency',
);

export function email(value: unknown): Fault | undefined {
  const fault = text(254, 3)(value);
  if (fault) return fault;
  return EMAIL.test(value as string)
    ? undefined
    : { code: 'wrong_format', detail: 'This is not an e-mail address.' };
}

export const webUrl = formed(
  (value) => returnUrlProblem(value, { httpsOnly: false }) === undefined,
  'This must be an absolute http(s) URL without credentials, at most 2048 characters.',
);

/** Says only what `webUrl` does not. */
export const httpsOnly = (value: unknown): Fault | undefined =>
  returnUrlProblem(value, { httpsOnly: true }) === 'https_required'
    ? { code: 'https_required', detail: 'In live mode this must begin with https://.' }
    : undefined;

export const localeTag = formed(isLocaleTag, 'This must be a BCP 47 language tag, such as de-AT.');

export const expiresInMinutes = wholeNumber('minutes', EXPIRY_MINUTES);

const object = (value: unknown): Fault | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? undefined
    : wrongType('an object');

export function optionalFields(value: unknown): readonly Fault[] {
  const fault = object(value);
  if (fault) return [fault];
  const pairs = Object.entries(value as object);
  if (pairs.length > OPTIONAL_FIELDS_MAX) {
    return [{ code: 'too_long', detail: `At most ${OPTIONAL_FIELDS_MAX} pairs are allowed.` }];
  }
  return pairs.flatMap(([key, member]) => {
    const wrong =
      named(text(OPTIONAL_KEY_MAX, 1)(key)) ?? named(cardInKey(key)) ?? freeText(member);
    return wrong ? [{ ...wrong, at: pointerStep(key) }] : [];
  });
}

const cardInKey = (key: string): Fault | undefined =>
  containsCardNumber(key)
    ? { code: 'card_data_refused', detail: 'This looks like a payment card number.' }
    : undefined;

/** The fault is in a pair's name, not in its value. */
const named = (fault: Fault | undefined): Fault | undefined =>
  fault && { ...fault, detail: `The name of the field: ${fault.detail}` };

export const notInThisVersion =
  (since: string) =>
  (value: unknown): Fault | undefined =>
    isMissing(value)
      ? undefined
      : {
          code: 'field_not_in_this_version',
          detail: `This field came with version ${since}; select it with the header Api-Version.`,
        };
