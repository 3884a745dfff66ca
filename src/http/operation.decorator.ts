import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiOperation } from '@nestjs/swagger';
import type { ApiVersion } from '../common/api-version.js';
import type { ErrorCode } from './problems/errors.js';

/** Unpublished extension from which the OpenAPI document is completed. */
export const OPERATION_FACTS = 'x-operation-facts';
/** Unpublished extension: API version that introduced the operation or field. */
export const BROUGHT_BY = 'x-brought-by';
/** Unpublished extension: deprecation of an operation, see `Deprecation`. */
export const DEPRECATION = 'x-deprecation';

export interface Deprecation {
  /** Earlier versions have no replacement. */
  readonly since: ApiVersion;
  /** Replacement. */
  readonly instead: string;
}

/** Documentation of an operation that its code does not contain. */
export interface OperationFacts {
  /** Operation name in generated clients. */
  readonly id: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** Specific errors; those of parameters, body and all operations are added. */
  readonly errors?: readonly ErrorCode[];
}

/** Documents an operation; its responses come from swagger’s own decorators. */
export const Operation = (facts: OperationFacts): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      operationId: facts.id,
      summary: facts.summary,
      description: facts.description,
    }),
    ApiExtension(OPERATION_FACTS, facts),
  );
