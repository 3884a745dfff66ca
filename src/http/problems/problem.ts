import { type ErrorCode, ERRORS } from './errors.js';
import { type FieldErrorCode } from './field-errors.js';

/** An invalid field. `pointer` is a JSON Pointer (RFC 6901) into the request body. */
export interface FieldError {
  readonly pointer: string;
  readonly code: FieldErrorCode;
  readonly detail: string;
}

interface ProblemOptions {
  /** Specific explanation; default: the error's title. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  /** Additional members for programs. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** Called with status and bytes before the answer is sent, to store it for repeats. */
  readonly remember?: (status: number, body: string) => Promise<void>;
}

/** An error that is answered as RFC 9457 problem details. */
export class Problem extends Error {
  readonly detail: string;
  readonly errors: readonly FieldError[] | undefined;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly remember: ProblemOptions['remember'];

  constructor(
    readonly code: ErrorCode,
    options: ProblemOptions = {},
  ) {
    const frames = Error.stackTraceLimit;
    // Client errors need no stack trace, which would be the largest cost of the answer.
    if (ERRORS[code].status < 500) Error.stackTraceLimit = 0;
    super(options.detail ?? ERRORS[code].title, { cause: options.cause });
    Error.stackTraceLimit = frames;
    this.name = 'Problem';
    this.detail = options.detail ?? `${ERRORS[code].cause} ${ERRORS[code].remedy}`;
    this.errors = options.errors;
    this.members = options.members ?? {};
    this.headers = options.headers ?? {};
    this.remember = options.remember;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** `Retry-After` in seconds for rejected callers. */
export const RETRY_AFTER_SECONDS = 2;

export const unavailable = (detail: string, cause?: unknown): Problem =>
  new Problem('unavailable', {
    detail,
    cause,
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
