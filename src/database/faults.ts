import { unavailable } from '../common/problem.js';

interface DatabaseError {
  readonly code?: string;
  readonly constraint?: string;
  readonly message: string;
}

/** TypeORM wraps the driver's error; this is what the database or the network said. */
function driverError(error: unknown): DatabaseError {
  const outer = error as { driverError?: DatabaseError } & DatabaseError;
  return outer.driverError ?? outer;
}

const RETRIED = new Set(['40P01', '40001']);

/** Deadlock or serialisation failure: the whole transaction may simply run again. */
export const isRetryable = (error: unknown): boolean => RETRIED.has(driverError(error).code ?? '');

/** Name of the unique index that refused a row, or undefined for every other error. */
export function violatedUnique(error: unknown): string | undefined {
  const { code, constraint } = driverError(error);
  return code === '23505' ? constraint : undefined;
}

/** Node's names for a connection that is gone or never came about. */
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENOENT',
]);

/**
 * SQLSTATEs that say "not now": connection (08), no resources (53), too busy (55P03), cancelled or
 * shutting down (57), read-only (25006), idle too long in a transaction (25P03), still retrying (40).
 */
const NOT_NOW = /^(08|53|57|40)|^(55P03|25006|25P03|28000|3D000)$/;

/** What node-postgres says without a code. */
const GONE =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed|not queryable|Cannot use a pool after calling end|Driver not Connected|timeout expired/i;

/** True when the database is away, stopping, read-only, full or too busy: a 503, never a 500. */
export function isUnavailable(error: unknown): boolean {
  const { code = '', message } = driverError(error);
  return NETWORK.has(code) || NOT_NOW.test(code) || GONE.test(message);
}

/** The driver gave up waiting, so the connection still has an answer under way and must not be reused. */
export const isConnectionSpoiled = (error: unknown): boolean =>
  GONE.test(driverError(error)?.message ?? '');

/** Turns "the database is away" into the answer for it and leaves every other error as it is. */
export function asProblem(error: unknown): unknown {
  return isUnavailable(error)
    ? unavailable('The database cannot be reached or is busy.', error)
    : error;
}
