/**
 * When something comes due is written down by the clock of a process and never further ahead than
 * the database's own allows: a clock that was fast for a moment must withhold nothing for longer.
 */

/** The longest wait between two attempts: a day, and a fifth of it more by chance. */
export const LONGEST_RETRY = '29 hours';

/** How long whoever has taken something keeps it when nothing more is heard of him. */
export const LEASE = '1 minute';

/** SQL of `moment`, but at most `ahead` after the database's now. */
export const dueBy = (moment: string, ahead = '0'): string =>
  `least(${moment}::timestamptz, now() + interval '${ahead}')`;

/** The same of a moment that is due at once, where an entity is inserted. */
export const dueAtOnce = (moment: Date) => (): string => dueBy(`'${moment.toISOString()}'`);
