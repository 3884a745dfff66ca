import type { DatePreset } from './date-presets.js';
import { type OrderFilter, toQuery } from './order-filter.js';
import type { OrdersAccess } from './orders-access.js';

/** State of the list in the URL. */
export interface Shown {
  readonly access: OrdersAccess;
  readonly filter: OrderFilter;
  readonly preset: DatePreset | null;
}

/** Drops empty and default parameters: a form sends all fields. */
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

/** Query parameters of the filter, with changes for links. */
export function filterQuery(
  { access, filter, preset }: Shown,
  changes: Partial<OrderFilter> = {},
): URLSearchParams {
  const hasOtherDays = changes.from !== undefined || changes.until !== undefined;
  return toQuery({ ...filter, ...changes }, access.timeZone, hasOtherDays ? null : preset);
}

/** URL of a page, such as `/orders`, with this filter. */
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

/** Filter for the audit log: records that there was a search, but not its text, which may identify a payer. */
export function auditedFilter(shown: Shown): Record<string, unknown> {
  const { search, field } = shown.filter;
  const filter = filterQuery(shown, { search: null, field: null }).toString();
  return { mode: shown.access.scope.mode, filter, searched: search !== null || field !== null };
}
