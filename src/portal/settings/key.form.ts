import { isIpRange } from '../../common/ip-allow-list.js';
import { textProblem } from '../../common/text.js';
import { addDays, isCalendarDay, startOfDay } from '../../common/time/time-zone.js';
import { SCOPES } from '../../database/merchants/api-key.entity.js';
import { isApiVersion, NEWEST_API_VERSION } from '../../common/api-version.js';
import type { NewKey } from '../../merchants/api-keys.service.js';
import { scopesOf } from '../../merchants/scope-holders.js';
import type { MerchantAccess } from '../../people/portal-context.js';
import { type ParsedForm, formWith, type Problems, textOf } from '../kit/form.js';

const NAME_MAX = 140;
const RANGES_MAX = 50;
/** Hours during which both keys work. */
export const OVERLAPS = ['24', '72', '168', '1', '0'] as const;

/** Preselects all scopes that the role may grant. */
export const blankKey = ({ role }: MerchantAccess): URLSearchParams =>
  formWith({
    name: '',
    scopes: scopesOf(role),
    apiVersion: NEWEST_API_VERSION,
    expires: '',
    allowedIps: '',
  });

/** Parses the form. Merchant and mode always come from the page, not from the form. */
export function readKey(
  form: URLSearchParams,
  access: MerchantAccess,
  now: Date,
): ParsedForm<NewKey> {
  const name = textOf(form, 'name');
  const scopes = SCOPES.filter((scope) => form.getAll('scopes').includes(scope));
  const apiVersion = textOf(form, 'apiVersion');
  const expiresAt = lastMomentOf(textOf(form, 'expires'), access.timeZone, now);
  const allowedIps = textOf(form, 'allowedIps')
    .split(/[\s,]+/)
    .filter(Boolean);
  const problems = faults({
    name:
      textProblem(name, { min: 1, max: NAME_MAX, name: true }) &&
      `Enter 1 to ${NAME_MAX} characters, without invisible ones.`,
    scopes: scopes.length === 0 && 'Choose at least one.',
    apiVersion: !isApiVersion(apiVersion) && 'Choose a version from the list.',
    expires: expiresAt === undefined && 'Choose today or a later day, or leave it empty.',
    allowedIps: problemOf(allowedIps),
  });
  if (problems) return { problems };
  const { merchantId, mode } = access;
  const version = isApiVersion(apiVersion) ? apiVersion : NEWEST_API_VERSION;
  return {
    done: {
      merchantId,
      mode,
      name,
      scopes,
      apiVersion: version,
      expiresAt: expiresAt ?? null,
      allowedIps,
    },
  };
}

/** Overlap in hours, or null for an invalid choice. */
export function readOverlap(form: URLSearchParams): number | null {
  const hours = OVERLAPS.find((known) => known === form.get('overlapHours'));
  return hours === undefined ? null : Number(hours);
}

function faults(found: Readonly<Record<string, string | false | undefined>>): Problems | null {
  const entries = Object.entries(found).filter(([, problem]) => problem);
  return entries.length > 0 ? (Object.fromEntries(entries) as Problems) : null;
}

/** End of the day in the merchant's time zone; null = never, undefined = invalid or past. */
function lastMomentOf(day: string, timeZone: string, now: Date): Date | null | undefined {
  if (day === '') return null;
  if (!isCalendarDay(day)) return undefined;
  const end = startOfDay(addDays(day, 1), timeZone);
  return end > now ? end : undefined;
}

function problemOf(ranges: readonly string[]): string | undefined {
  if (ranges.length > RANGES_MAX) return `List at most ${RANGES_MAX} addresses.`;
  const bad = ranges.find((range) => !isIpRange(range));
  return bad && `“${bad.slice(0, 50)}” is not an IP address or a range such as 192.0.2.0/24.`;
}
