import { containsCardNumber } from '../../common/card-number.js';
import { isCurrency } from '../../common/currencies.js';
import { isLocaleTag } from '../../common/locale-tag.js';
import { AMOUNT_MAX, isAmount } from '../../common/money.js';
import { returnUrlProblem } from '../../common/return-url.js';
import { type TextProblem, textProblem } from '../../common/text.js';
import { type Fault, pointerStep } from '../../common/validation.js';
import { ORDER_MERCHANT_ID } from '../../status/order-selector.decorator.js';

export const OPTIONAL_FIELDS_MAX = 20;
export const OPTIONAL_KEY_MAX = 40;
export const TEXT_MAX = 255;
export const NAME_MAX = 140;
export const EXPIRY_MINUTES = { min: 5, max: 43_200, standard: 60 } as const;

export const EMAIL =
  /^[^\s<>,;:"()[\]\\@]{1,64}@[^\s<>,;:"()[\]\\@]{1,189}\.[^\s<>,;:"()[\]\\@]{2,63}$/;

const isMissing = (value: unknown): value is null | undefined =>
  value === undefined || value === null;

/** An optional field may be left out or null, which mean the same. */
export const optional =
  (check: (value: unknown) => Fault | readonly Fault[] | undefined) => (value: unknown) =>
    isMissing(value) ? undefined : check(value);

export const required =
  (check: (value: unknown) => Fault | readonly Fault[] | undefined) => (value: unknown) =>
    isMissing(value)
      ? { code: 'required' as const, detail: 'This field is required.' }
      : check(value);

function textFault(problem: TextProblem, max: number): Fault {
  const faults: Record<TextProblem, Fault> = {
    not_text: { code: 'wrong_type', detail: 'This must be a string.' },
    too_short: { code: 'too_short', detail: 'This must not be empty.' },
    too_long: { code: 'too_long', detail: `This may have at most ${max} characters.` },
    control_character: { code: 'control_character', detail: 'This has a control character.' },
    not_well_formed: { code: 'not_well_formed', detail: 'This is not valid Unicode.' },
  };
  return faults[problem];
}

export const text =
  (max: number, min = 0) =>
  (value: unknown): Fault | undefined => {
    const problem = textProblem(value, { min, max });
    return problem && textFault(problem, max);
  };

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

export function amount(value: unknown): Fault | undefined {
  if (typeof value !== 'number') {
    return { code: 'wrong_type', detail: 'This must be a whole number of minor units.' };
  }
  return isAmount(value)
    ? undefined
    : { code: 'out_of_range', detail: `This must be a whole number from 1 to ${AMOUNT_MAX}.` };
}

export function currency(value: unknown): Fault | undefined {
  if (typeof value !== 'string') return { code: 'wrong_type', detail: 'This must be a string.' };
  return isCurrency(value)
    ? undefined
    : { code: 'unknown_currency', detail: 'Use a current ISO 4217 code in capitals, such as EUR.' };
}

export function email(value: unknown): Fault | undefined {
  const fault = text(254, 3)(value);
  if (fault) return fault;
  return EMAIL.test(value as string)
    ? undefined
    : { code: 'wrong_format', detail: 'This is not an e-mail address.' };
}

export function webUrl(value: unknown): Fault | undefined {
  if (typeof value !== 'string') return { code: 'wrong_type', detail: 'This must be a string.' };
  return returnUrlProblem(value, { httpsOnly: false })
    ? {
        code: 'wrong_format',
        detail:
          'This must be an absolute http(s) URL without credentials, at most 2048 characters.',
      }
    : undefined;
}

/** Says only what `webUrl` does not. */
export const httpsOnly = (value: unknown): Fault | undefined =>
  returnUrlProblem(value, { httpsOnly: true }) === 'https_required'
    ? { code: 'https_required', detail: 'In live mode this must begin with https://.' }
    : undefined;

export function localeTag(value: unknown): Fault | undefined {
  if (typeof value !== 'string') return { code: 'wrong_type', detail: 'This must be a string.' };
  return isLocaleTag(value)
    ? undefined
    : { code: 'wrong_format', detail: 'This must be a BCP 47 language tag, such as de-AT.' };
}

export function expiresInMinutes(value: unknown): Fault | undefined {
  const { min, max } = EXPIRY_MINUTES;
  if (!Number.isInteger(value)) {
    return { code: 'wrong_type', detail: 'This must be a whole number of minutes.' };
  }
  return (value as number) >= min && (value as number) <= max
    ? undefined
    : { code: 'out_of_range', detail: `This must be from ${min} to ${max}.` };
}

const object = (value: unknown): Fault | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? undefined
    : { code: 'wrong_type', detail: 'This must be an object.' };

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
