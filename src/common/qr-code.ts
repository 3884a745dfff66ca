import encodeQr from 'qr';

/** Quiet zone in modules, which scanners need (ISO/IEC 18004, 6.3.8). */
const QUIET = 4;

/** A QR code as a drawing with modules of one unit. */
export interface QrDrawing {
  /** For `viewBox`. */
  readonly box: string;
  /** Dark modules, for `d` of a path with a stroke width of one unit. */
  readonly path: string;
}

/**
 * QR code of a text in UTF-8, at error level M.
 * @throws Error if the text is too long for a code
 */
export function drawQr(text: string): QrDrawing {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: QUIET });
  return { box: `0 0 ${rows.length} ${rows.length}`, path: rows.map(rowPath).join('') };
}

/** Draws along the middle of the row, with relative steps, which are short. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = '';
  let end = 0;
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x++;
    path += path ? `m${start - end} 0` : `M${start} ${y}.5`;
    end = x + 1;
    path += `h${end - start}`;
  }
  return path;
}
