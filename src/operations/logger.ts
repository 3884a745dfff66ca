import type { LoggerService } from '@nestjs/common';
import { pino } from 'pino';
import { LogOutput } from './log-output.js';

/** Logged fields of an error; others may contain values of SQL statements. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: unknown;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/** Maximum depth of logged causes. */
const CAUSES_MAX = 3;

export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!isError(error)) return { type: typeof error, message: `no error, but ${described(error)}` };
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

/** An error of another realm, such as a worker's, is no instance of this realm's `Error`. */
const isError = (value: unknown): value is Pick<Error, 'message' | 'stack'> & { name?: string } =>
  typeof (value as Partial<Error> | null | undefined)?.message === 'string';

/** Maximum characters of a thrown value that is not an error. */
const DESCRIBED_MAX = 200;
/** Words that may be a key, token, account or address. */
const PERHAPS_SECRET = /\S*(?:[@_/=]|\d{4}|\S{20})\S*/g;

/** Describes a thrown value that is not an error: the words of a text; for an object only its member names. */
function described(value: unknown): string {
  const text =
    typeof value === 'object' && value !== null
      ? `{ ${Object.keys(value).join(', ')} }`
      : String(value).slice(0, DESCRIBED_MAX).replaceAll(PERHAPS_SECRET, '…');
  return text.slice(0, DESCRIBED_MAX);
}

/** Framework contexts that log every module and route at startup. */
const CHATTER = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Whether a log with this minimum level writes lines of the (Nest) level. */
export function isWritten(level: 'debug' | 'log' | 'warn', least: string): boolean {
  const { values } = pino.levels;
  return values[level === 'log' ? 'info' : level]! >= (values[least] ?? Infinity);
}

type Line = Readonly<Record<string, unknown>>;

/** Nest logger on pino: one JSON object per line on standard output. */
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

  /** Nest passes `(object, message?, context)` or `(message, context)`, with an error's stack possibly in between. */
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
