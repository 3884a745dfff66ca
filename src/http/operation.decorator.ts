import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiOperation } from '@nestjs/swagger';
import type { ApiVersion } from './api-version.js';
import type { ErrorCode } from './errors.js';

/** Extension of an operation that the OpenAPI document is completed from; it is not published. */
export const OPERATION_FACTS = 'x-operation-facts';
/** The same of an operation or a field: the version of the contract that brought it. */
export const BROUGHT_BY = 'x-brought-by';
/** And since when there is something better than an operation: see `Deprecation`. */
export const DEPRECATION = 'x-deprecation';

export interface Deprecation {
  /** Versions before have nothing better. */
  readonly since: ApiVersion;
  /** What to call instead. */
  readonly instead: string;
}

/** What callers of an operation must know, beside what its code says. */
export interface OperationFacts {
  /** Name of the operation in generated clients. */
  readonly id: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** Errors of its own; those of its parameters, its body and of every operation are added. */
  readonly errors?: readonly ErrorCode[];
}

/** Describes an operation of the API for its reference, which swagger’s own decorators give its successes. */
export const Operation = (facts: OperationFacts): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      operationId: facts.id,
      summary: facts.summary,
      description: facts.description,
    }),
    ApiExtension(OPERATION_FACTS, facts),
  );
