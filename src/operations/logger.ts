import type { LoggerService } from '@nestjs/common';
import { pino } from 'pino';
import { LogOutput } from './log-output.js';

/** What of an error is written: never its other members, which can hold a statement's values. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: unknown;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/** Causes of causes that are written. */
const CAUSES_MAX = 3;

export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!isError(error)) return { type: typeof error, message: `no error, but ${told(error)}` };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    type: error.name ?? 'object',
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(cause === undefined || depth === CAUSES_MAX
      ? {}
      : { cause: loggedError(cause, depth + 1) }),
  };
}

/** The job queue tells of errors by plain copies of them. */
const isError = (value: unknown): value is Pick<Error, 'message' | 'stack'> & { name?: string } =>
  typeof (value as Partial<Error> | null | undefined)?.message === 'string';

/** Characters of a value that is no error. */
const TOLD_MAX = 200;
/** A word that may be a key, a token, an account or an address. */
const PERHAPS_SECRET = /\S*(?:[@_/=]|\d{4}|\S{20})\S*/g;

/** What was thrown instead of an error: the words of a text, and of an object the names of its members alone. */
function told(value: unknown): string {
  const text =
    typeof value === 'object' && value !== null
      ? `{ ${Object.keys(value).join(', ')} }`
      : String(value).slice(0, TOLD_MAX).replaceAll(PERHAPS_SECRET, '…');
  return text.slice(0, TOLD_MAX);
}

/** Contexts in which the framework tells of each module and route while it starts. */
const CHATTER = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Whether a log with this least level has lines of the level, which is Nest's. */
export function isWritten(level: 'debug' | 'log' | 'warn', least: string): boolean {
  const { values } = pino.levels;
  return values[level === 'log' ? 'info' : level]! >= (values[least] ?? Infinity);
}

type Line = Readonly<Record<string, unknown>>;

/** Nest's logger on pino: one JSON object a line, on standard output. */
export class JsonLogger implements LoggerService {
  private readonly pino: pino.Logger;

  constructor(level: string, destination?: pino.DestinationStream) {
    this.pino = pino(
      {
        level,
        base: null,
        serializers: { err: loggedError },
        timestamp: pino.stdTimeFunctions.isoTime,
      },
      destination ?? new LogOutput(),
    );
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write(CHATTER.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest passes `(object, message?, context)` or `(message, context)`; an error's stack may come between. */
  private write(level: pino.Level, first: unknown, rest: readonly unknown[]): void {
    const texts = rest.filter((value) => typeof value === 'string');
    const context = texts.at(-1);
    if (first instanceof Error) return this.pino[level]({ context, err: first }, first.message);
    if (typeof first === 'object' && first !== null) {
      return this.pino[level](
        { context, ...(first as Line) },
        texts.length > 1 ? texts[0] : undefined,
      );
    }
    this.pino[level]({ context }, String(first));
  }
}
