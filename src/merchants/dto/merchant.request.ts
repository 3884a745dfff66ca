import { textProblem } from '../../common/text.js';
import { isTimeZone } from '../../common/time/time-format.js';
import { fieldType, OPTIONAL } from '../../contract/fields.js';
import { returnUrlProblem } from '../../contract/return-url.js';
import { formed, Validate } from '../../contract/rules.js';

const NAME_MAX = 140;
const URL_MAX = 2_048;
const MAILTO = /^mailto:[^\s@<>"?]+@[^\s@<>"?.]+(?:\.[^\s@<>"?.]+)+$/i;

const isHttps = (value: string): boolean =>
  value.length <= URL_MAX && returnUrlProblem(value, { httpsOnly: true }) === undefined;

const isMailto = (value: string): boolean =>
  value.length <= URL_MAX && MAILTO.test(value) && !/[\p{Cc}\p{Bidi_Control}]/u.test(value);

const isName = (value: string): boolean =>
  textProblem(value, { min: 1, max: NAME_MAX, name: true }) === undefined &&
  /[\p{L}\p{N}\p{S}]/u.test(value);

/** Text of a form. */
const typed = (isValid: (value: string) => boolean, detail: string) =>
  fieldType({ type: 'string' }, Validate(formed(isValid, detail)));

const Name = typed(
  isName,
  `Write 1 to ${NAME_MAX} characters, on one line and without invisible ones.`,
);
const Colour = typed(
  (value) => /^#?[\da-f]{6}$/i.test(value),
  'Write six hexadecimal digits, such as 0b4f9e.',
);
const ContactUrl = typed(
  (value) => value === '' || isHttps(value) || isMailto(value),
  'Write an address such as https://shop.example/help or mailto:help@shop.example.',
);
const LogoUrl = typed(
  (value) => value === '' || isHttps(value),
  'Write an address that begins with https://.',
);
const TimeZone = typed(isTimeZone, 'Choose a time zone from the list, such as Europe/Berlin.');

/** Days from 2 to 60; empty text leaves them unchanged. */
const TransferDays = typed(
  (value) => value === '' || (/^\d{1,2}$/.test(value) && Number(value) >= 2 && Number(value) <= 60),
  'Write a number of days, from 2 to 60.',
);

/** New merchant, created by an operator. */
export class CreateMerchantRequest {
  @Name()
  name: string;

  @TimeZone(OPTIONAL)
  timeZone?: string;
}

/** Settings that a merchant can change. */
export class ChangeMerchantRequest {
  @Name(OPTIONAL)
  name?: string;

  @Colour(OPTIONAL)
  colour?: string;

  @ContactUrl(OPTIONAL)
  contactUrl?: string;

  @LogoUrl(OPTIONAL)
  logoUrl?: string;

  @TimeZone(OPTIONAL)
  timeZone?: string;

  @TransferDays(OPTIONAL)
  transferDays?: string;
}
