import { DatabaseUnavailableError } from './errors.js';
import { UnavailableError } from '../overload/errors.js';

interface DatabaseError {
  readonly code?: string;
  readonly constraint?: string;
  readonly message: string;
}

/** Unwraps the driver's error from TypeORM's. */
function driverError(error: unknown): DatabaseError {
  const outer = error as { driverError?: DatabaseError } & DatabaseError;
  return outer.driverError ?? outer;
}

const RETRIED = new Set(['40P01', '40001']);

/** Deadlock or serialization failure: the whole transaction can be retried. */
export const isRetryable = (error: unknown): boolean => RETRIED.has(driverError(error).code ?? '');

/** A lock was not granted within `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => driverError(error).code === '55P03';

/** The server is a standby, which may be about to be promoted. */
export const isReadOnly = (error: unknown): boolean => driverError(error).code === '25006';

/** The server rejects writes: its disk is full, or it is a standby. */
export const refusesWrites = (error: unknown): boolean =>
  driverError(error).code === '53100' || isReadOnly(error);

/** The statement exceeded `statement_timeout`, or was cancelled. */
export const isStatementTimeout = (error: unknown): boolean => driverError(error).code === '57014';

/** The statement does not match the schema: undefined table, column or function, or NULL in a NOT NULL column. */
export const isSchemaFault = (error: unknown): boolean =>
  /^(42P01|42703|42883|23502)$/.test(driverError(error)?.code ?? '');

/** Name of the violated unique index, or undefined for other errors. */
export function violatedUnique(error: unknown): string | undefined {
  const { code, constraint } = driverError(error);
  return code === '23505' ? constraint : undefined;
}

/** Name of the violated check constraint or trigger rule, or undefined for other errors. */
export function violatedCheck(error: unknown): string | undefined {
  const { code, constraint } = driverError(error);
  return code === '23514' ? constraint : undefined;
}

/** Node.js error codes of failed and lost connections. */
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
 * Temporary SQLSTATEs: connection (08), no resources (53), lock timeout (55P03), cancelled or shutting down (57),
 * read-only (25006), idle too long in a transaction (25P03), still retrying (40).
 */
const NOT_NOW = /^(08|53|57|40)|^(55P03|25006|25P03|28000|3D000)$/;

/** Messages of node-postgres and TypeORM errors without a code. */
const GONE =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed|not queryable|Cannot use a pool after calling end|Driver not Connected|timeout expired|already released/i;

/** Whether the database is unreachable, stopping, read-only, full or overloaded: a 503, never a 500. */
export function isUnavailable(error: unknown): boolean {
  const { code = '', message } = driverError(error);
  return NETWORK.has(code) || NOT_NOW.test(code) || GONE.test(message);
}

/** Wraps errors of an unavailable database in a UnavailableError; returns other errors unchanged. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof UnavailableError || !isUnavailable(error)) return error;
  return new DatabaseUnavailableError(error);
}
