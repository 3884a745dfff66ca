import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';
import type { Mode } from '../../merchants/api-key.entity.js';
import type { BankLine, LineState } from './bank-line.entity.js';
import { LIST_LINES } from './bank-line.statements.js';

export interface LineFilter {
  readonly mode: Mode;
  readonly account?: string | undefined;
  readonly state?: LineState | undefined;
}

/** A line with the orders that it paid for; amounts in minor units of the line's currency. */
export type ListedLine = BankLine & {
  readonly orders: readonly {
    readonly merchantId: string;
    readonly txid: string;
    readonly amount: number;
  }[];
};

/** Bookings on the platform's bank accounts. */
@Injectable()
export class BankLineRepository {
  constructor(private readonly database: Database) {}

  /** By account and day. @param behind the last line of the previous page */
  list(
    { mode, account, state }: LineFilter,
    limit: number,
    behind?: Pick<BankLine, 'id' | 'account' | 'bookedOn'>,
  ): Promise<ListedLine[]> {
    const { id = null, account: last = null, bookedOn = null } = behind ?? {};
    const values = [mode, account ?? null, state ?? null, limit, id, last, bookedOn];
    return this.database.query(LIST_LINES, values);
  }
}
