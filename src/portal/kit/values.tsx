import { dateFormats } from '../../common/date-formats.js';
import { selfContained } from '../../common/markup.js';
import { toMajorUnits } from '../../common/money.js';

const dayFormat = dateFormats('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const timeFormat = dateFormats('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const offsetFormat = dateFormats('en', { timeZoneName: 'longOffset' });

/** "20 Nov 2026". */
export const dayText = (moment: Date, timeZone: string): string =>
  dayFormat(timeZone).format(moment).replace('Sept', 'Sep');

const utcText = (moment: Date): string =>
  `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

interface WhenProps {
  readonly at: Date;
  /** IANA name. */
  readonly timeZone: string;
}

/** A moment on the clocks of the zone; pointed at, in UTC. */
export const TimeValue = ({ at, timeZone }: WhenProps) => (
  <time class="when" dateTime={at.toISOString()} title={utcText(at)}>
    {dayText(at, timeZone)} <span>{timeFormat(timeZone).format(at)}</span>
  </time>
);

/** "Europe/Berlin (UTC+01:00)", as the clocks are at this moment. */
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

export const AmountValue = ({ minor, currency }: AmountProps) => (
  <>
    {amountText(minor, currency)} <span class="currency">{currency}</span>
  </>
);

/** What somebody else wrote; a dash where nobody wrote anything. */
export const TextValue = ({ text }: { readonly text: string | null }) =>
  text === null || text === '' ? (
    <span class="text-secondary">—</span>
  ) : (
    <bdi>{selfContained(text)}</bdi>
  );

/** "1,284". */
export const numberText = (count: number): string => count.toLocaleString('en');
