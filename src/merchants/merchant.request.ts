import { optional, required } from '../common/field-rules.js';
import { returnUrlProblem } from '../common/return-url.js';
import { textProblem } from '../common/text.js';
import { isTimeZone } from '../common/time-format.js';
import { type Check, type Fault, Rule } from '../common/validation.js';

const NAME_MAX = 140;
const URL_MAX = 2_048;
const MAILTO = /^mailto:[^\s@<>"?]+@[^\s@<>"?]+\.[^\s@<>"?]+$/i;

const wrong = (detail: string): Fault => ({ code: 'wrong_format', detail });

const isHttps = (value: string): boolean =>
  value.length <= URL_MAX && returnUrlProblem(value, { httpsOnly: true }) === undefined;

const name: Check = (value) => {
  const isName = textProblem(value, { min: 1, max: NAME_MAX, name: true }) === undefined;
  const isSeen = isName && /[\p{L}\p{N}\p{S}]/u.test(value as string);
  return isSeen
    ? undefined
    : wrong(`Write 1 to ${NAME_MAX} characters, on one line and without invisible ones.`);
};

const colour: Check = (value) =>
  typeof value === 'string' && /^#?[\da-f]{6}$/i.test(value)
    ? undefined
    : wrong('Write six hexadecimal digits, such as 0b4f9e.');

const contactUrl: Check = (value) => {
  if (value === '') return undefined;
  const isContact = typeof value === 'string' && (isHttps(value) || isMailto(value));
  return isContact
    ? undefined
    : wrong('Write an address such as https://shop.example/help or mailto:help@shop.example.');
};

const isMailto = (value: string): boolean =>
  value.length <= URL_MAX && MAILTO.test(value) && !/[\p{Cc}\p{Bidi_Control}]/u.test(value);

const logoUrl: Check = (value) =>
  value === '' || (typeof value === 'string' && isHttps(value))
    ? undefined
    : wrong('Write an address that begins with https://.');

const timeZone: Check = (value) =>
  typeof value === 'string' && isTimeZone(value)
    ? undefined
    : wrong('Choose a time zone from the list, such as Europe/Berlin.');

/** A merchant as an operator adds one. */
export class CreateMerchantRequest {
  @Rule(required(name))
  name: string;

  @Rule(optional(timeZone))
  timeZone?: string;
}

/** What a merchant may change of itself. */
export class ChangeMerchantRequest {
  @Rule(optional(name))
  name?: string;

  @Rule(optional(colour))
  colour?: string;

  @Rule(optional(contactUrl))
  contactUrl?: string;

  @Rule(optional(logoUrl))
  logoUrl?: string;

  @Rule(optional(timeZone))
  timeZone?: string;
}
