import type { ErrorCode } from '../../http/problems/errors.js';
import type { FieldErrorCode } from '../../http/problems/field-errors.js';
import examples from './examples.json' with { type: 'json' };

/** Requests or answers by name; problems by code. */
export type NamedExamples = Readonly<Record<string, unknown>>;

export interface OperationExamples {
  readonly requests?: NamedExamples;
  readonly answers: Readonly<Record<string, NamedExamples>>;
}

/**
 * Recorded requests and answers: a test executes and compares them, and with `UPDATE_EXAMPLES=1` writes the file.
 * Values that differ between runs are replaced.
 */
export interface Examples {
  readonly operations: Readonly<Record<string, OperationExamples>>;
  /** One problem per error code. */
  readonly errors: Readonly<Partial<Record<ErrorCode, unknown>>>;
  /** One problem per field error code. */
  readonly fields: Readonly<Partial<Record<FieldErrorCode, unknown>>>;
}

export const EXAMPLES: Examples = examples;
