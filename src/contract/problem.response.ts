import { ApiPropertyOptional } from '@nestjs/swagger';
import { ORDER_STATUSES, type OrderStatus } from '../database/orders/order.entity.js';
import { REFUND_STATUSES, type RefundStatus } from '../database/refunds/refund.entity.js';
import { type ErrorCode, ERRORS } from '../http/problems/errors.js';
import { FIELD_ERRORS, type FieldErrorCode } from '../http/problems/field-errors.js';
import type { FieldError } from '../http/problems/problem.js';
import { FIELD_ERRORS_MAX } from './parse.js';
import { Answer, ListOf, Texts } from './answers.js';
import { Flag, Link, Minor, OneOf, Signed, Text, Uuid, IntegerInRange } from './fields.js';

@Answer('FieldError', 'One bad field of a request.')
class FieldErrorResponse implements FieldError {
  @Text('JSON Pointer (RFC 6901) into the request’s body.') pointer: string;
  @OneOf(Object.keys(FIELD_ERRORS), 'What is wrong with the field.') code: FieldErrorCode;
  @Text('The same for a person.') detail: string;
}

/** Output of `problemBody`. The last members appear only in some problems. */
@Answer('Problem', 'What went wrong, as RFC 9457 problem details.')
export class ProblemResponse {
  @Link('Page about the error.') type: string;
  @Text('What happened; the same text every time.') title: string;
  @IntegerInRange({ min: 400, max: 599 }, 'The HTTP status.') status: number;
  @Text('What happened this time, for a person.') detail: string;
  @Text('Path of the request; empty when it could not be read.') instance: string;
  @OneOf(Object.keys(ERRORS), 'Stable name of the error: let programs decide by it.')
  code: ErrorCode;
  @Uuid('Equals the header X-Request-Id; name it when you ask for help.') requestId: string;
  @Flag('Whether the same request can succeed later.') retryable: boolean;
  @ApiPropertyOptional()
  @ListOf(FieldErrorResponse, 'Every bad field, with `validation_failed`.', {
    min: 1,
    max: FIELD_ERRORS_MAX,
  })
  errors?: readonly FieldErrorResponse[];
  @ApiPropertyOptional()
  @Texts('Released versions, with `unknown_api_version`.')
  supported?: readonly string[];
  @ApiPropertyOptional()
  @Text('The first version that has the operation, with `not_in_this_version`.')
  since?: string;
  @ApiPropertyOptional()
  @Text('The scope that the key lacks, with `missing_scope`.')
  missingScope?: string;
  @ApiPropertyOptional()
  @Uuid('The order concerned, with conflicts.')
  txid?: string;
  @ApiPropertyOptional()
  @OneOf(ORDER_STATUSES, 'Where that order is, with conflicts.')
  orderStatus?: OrderStatus;
  @ApiPropertyOptional()
  @Uuid('The refund concerned, with conflicts about refunds.')
  refundId?: string;
  @ApiPropertyOptional()
  @OneOf(REFUND_STATUSES, 'Where that refund is, with `refund_not_cancelable`.')
  refundStatus?: RefundStatus;
  @ApiPropertyOptional()
  @Minor(
    'What is left to refund, in minor units, with `refund_too_large` and `refundable_changed`.',
  )
  amountRefundable?: number;
  @ApiPropertyOptional()
  @Signed('What the merchant has available, in minor units, with `insufficient_balance`.')
  available?: number;
  @ApiPropertyOptional()
  @Text('The currency of these amounts.')
  currency?: string;
}
