import type { StatementLine } from '../../bank-statements/statement.js';
import { keyOfMoney, undatedKey } from './line-key.js';
import type { IncomingLine, KnownBooking } from './incoming-line.js';
import { bankReferencesOf, messageKind } from './same-booking.js';

/** Money with each of its bank references. */
const keysOf = (money: string, line: Parameters<typeof bankReferencesOf>[0]): string[] => [
  ...new Set(bankReferencesOf(line).map((reference) => `${money} ${reference}`)),
];

/**
 * Bank references that several bookings of a file have with the same money, so that they prove no booking. The whole
 * file counts: a large statement is compared in pieces and in several passes.
 */
export class SharedReferences {
  private readonly shared = new Set<string>();
  /** Keys of earlier statements, by kind of message. Other kinds report the same bookings again. */
  private readonly earlier = new Map<string, Set<string>>();
  private statement = new Set<string>();

  add(line: StatementLine): void {
    for (const key of keysOf(undatedKey(line), line)) {
      if (this.statement.has(key)) this.shared.add(key);
      this.statement.add(key);
    }
  }

  endStatement(format: string): void {
    const kind = messageKind(format);
    const earlier = this.earlier.get(kind) ?? new Set();
    this.earlier.set(kind, earlier);
    for (const key of this.statement) {
      if (earlier.has(key)) this.shared.add(key);
      earlier.add(key);
    }
    this.statement = new Set();
  }

  /** Whether other lines of the file or several known bookings have a reference of the line. */
  with(known: readonly KnownBooking[]): (line: IncomingLine) => boolean {
    const once = new Set<string>();
    const twice = new Set<string>();
    for (const key of known.flatMap((each) => keysOf(keyOfMoney(each.line.key), each)))
      (once.has(key) ? twice : once).add(key);
    return (line) =>
      keysOf(undatedKey(line), line).some((key) => this.shared.has(key) || twice.has(key));
  }
}
