/** Unknown outgoing money: not a payment, but needs attention. */
export const UNKNOWN_MONEY_OUT = `(state = 'not_a_payment' AND reason = 'unknown_money_out')`;

/** Lines that need attention. */
export const IS_WAITING = `(state IN ('suggested', 'unmatched') OR ${UNKNOWN_MONEY_OUT})`;
