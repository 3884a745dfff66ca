import { isCurrency } from '../common/money/currencies.js';
import { uuidOf } from '../common/ids.js';
import { isIpRange } from '../common/ip-allow-list.js';
import { textProblem } from '../common/text.js';
import { isCalendarDay } from '../common/time/time-zone.js';
import { MODES, SCOPES } from '../database/merchants/api-key.entity.js';
import { EVENT_TYPES } from '../database/notifications/event.entity.js';
import { API_VERSIONS, isApiVersion } from '../common/api-version.js';
import { mailAddress } from '../notifications/mail/mail-address.js';
import type { Input } from './options.js';

const DAY_MS = 86_400_000;
const CONTACT_MAX = 2048;

const oneOf = <T extends string>(choices: readonly T[]): Input<T> => ({
  expects: choices.join(' or '),
  parse: (text) => choices.find((choice) => choice === text),
});

export const MODE = oneOf(MODES);
export const SCOPE = oneOf(SCOPES);

export const NAME: Input<string> = {
  expects: '1 to 140 characters without control characters and marks of direction',
  parse: (text) => (textProblem(text, { min: 1, max: 140, name: true }) ? undefined : text),
};

export const CURRENCY: Input<string> = {
  expects: 'a currency, such as EUR',
  parse: (text) => (isCurrency(text) ? text : undefined),
};

/** Received money may be in a currency that orders cannot have. */
export const ANY_CURRENCY: Input<string> = {
  expects: 'a currency, such as EUR',
  parse: (text) => (/^[A-Z]{3}$/.test(text) ? text : undefined),
};

/** Interpreted in the currency of another option. */
export const AMOUNT_TEXT: Input<string> = {
  expects: 'an amount, such as 0.30',
  parse: (text) => text,
};

/** Note stored with a ledger entry. */
export const NOTE: Input<string> = {
  expects: '1 to 255 characters without control characters',
  parse: (text) => (textProblem(text, { min: 1, max: 255 }) ? undefined : text),
};

export const EMAIL_INPUT: Input<string> = {
  expects: 'the address of one mailbox, such as orders@shop.example',
  parse: mailAddress,
};

export const COLOUR: Input<string> = {
  expects: 'six hex digits such as 0b4f9e',
  parse: (text) => /^#?([\da-f]{6})$/i.exec(text)?.[1]?.toLowerCase(),
};

export const CONTACT_URL: Input<string> = {
  expects: `a https:// or mailto: URL of at most ${CONTACT_MAX} characters`,
  parse: (text) => {
    const isContact = /^(https:\/\/[^\s]+|mailto:[^\s@]+@[^\s@]+)$/i.test(text);
    return isContact && text.length <= CONTACT_MAX && URL.canParse(text) ? text : undefined;
  },
};

export const ID: Input<string> = {
  expects: 'an id such as 019aa2f0-7c00-7000-8000-0123456789ab',
  parse: (text) => uuidOf(text) ?? undefined,
};

export const IP_RANGE: Input<string> = {
  expects: 'an IP address or a range such as 192.0.2.0/24',
  parse: (text) => (isIpRange(text) ? text : undefined),
};

export const API_VERSION: Input<(typeof API_VERSIONS)[number]> = {
  expects: `one of ${API_VERSIONS.join(', ')}`,
  parse: (text) => (isApiVersion(text) ? text : undefined),
};

/** A test key, which moves no money. */
export const TEST_KEY: Input<string> = {
  expects: 'a test key, which begins with pos_test_',
  parse: (text) => (/^pos_test_[\w-]+$/.test(text) ? text : undefined),
};

export const HTTP_URL: Input<string> = {
  expects: 'an http:// or https:// URL',
  parse: (text) => (/^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined),
};

export const EVENT_TYPE_LIST: Input<string> = {
  expects: `some of ${EVENT_TYPES.join(', ')}, separated by commas`,
  parse: (text) => {
    const types: readonly string[] = EVENT_TYPES;
    return text.split(',').every((type) => types.includes(type)) ? text : undefined;
  },
};

export const DAY: Input<string> = {
  expects: 'a day, such as 2026-11-30',
  parse: (text) => (isCalendarDay(text) ? text : undefined),
};

/** Last day of a key, converted to the end of that day. */
export const LAST_DAY: Input<Date> = {
  expects: 'a day from today on, such as 2027-01-31 (UTC)',
  parse: (text) => {
    const start = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : Number.NaN);
    const isDay = !Number.isNaN(start.getTime()) && start.toISOString().startsWith(text);
    const end = new Date(start.getTime() + DAY_MS);
    return isDay && end.getTime() > Date.now() ? end : undefined;
  },
};
