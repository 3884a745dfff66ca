import { Problem, unavailable } from '../http/problem.js';

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

/** Somebody else held a lock for longer than this session may wait. */
export const isLockTimeout = (error: unknown): boolean => driverError(error).code === '55P03';

/** The server follows another one, which may be about to change. */
export const isReadOnly = (error: unknown): boolean => driverError(error).code === '25006';

/** The server takes no writes for now: its disk is full, or it follows another one. */
export const refusesWrites = (error: unknown): boolean =>
  driverError(error).code === '53100' || isReadOnly(error);

/** The statement took longer than this session lets it. */
export const isStatementTimeout = (error: unknown): boolean => driverError(error).code === '57014';

/** The tables are not as the statement thinks: names that are not there (42), or a NULL that may not be. */
export const isSchemaFault = (error: unknown): boolean =>
  /^(42P01|42703|42883|23502)$/.test(driverError(error)?.code ?? '');

/** Name of the unique index that refused a row, or undefined for every other error. */
export function violatedUnique(error: unknown): string | undefined {
  const { code, constraint } = driverError(error);
  return code === '23505' ? constraint : undefined;
}

/** Name of the rule that refused a row, or undefined for every other error. */
export function violatedCheck(error: unknown): string | undefined {
  const { code, constraint } = driverError(error);
  return code === '23514' ? constraint : undefined;
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

/** What node-postgres and TypeORM say without a code. */
const GONE =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed|not queryable|Cannot use a pool after calling end|Driver not Connected|timeout expired|already released/i;

/** True when the database is away, stopping, read-only, full or too busy: a 503, never a 500. */
export function isUnavailable(error: unknown): boolean {
  const { code = '', message } = driverError(error);
  return NETWORK.has(code) || NOT_NOW.test(code) || GONE.test(message);
}

/** The answer to whoever needs the database while there is none. */
export const away = (cause: unknown): Problem =>
  unavailable('The database cannot be reached or is busy.', cause);

/** Turns "the database is away" into the answer for it and leaves every other error as it is. */
export function asProblem(error: unknown): unknown {
  return !(error instanceof Problem) && isUnavailable(error) ? away(error) : error;
}
