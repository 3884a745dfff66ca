const DAY_MS = 86_400_000;

/** An order that ended without money: nobody needs to know any more who made it. */
const UNPAID_DAYS = 90;
/** Payers may dispute a direct debit for 13 months; until then the provider's own words are proof. */
const REPORT_DAYS = 396;
/** Who signed in from where, after the session. */
const SESSION_DAYS = 90;

export interface RetentionLimits {
  readonly unpaid: Date;
  readonly payers: Date;
  readonly reports: Date;
  readonly sessions: Date;
}

/**
 * What came before is forgotten.
 * @param payerDays the operator's own period for orders with money
 */
export function limitsAt(now: Date, payerDays: number): RetentionLimits {
  const before = (days: number): Date =>
    new Date(now.getTime() - Math.min(days, payerDays) * DAY_MS);
  return {
    unpaid: before(UNPAID_DAYS),
    payers: before(payerDays),
    reports: before(REPORT_DAYS),
    sessions: before(SESSION_DAYS),
  };
}
