import { dateFormats } from '../../common/time/date-formats.js';
import { selfContained } from '../../common/markup.js';
import { toMajorUnits } from '../../common/money/money.js';

const dayFormat = dateFormats('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const offsetFormat = dateFormats('en', { timeZoneName: 'longOffset' });

/** "20 Nov 2026". */
export const dayText = (moment: Date, timeZone: string): string =>
  dayFormat(timeZone).format(moment).replace('Sept', 'Sep');

/** @param moment RFC 3339 in UTC */
const utcText = (moment: string): string => `${moment.slice(0, 10)} ${moment.slice(11, 19)} UTC`;

interface WhenProps {
  readonly at: Date;
  /** IANA name. */
  readonly timeZone: string;
}

interface TimeTexts {
  /** RFC 3339. */
  readonly moment: string;
  readonly utc: string;
  readonly day: string;
  readonly time: string;
}

/** Formats date and time in one call, for lists with many rows. */
const momentFormat = dateFormats('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

export function timeTexts({ at, timeZone }: WhenProps): TimeTexts {
  const moment = at.toISOString();
  const [day = '', time = ''] = momentFormat(timeZone).format(at).split(', ');
  return { moment, utc: utcText(moment), day: day.replace('Sept', 'Sep'), time };
}

/** `TimeValue` for preformatted texts. */
export const TimeText = ({ moment, utc, day, time }: TimeTexts) => (
  <time class="when" dateTime={moment} title={utc}>
    {day} <span>{time}</span>
  </time>
);

/** A time in the time zone, with UTC as tooltip. */
export const TimeValue = (when: WhenProps) => <TimeText {...timeTexts(when)} />;

/** "Europe/Berlin (UTC+01:00)", with the current offset. */
export function zoneText(timeZone: string, now: Date): string {
  if (timeZone === 'UTC') return timeZone;
  const parts = offsetFormat(timeZone).formatToParts(now);
  const offset = parts.find(({ type }) => type === 'timeZoneName')!.value;
  return `${timeZone} (UTC${offset.slice(3) || '+00:00'})`;
}

/** "1,249.00": the exact digits, in groups of three. */
export function amountText(minor: number | bigint, currency: string): string {
  const [whole = '', ...decimals] = toMajorUnits(minor, currency).split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...decimals].join('.');
}

interface AmountProps {
  /** Minor units. */
  readonly minor: number | bigint;
  readonly currency: string;
}

interface AmountTexts {
  readonly amount: string;
  readonly currency: string;
}

/** `AmountValue` for preformatted texts. */
export const AmountText = ({ amount, currency }: AmountTexts) => (
  <>
    {amount} <span class="currency">{currency}</span>
  </>
);

export const AmountValue = ({ minor, currency }: AmountProps) => (
  <AmountText amount={amountText(minor, currency)} currency={currency} />
);

/** User input, or a dash if empty. */
export const TextValue = ({ text }: { readonly text: string | null }) =>
  text === null || text === '' ? (
    <span class="text-secondary">—</span>
  ) : (
    <bdi>{selfContained(text)}</bdi>
  );

/** "1,284". */
export const numberText = (count: number): string => count.toLocaleString('en');
