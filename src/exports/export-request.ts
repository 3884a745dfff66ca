import { NO_FILTER, type OrderFilter } from '../database/order-list/order-list.model.js';
import type { ExportOptions } from './export-stream.service.js';

/** A request as JSON: moments are texts. */
interface StoredRequest extends Omit<ExportOptions, 'filter'> {
  readonly filter: Omit<OrderFilter, 'from' | 'until'> & {
    readonly from: string | null;
    readonly until: string | null;
  };
}

/** For the database. */
export const storedRequest = (request: ExportOptions): Record<string, unknown> => ({
  ...request,
});

/** The merchant whose orders a stored request asks for; null = those of all. */
export const ordersOf = (stored: Record<string, unknown>): string | null =>
  (stored as Partial<StoredRequest>).scope?.merchantId ?? null;

/** Out of the database. */
export function requestIn(stored: Record<string, unknown>): ExportOptions {
  const { filter, ...request } = stored as unknown as StoredRequest;
  const moment = (text: string | null): Date | null => (text === null ? null : new Date(text));
  return {
    ...request,
    // What earlier versions wrote lacks what came later.
    filter: { ...NO_FILTER, ...filter, from: moment(filter.from), until: moment(filter.until) },
  };
}
