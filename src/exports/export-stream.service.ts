import { pipeline, type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import type { Locale } from '../common/locale.js';
import { isTimeZone } from '../common/time/time-format.js';
import type { CopyOptions } from '../database/copy/copy.js';
import {
  ExportSourceRepository,
  type ExportSession,
} from '../database/exports/export-source.repository.js';
import type {
  OrderFilter,
  OrderScope,
} from '../database/read-models/order-list/order-list.statements.js';
import type { OrderSum } from '../database/read-models/order-list/order-sums.js';
import { Problem } from '../http/problems/problem.js';
import { allColumns, chosenColumns, csvLine, FIELDS_MAX, headers } from './columns.js';
import { fileName } from './file-name.js';
import { type FileStyle, fileStyle, type Preset } from './presets.js';
import { RowEnds } from './row-ends.js';

/**
 * Rows scanned for optional fields, since a download must start at once. For more rows, the file has a column for every
 * optional field of the merchant, some of which may be empty.
 */
export const FIELD_ROWS_MAX = 20_000;

export const CONTENT_TYPE = 'text/csv; charset=utf-8; header=present';
const BYTE_ORDER_MARK = '\uFEFF';

export interface ExportOptions {
  readonly scope: OrderScope;
  readonly filter: OrderFilter;
  readonly preset: Preset;
  readonly locale: Locale;
  /** An IANA name. */
  readonly timeZone: string;
  /** Names from `COLUMN_NAMES` and `field.<name>`; null = all. */
  readonly columns: readonly string[] | null;
  /** For readers without access to payer data. */
  readonly maskPayer?: boolean;
  /** Columns that the reader may not see. */
  readonly hidden?: readonly string[];
}

export interface ExportFile {
  readonly filename: string;
  readonly contentType: string;
  /** Destroying it cancels the query. */
  readonly stream: Readable;
}

/** Rows of a file, and its header. */
export interface ExportRows {
  readonly style: FileStyle;
  readonly headers: readonly string[];
  readonly rows: Readable;
}

export interface RowsOptions {
  /** Maximum rows scanned for optional fields; null = all. */
  readonly rowsMax: number | null;
  readonly onTotals?: (sums: readonly OrderSum[]) => void;
}

/** Orders as a CSV file, with exactly the rows and order of the list. */
@Injectable()
export class ExportStreamService {
  constructor(
    private readonly source: ExportSourceRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns once the first row is available.
   * @param options `signal` cancels the query if the client disconnects before that
   * @throws Problem `invalid_parameter` for a column or a zone; `unavailable` with Retry-After when too many files are
   * in progress
   */
  async stream(
    request: ExportOptions,
    options: Pick<CopyOptions, 'signal' | 'stalledMs' | 'ageMs'> = {},
  ): Promise<ExportFile> {
    const { scope, filter, timeZone } = request;
    const session = await this.open(request, { lane: 'download', ...options });
    const file = await this.rows(session, request, { rowsMax: FIELD_ROWS_MAX });
    return {
      filename: fileName(scope, filter, timeZone, this.clock.now()),
      contentType: CONTENT_TYPE,
      stream: withFirstLine(file),
    };
  }

  /** @throws Problem `invalid_parameter`, `unavailable` */
  open(
    { timeZone, columns, scope }: ExportOptions,
    options: Omit<CopyOptions, 'timeZone' | 'merchantId'>,
  ): Promise<ExportSession> {
    if (!isTimeZone(timeZone)) {
      throw new Problem('invalid_parameter', { detail: 'The time zone is not an IANA name.' });
    }
    if (columns) chosenColumns(columns, scope.merchantId === null);
    return this.source.open({ ...options, timeZone, merchantId: scope.merchantId });
  }

  /** Rows of an open session, which is closed at their end. */
  async rows(
    session: ExportSession,
    request: ExportOptions,
    { rowsMax, onTotals }: RowsOptions,
  ): Promise<ExportRows> {
    const { scope, filter, timeZone, preset, locale, maskPayer = false } = request;
    const style = fileStyle(preset, locale, maskPayer);
    try {
      const columns = await columnsOf(session, request, rowsMax);
      const rows = await session.rows({ scope, filter, columns, style }, onTotals);
      return { style, headers: headers(columns, style, timeZone), rows };
    } catch (error) {
      session.close();
      throw error;
    }
  }
}

/** Header row, with a byte order mark if needed. */
export function firstLine({ style, headers: cells }: Omit<ExportRows, 'rows'>): Buffer {
  const mark = style.byteOrderMark ? BYTE_ORDER_MARK : '';
  return Buffer.from(mark + csvLine(cells, style.delimiter) + style.lineEnd);
}

async function columnsOf(
  session: ExportSession,
  { scope, filter, columns, hidden = [] }: ExportOptions,
  rowsMax: number | null,
): Promise<readonly string[]> {
  const allMerchants = scope.merchantId === null;
  if (columns) return chosenColumns(columns, allMerchants);
  const fields = await session.fieldNames({ scope, filter }, rowsMax, FIELDS_MAX + 1);
  return allColumns(fields, allMerchants).filter((name) => !hidden.includes(name));
}

/** Passes rows through unchanged if their line endings are the database's. */
function withFirstLine(file: ExportRows): Readable {
  const { rows, style } = file;
  if (style.lineEnd === '\n') {
    rows.unshift(firstLine(file));
    return rows;
  }
  const stream = new RowEnds(style.lineEnd);
  stream.push(firstLine(file));
  // Both end together; the reader of the stream receives errors.
  pipeline(rows, stream, () => undefined);
  return stream;
}
