import type { FastifyRequest } from 'fastify';
import type { HistoryPreset } from './history-dates.js';
import { type HistoryFilter, toQuery } from './history-filter.js';
import type { HistoryPlace } from './history-place.js';

/** What a page of the history shows, as its address says it. */
export interface Shown {
  readonly place: HistoryPlace;
  readonly filter: HistoryFilter;
  readonly preset: HistoryPreset | null;
}

/** The parameters of a request's address. */
export const queryOf = ({ url }: Pick<FastifyRequest, 'url'>): URLSearchParams => {
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start));
};

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
  { place, filter, preset }: Shown,
  changes: Partial<HistoryFilter> = {},
): URLSearchParams {
  const hasOtherDays = changes.from !== undefined || changes.until !== undefined;
  return toQuery({ ...filter, ...changes }, place.timeZone, hasOtherDays ? null : preset);
}

/** A page of the history, such as `/orders`, under this filter. */
export function addressOf(
  shown: Shown,
  page: string,
  changes: Partial<HistoryFilter> = {},
  more: Readonly<Record<string, string>> = {},
): string {
  const query = filterQuery(shown, changes);
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  const text = query.toString();
  return `${shown.place.base}${page}${text && `?${text}`}`;
}

/** For the audit log, which names no payer: that something was searched for, but not what. */
export function auditedFilter(shown: Shown): Record<string, unknown> {
  const { search, field } = shown.filter;
  const filter = filterQuery(shown, { search: null, field: null }).toString();
  return { mode: shown.place.scope.mode, filter, searched: search !== null || field !== null };
}
