import type { IncomingLine, KnownBooking } from './incoming-line.js';
import { lineKey } from './line-key.js';
import { type BookingIdentity, bankReferencesOf } from './same-booking.js';

/**
 * Statements whose bookings a file repeats, as cumulative reports of a day do: it has one of them under an id of the
 * bank. So it repeats the others, too, also those without an id.
 */
export class RepeatedStatements {
  private readonly ids = new Set<string>();

  /** Call it with each piece of the file before its lines are recognised. */
  add(lines: readonly IncomingLine[], known: readonly KnownBooking[]): void {
    const names = new Set(lines.flatMap((line) => namesOf(lineKey(line), line)));
    for (const each of known) {
      if (namesOf(each.line.key, each).some((name) => names.has(name)))
        each.line.statements.forEach((id) => this.ids.add(id));
    }
  }

  contain({ line: { statements } }: KnownBooking): boolean {
    return statements.some((id) => this.ids.has(id));
  }
}

const namesOf = (key: string, booking: BookingIdentity): string[] => {
  const { uetr, transactionId } = booking.identifiers;
  return [...bankReferencesOf(booking), uetr, transactionId].flatMap((name) =>
    name ? [`${key} ${name}`] : [],
  );
};
