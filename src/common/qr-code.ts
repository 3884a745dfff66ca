import encodeQr from 'qr';

/** Modules of quiet around the code, which scanners need (ISO/IEC 18004, 6.3.8). */
const QUIET = 4;

/** A QR code as a drawing of which each module is one unit wide. */
export interface QrDrawing {
  /** For `viewBox`. */
  readonly box: string;
  /** For `d` of a path that is drawn with a line one unit wide: what is dark. */
  readonly path: string;
}

/**
 * The QR code of a text in UTF-8, at error level M.
 * @throws Error when the text is longer than a code can be
 */
export function drawQr(text: string): QrDrawing {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: QUIET });
  return { box: `0 0 ${rows.length} ${rows.length}`, path: rows.map(rowPath).join('') };
}

/** Half a unit down runs the middle of the row. Steps are told from where the last one ended: that is short. */
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
