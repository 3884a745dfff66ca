import { formed } from '../../common/field-rules.js';
import { matchLocale, LOCALES } from '../../common/locale.js';
import { isLocaleTag } from '../../common/locale-tag.js';
import { isTimeZone } from '../../common/time-format.js';
import { mailAddress } from '../mail/mail-address.js';

export { amount as minimumAmount, optional, required } from '../../common/field-rules.js';

export const email = formed(
  (value) => mailAddress(value) !== undefined,
  'This must be the address of one mailbox, such as orders@shop.example, at most 254 characters.',
);

export const locale = formed(
  (value) => isLocaleTag(value) && matchLocale(value) !== undefined,
  `This must be a BCP 47 tag of one of the languages ${LOCALES.join(', ')}.`,
);

export const timeZone = formed(
  isTimeZone,
  'This must be an IANA time zone, such as Europe/Berlin.',
);
