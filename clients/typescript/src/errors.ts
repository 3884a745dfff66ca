import type { ErrorCode, FieldError, Problem } from './types.js';

/** Everything that this package throws, but what a signal of yours says. */
export class PaymentOrdersError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The service answered, and not with what was asked for. */
export class ApiError extends PaymentOrdersError {
  /** The HTTP status. */
  readonly status: number;
  /** Decide by this. `unexpected_answer`: something else than the service answered, such as a proxy. */
  readonly code: ErrorCode | 'unexpected_answer';
  /** Name it when you ask for help. */
  readonly requestId: string | undefined;
  /** Every bad field, with `validation_failed`. */
  readonly errors: readonly FieldError[];
  /** Whether the same request can succeed later. */
  readonly retryable: boolean;
  /** All that the service said; undefined when it was not the service. */
  readonly problem: Problem | undefined;

  /** @param retryAfterMs milliseconds that the service asked to wait; undefined when it did not */
  constructor(
    status: number,
    problem: Problem | undefined,
    readonly retryAfterMs: number | undefined,
  ) {
    super(problem ? wordsOf(problem) : `the answer has the status ${status} and is no problem`);
    this.status = status;
    this.problem = problem;
    this.code = problem?.code ?? 'unexpected_answer';
    this.requestId = problem?.requestId;
    this.errors = problem?.errors ?? [];
    this.retryable = problem?.retryable ?? false;
  }
}

function wordsOf({ code, detail, errors = [] }: Problem): string {
  const fields = errors.map(({ pointer, detail: fault }) => `${pointer}: ${fault}`);
  return [`${code}: ${detail}`, ...fields].join('\n');
}

/** No whole answer came: what was asked for may have happened. `cause` says why. */
export class ConnectionError extends PaymentOrdersError {}

/** No whole answer came in time. */
export class RequestTimeoutError extends ConnectionError {}

/** The webhook is not from the service, is too old, or was changed on its way. */
export class WebhookSignatureError extends PaymentOrdersError {}
