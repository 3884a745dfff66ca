import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiOperation } from '@nestjs/swagger';
import type { ErrorCode } from './errors.js';

/** Extension of an operation that the OpenAPI document is completed from; it is not published. */
export const OPERATION_FACTS = 'x-operation-facts';

/** What callers of an operation must know, beside what its code says. */
export interface OperationFacts {
  /** Name of the operation in generated clients. */
  readonly id: string;
  readonly summary: string;
  /** Markdown. */
  readonly description?: string;
  readonly deprecated?: boolean;
  /** Errors of its own; those of its parameters, its body and of every operation are added. */
  readonly errors?: readonly ErrorCode[];
}

/** Describes an operation of the API for its reference, which swagger’s own decorators give its successes. */
export const Operation = (facts: OperationFacts): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      operationId: facts.id,
      summary: facts.summary,
      ...(facts.description === undefined ? {} : { description: facts.description }),
      ...(facts.deprecated ? { deprecated: true } : {}),
    }),
    ApiExtension(OPERATION_FACTS, facts),
  );
