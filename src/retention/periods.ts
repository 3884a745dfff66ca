const DAY_MS = 86_400_000;

/** Payer data of orders that ended unpaid is no longer needed after this time. */
const UNPAID_DAYS = 90;
/** Payers can dispute a direct debit for 13 months; until then callbacks are evidence. */
const REPORT_DAYS = 396;
/** Session records, from the end of the session. */
const SESSION_DAYS = 90;

export interface RetentionLimits {
  readonly unpaid: Date;
  readonly payers: Date;
  readonly reports: Date;
  readonly sessions: Date;
}

/**
 * Purges data from before these times.
 * @param payerRetentionDays configured retention of payers of paid orders
 */
export function limitsAt(now: Date, payerRetentionDays: number): RetentionLimits {
  const before = (days: number): Date =>
    new Date(now.getTime() - Math.min(days, payerRetentionDays) * DAY_MS);
  return {
    unpaid: before(UNPAID_DAYS),
    payers: before(payerRetentionDays),
    reports: before(REPORT_DAYS),
    sessions: before(SESSION_DAYS),
  };
}
