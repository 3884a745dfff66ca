import {
  NO_FILTER,
  type OrderFilter,
} from '../database/read-models/order-list/order-list.model.js';
import type { ExportOptions } from './export-stream.service.js';

/** A request as JSON, with times as text. */
interface StoredRequest extends Omit<ExportOptions, 'filter'> {
  readonly filter: Omit<OrderFilter, 'from' | 'until'> & {
    readonly from: string | null;
    readonly until: string | null;
  };
}

/** Serialises for the database. */
export const storedRequest = (request: ExportOptions): Record<string, unknown> => ({
  ...request,
});

/** Merchant whose orders a stored request covers; null = all merchants. */
export const ordersOf = (stored: Record<string, unknown>): string | null =>
  (stored as Partial<StoredRequest>).scope?.merchantId ?? null;

/** Deserialises from the database. */
export function requestIn(stored: Record<string, unknown>): ExportOptions {
  const { filter, ...request } = stored as unknown as StoredRequest;
  const moment = (text: string | null): Date | null => (text === null ? null : new Date(text));
  return {
    ...request,
    // Requests of earlier versions lack newer fields.
    filter: { ...NO_FILTER, ...filter, from: moment(filter.from), until: moment(filter.until) },
  };
}
