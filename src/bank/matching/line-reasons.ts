/** Reasons for the state of a line. Stable: programs and translations use them. */
export const LINE_REASONS = [
  // Matched by the rules, or by an operator.
  'reference',
  'several_references',
  'by_hand',
  // Suggested: possible orders exist.
  'looks_like',
  'order_number',
  'several_orders',
  'wrong_currency',
  'contradicts',
  'amount_differs_charges',
  'more_than_due',
  'less_than_due',
  'order_finished',
  'too_many_payments',
  'another_unknown_reference',
  'possible_duplicate',
  'possible_total',
  'payer_not_named',
  'total_or_payment',
  'statements_differ',
  'may_have_gone_back',
  'reported_elsewhere',
  'statement_not_balanced',
  'statement_without_balance',
  'read_before',
  'booked_in_future',
  // Unmatched: no order found for all of the amount.
  'no_reference',
  'unknown_reference',
  'reference_of_other_mode',
  'unknown_account',
  'unknown_amount',
  'batch_total',
  'undone',
  'return_undone',
  'reopened',
  'partly_matched',
  'unknown_money_back',
  'payout_elsewhere',
  'payout_contradicted',
  'may_be_refund',
  // Unmatched: the rules failed, or would have taken too long.
  'matching_failed',
  'too_complex',
  // Superseded: an operator linked it to another line, or to the total of a batch.
  'same_booking',
  'total',
  // Not a payment of an order.
  'collection',
  'unusable',
  'other',
  'payout_paid',
  'payout_returned',
  'charged_back',
  // Needs attention where the bank took money back; otherwise it may be the platform's own payment.
  'unknown_money_out',
] as const;
export type LineReason = (typeof LINE_REASONS)[number];

/**
 * Lines that a rule or an operator has settled although they are not matched or ignored. A later file with more details
 * does not run the rules again.
 */
export const SETTLED_REASONS: readonly LineReason[] = [
  'undone',
  'return_undone',
  'reopened',
  'partly_matched',
  'payout_paid',
  'payout_returned',
  'charged_back',
];
