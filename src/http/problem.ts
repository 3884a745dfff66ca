import { type ErrorCode, ERRORS } from './errors.js';
import { type FieldErrorCode } from './field-errors.js';

/** One bad field. `pointer` is a JSON Pointer (RFC 6901) into the request body. */
export interface FieldError {
  readonly pointer: string;
  readonly code: FieldErrorCode;
  readonly detail: string;
}

interface ProblemOptions {
  /** What happened this time, for a person. The error's title stands in when it is left out. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  /** Further members of the answer, for machines. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** Called with the answer's status and bytes before it is sent, to keep it for a repeat. */
  readonly remember?: (status: number, body: string) => Promise<void>;
}

/** An error that the caller is told about, as RFC 9457 problem details. */
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
    // Who sent a bad request is told what is bad about it: where it was noticed would cost more than all the rest of the answer.
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

/** Seconds after which a caller that was sent away may come back. */
export const RETRY_AFTER_SECONDS = 2;

export const unavailable = (detail: string, cause?: unknown): Problem =>
  new Problem('unavailable', {
    detail,
    cause,
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
