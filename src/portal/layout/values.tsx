import { selfContained } from '../../common/markup.js';
import { majorUnits } from '../download/manifest.js';

/** Bounded by the kinds of texts below × the zones of merchants. */
const FORMATS_MAX = 500;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string, part: 'date' | 'time'): Intl.DateTimeFormat {
  const key = `${part} ${timeZone}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    ...(part === 'date'
      ? ({ day: 'numeric', month: 'short', year: 'numeric' } as const)
      : ({ hour: '2-digit', minute: '2-digit', second: '2-digit' } as const)),
  });
  if (formats.size >= FORMATS_MAX) formats.clear();
  formats.set(key, made);
  return made;
}

/** "20 Nov 2026". */
export const dayText = (moment: Date, timeZone: string): string =>
  formatOf(timeZone, 'date').format(moment).replace('Sept', 'Sep');

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
    {dayText(at, timeZone)} <span>{formatOf(timeZone, 'time').format(at)}</span>
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
