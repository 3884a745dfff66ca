import { selfContained } from '../../common/markup.js';
import { remembered } from '../../common/remembered.js';
import { majorUnits } from '../download/manifest.js';

const formats = (parts: Intl.DateTimeFormatOptions) =>
  remembered((timeZone: string) => new Intl.DateTimeFormat('en-GB', { timeZone, ...parts }));

const dayFormat = formats({ day: 'numeric', month: 'short', year: 'numeric' });
const timeFormat = formats({ hour: '2-digit', minute: '2-digit', second: '2-digit' });

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
export const When = ({ at, timeZone }: WhenProps) => (
  <time class="when" dateTime={at.toISOString()} title={utcText(at)}>
    {dayText(at, timeZone)} <span>{timeFormat(timeZone).format(at)}</span>
  </time>
);

/** "Europe/Berlin (UTC+01:00)", as the clocks are at this moment. */
export function zoneText(timeZone: string, now: Date): string {
  if (timeZone === 'UTC') return timeZone;
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const offset = format.formatToParts(now).find(({ type }) => type === 'timeZoneName')!.value;
  return `${timeZone} (UTC${offset.slice(3) || '+00:00'})`;
}

/** "1,249.00": the exact digits, in groups of three. */
export function amountText(minor: number | bigint, currency: string): string {
  const [whole = '', ...decimals] = majorUnits(BigInt(minor), currency).split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...decimals].join('.');
}

interface AmountProps {
  /** Minor units. */
  readonly minor: number | bigint;
  readonly currency: string;
}

export const Amount = ({ minor, currency }: AmountProps) => (
  <>
    {amountText(minor, currency)} <span class="currency">{currency}</span>
  </>
);

/** What somebody else wrote; a dash where nobody wrote anything. */
export const Text = ({ text }: { readonly text: string | null }) =>
  text === null || text === '' ? (
    <span class="text-secondary">—</span>
  ) : (
    <bdi>{selfContained(text)}</bdi>
  );

/** "1,284". */
export const numberText = (count: number): string => count.toLocaleString('en');
