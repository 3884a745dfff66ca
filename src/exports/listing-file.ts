import { pipeline, type Readable } from 'node:stream';
import { csvLine } from './columns.js';
import { CONTENT_TYPE, type ExportFile } from './export-stream.service.js';
import { RowEnds } from './row-ends.js';

/** RFC 4180. */
const LINE_END = '\r\n';
const DELIMITER = ',';

/** A list without header, and what its file needs. */
export interface ListingRows {
  readonly rows: Readable;
  readonly headers: readonly string[];
  readonly filename: string;
}

/** A CSV file of a list, streamed. */
export function listingFile({ rows, headers, filename }: ListingRows): ExportFile {
  const stream = new RowEnds(LINE_END);
  stream.push(Buffer.from(csvLine(headers, DELIMITER) + LINE_END));
  // `pipeline` ties both streams together; errors surface to the reader of `stream`.
  pipeline(rows, stream, () => undefined);
  return { filename, contentType: CONTENT_TYPE, stream };
}
