import { pipeline, type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import type { Locale } from '../common/locale.js';
import { isTimeZone } from '../common/time-format.js';
import type { CopyOptions } from '../database/copy/copy.js';
import {
  ExportSourceRepository,
  type ExportSession,
} from '../database/exports/export-source.repository.js';
import type { OrderFilter, OrderScope } from '../database/order-list/order-list.statements.js';
import type { OrderSum } from '../database/order-list/order-sums.js';
import { Problem } from '../http/problem.js';
import { allColumns, chosenColumns, csvLine, FIELDS_MAX, headers } from './columns.js';
import { fileName } from './file-name.js';
import { type FileStyle, fileStyle, type Preset } from './presets.js';
import { RowEnds } from './row-ends.js';

/**
 * A download must begin at once, so it looks for optional fields in so many of its newest rows. With
 * more of them it has a column for every field of the merchant, though some may stay empty.
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
  /** Names of `COLUMN_NAMES` and `field.<name>`; null = all. */
  readonly columns: readonly string[] | null;
  /** For readers who may not know who pays. */
  readonly maskPayer?: boolean;
  /** Of all columns, those that the reader may not see. */
  readonly hidden?: readonly string[];
}

export interface ExportFile {
  readonly filename: string;
  readonly contentType: string;
  /** Destroying it ends the query. */
  readonly stream: Readable;
}

/** A file's rows without its first line, and what that says. */
export interface ExportRows {
  readonly style: FileStyle;
  readonly headers: readonly string[];
  readonly rows: Readable;
}

export interface RowsOptions {
  /** Rows that are looked at for optional fields; null = all. */
  readonly rowsMax: number | null;
  readonly onTotals?: (sums: readonly OrderSum[]) => void;
}

/** Orders as a CSV file: exactly the rows that the list shows, in its order. */
@Injectable()
export class ExportStreamService {
  constructor(
    private readonly source: ExportSourceRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Answers when the first row is there.
   * @param options `signal` ends the query when the reader leaves before that
   * @throws Problem `invalid_parameter` for a column or a zone; `unavailable` when too many files are
   *   under way, with Retry-After
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

  /** The rows of an open session, which they end. */
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

/** The first line with what comes before it. */
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

/** Rows that end as the database ends them go through untouched. */
function withFirstLine(file: ExportRows): Readable {
  const { rows, style } = file;
  if (style.lineEnd === '\n') {
    rows.unshift(firstLine(file));
    return rows;
  }
  const stream = new RowEnds(style.lineEnd);
  stream.push(firstLine(file));
  // Each ends with the other; whoever reads the stream hears of an error there.
  pipeline(rows, stream, () => undefined);
  return stream;
}
