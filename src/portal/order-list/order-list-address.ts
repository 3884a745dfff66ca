import type { DatePreset } from './date-presets.js';
import { type OrderFilter, toQuery } from './order-filter.js';
import type { OrdersAccess } from './orders-access.js';

/** What a page of the list shows, as its address says it. */
export interface Shown {
  readonly access: OrdersAccess;
  readonly filter: OrderFilter;
  readonly preset: DatePreset | null;
}

/** A form sends every field, filled or not; the address that is kept has only what means something. */
export function tidy(query: URLSearchParams): URLSearchParams {
  const filled = [...query].filter(([, value]) => value.trim() !== '');
  const isDated = filled.some(([name]) => name === 'from' || name === 'to');
  return new URLSearchParams(
    filled.filter(
      ([name, value]) =>
        !(name === 'preset' && isDated) && !(name === 'basis' && value === 'created'),
    ),
  );
}

/** The filter as parameters; with changes, those of a link to something near by. */
export function filterQuery(
  { access, filter, preset }: Shown,
  changes: Partial<OrderFilter> = {},
): URLSearchParams {
  const hasOtherDays = changes.from !== undefined || changes.until !== undefined;
  return toQuery({ ...filter, ...changes }, access.timeZone, hasOtherDays ? null : preset);
}

/** A page of the list, such as `/orders`, under this filter. */
export function addressOf(
  shown: Shown,
  page: string,
  changes: Partial<OrderFilter> = {},
  more: Readonly<Record<string, string>> = {},
): string {
  const query = filterQuery(shown, changes);
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  const text = query.toString();
  return `${shown.access.base}${page}${text && `?${text}`}`;
}

/** For the audit log, which names no payer: that something was searched for, but not what. */
export function auditedFilter(shown: Shown): Record<string, unknown> {
  const { search, field } = shown.filter;
  const filter = filterQuery(shown, { search: null, field: null }).toString();
  return { mode: shown.access.scope.mode, filter, searched: search !== null || field !== null };
}
