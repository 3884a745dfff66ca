/**
 * Due times come from a process's clock, and are limited relative to the database's clock, so that a clock that is
 * temporarily fast delays nothing for longer.
 */

/** Maximum delay between two attempts: a day plus 20 % jitter. */
export const LONGEST_RETRY = '29 hours';

/** Duration of a lease without renewal. */
export const LEASE = '1 minute';

/** SQL for `moment`, at most `ahead` after the database's now. */
export const dueBy = (moment: string, ahead = '0'): string =>
  `least(${moment}::timestamptz, now() + interval '${ahead}')`;

/** The same for an immediate due time in an entity insert. */
export const dueAtOnce = (moment: Date) => (): string => dueBy(`'${moment.toISOString()}'`);
