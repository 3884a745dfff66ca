import { Amount, IntegerInRange, OPTIONAL, RequestBody, Text } from '../../contract/fields.js';
import { AMOUNT_MAX } from '../../common/money/money.js';
import { REFUND_REASON_MAX } from '../../database/refunds/refund.entity.js';
import { OrderMerchantId } from '../../orders/dto/order-fields.js';

@RequestBody('CreateRefund', 'What of a paid order goes back to its payer.')
export class CreateRefundRequest {
  @Amount(
    'Whole minor units of the order’s currency. Everything that is left when left out.',
    OPTIONAL,
  )
  amount?: number;

  @Text('Why, for your own records. The payer does not see it.', {
    max: REFUND_REASON_MAX,
    ...OPTIONAL,
  })
  reason?: string;

  @OrderMerchantId(
    'Your own name for the refund, unique among all of yours. The same request again gets the existing refund.',
    OPTIONAL,
  )
  refundMerchantId?: string;

  @IntegerInRange(
    { min: 0, max: AMOUNT_MAX },
    'The `amountRefundable` of the order that you saw. If another amount is left now, nothing is refunded.',
    OPTIONAL,
  )
  amountRefundable?: number;
}
