import type { ErrorCode } from '../../http/errors.js';
import type { FieldErrorCode } from '../../http/field-errors.js';
import examples from './examples.json' with { type: 'json' };

/** A request or an answer by its name; that of a problem is its code. */
export type NamedExamples = Readonly<Record<string, unknown>>;

export interface OperationExamples {
  readonly requests?: NamedExamples;
  readonly answers: Readonly<Record<string, NamedExamples>>;
}

/**
 * Real requests and answers: the test of this document executes them and compares, and with
 * `UPDATE_EXAMPLES=1` it writes the file anew. What differs from run to run is replaced.
 */
export interface Examples {
  readonly operations: Readonly<Record<string, OperationExamples>>;
  /** One problem for every error code. */
  readonly errors: Readonly<Partial<Record<ErrorCode, unknown>>>;
  /** One problem for every code of a bad field. */
  readonly fields: Readonly<Partial<Record<FieldErrorCode, unknown>>>;
}

export const EXAMPLES: Examples = examples;
