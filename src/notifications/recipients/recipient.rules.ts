import { matchLocale, LOCALES } from '../../common/locale.js';
import { isLocaleTag } from '../../common/locale-tag.js';
import { AMOUNT_MAX, isAmount } from '../../common/money.js';
import { isTimeZone } from '../../common/time-format.js';
import type { Fault } from '../../common/validation.js';
import { mailAddress } from '../mail/mail-address.js';

type Check = (value: unknown) => Fault | undefined;

export const required =
  (check: Check): Check =>
  (value) =>
    value === undefined ? { code: 'required', detail: 'This field is required.' } : check(value);

export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);

const text =
  (isValid: (value: string) => boolean, detail: string): Check =>
  (value) => {
    if (typeof value !== 'string') return { code: 'wrong_type', detail: 'This must be a string.' };
    return isValid(value) ? undefined : { code: 'wrong_format', detail };
  };

export const email = text(
  (value) => mailAddress(value) !== undefined,
  'This must be the address of one mailbox, such as orders@shop.example, at most 254 characters.',
);

export const locale = text(
  (value) => isLocaleTag(value) && matchLocale(value) !== undefined,
  `This must be a BCP 47 tag of one of the languages ${LOCALES.join(', ')}.`,
);

export const timeZone = text(isTimeZone, 'This must be an IANA time zone, such as Europe/Berlin.');

export const minimumAmount: Check = (value) => {
  if (typeof value !== 'number') {
    return { code: 'wrong_type', detail: 'This must be a whole number of minor units.' };
  }
  return isAmount(value)
    ? undefined
    : { code: 'out_of_range', detail: `This must be a whole number from 1 to ${AMOUNT_MAX}.` };
};
