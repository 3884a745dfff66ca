/** Money that left and that nothing explains: no payment, and waiting for a person all the same. */
export const UNKNOWN_MONEY_OUT = `(state = 'not_a_payment' AND reason = 'unknown_money_out')`;

/** Lines that wait for a person. */
export const IS_WAITING = `(state IN ('suggested', 'unmatched') OR ${UNKNOWN_MONEY_OUT})`;
