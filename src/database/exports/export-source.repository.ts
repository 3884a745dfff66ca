import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { CopySession } from '../copy/copy-session.js';
import { type CopyOptions, DatabaseCopy } from '../copy/copy.js';
import { type OrderSum, sumIn, type SummedRow } from '../read-models/order-list/order-sums.js';
import {
  exportCountSql,
  type ExportQuery,
  exportSource,
  fieldNamesSql,
  knownFieldNamesSql,
} from './export-source.statements.js';

type Rows = Pick<ExportQuery, 'scope' | 'filter'>;

interface Names {
  readonly names: string[] | null;
}

/** A snapshot of the orders for one export. */
export class ExportSession {
  constructor(private readonly session: CopySession) {}

  async count(rows: Rows): Promise<number> {
    const [row] = await this.session.query<{ rows: number }>(exportCountSql(rows));
    return row!.rows;
  }

  /**
   * Sorted names of the rows' optional fields. If there are more than `rowsMax` rows, names of the merchant's other
   * orders follow, so that none is missing.
   * @param rowsMax maximum rows to read; null = all
   * @param namesMax maximum names of the rows, and of other orders
   */
  async fieldNames(rows: Rows, rowsMax: number | null, namesMax: number): Promise<string[]> {
    const sql = fieldNamesSql(rows, rowsMax, namesMax);
    const [newest] = await this.session.query<Names & { readonly rows: number }>(sql);
    const names = newest!.names ?? [];
    if (rowsMax === null || newest!.rows < rowsMax) return names;
    const [known] = await this.session.query<Names>(knownFieldNamesSql(rows.scope, namesMax));
    return [...new Set([...names, ...(known!.names ?? [])])];
  }

  /**
   * The rows as CSV. The stream ends the session.
   * @param onTotals receives the totals of the rows, per chunk
   */
  rows(query: ExportQuery, onTotals?: (sums: readonly OrderSum[]) => void): Promise<Readable> {
    const source = exportSource(query);
    if (!onTotals) return this.session.copy(source);
    return this.session.copy(source, (rows) => onTotals((rows as SummedRow[]).map(sumIn)));
  }

  close(): void {
    this.session.close();
  }
}

@Injectable()
export class ExportSourceRepository {
  constructor(private readonly copy: DatabaseCopy) {}

  /** @throws UnavailableError when the limit is reached or the database is unavailable */
  async open(options: CopyOptions): Promise<ExportSession> {
    return new ExportSession(await this.copy.open(options));
  }
}
