import { createRequire } from 'node:module';

interface Found {
  readonly binaryData: readonly number[];
  readonly version: number;
}

const readQr = createRequire(import.meta.url)('jsqr') as (
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
) => Found | null;

/** Pixels of a module in the drawing of a code. */
const SCALE = 4;
/** Of red, green, blue and opacity. */
const PIXEL_BYTES = 4;

/** A code as another program than ours reads it. */
export interface ReadCode {
  /** What it says, by its bytes in UTF-8. */
  readonly text: string;
  readonly bytes: number;
  /** 1 to 40: how large it is. */
  readonly version: number;
}

/** Reads a picture, four bytes a pixel; null when there is no code that can be read. */
export function readPicture(pixels: Uint8ClampedArray, width: number): ReadCode | null {
  const found = readQr(pixels, width, pixels.length / PIXEL_BYTES / width);
  if (!found) return null;
  const bytes = Buffer.from(found.binaryData);
  return { text: bytes.toString(), bytes: bytes.length, version: found.version };
}

/** Reads the code of a page, painted by the one rule that its path uses; null when there is none. */
export function readCodeOf(html: string): ReadCode | null {
  const svg = /<svg class="qr" viewBox="0 0 (\d+) \1".*?<\/svg>/.exec(html);
  if (!svg) return null;
  const [drawing, box] = svg;
  const size = Number(box) * SCALE;
  const pixels = new Uint8ClampedArray(size * size * PIXEL_BYTES).fill(255);
  const path = /<path d="([^"]*)"/.exec(drawing)?.[1] ?? '';
  for (const { x, y, length } of linesOf(path)) {
    for (let row = y * SCALE; row < (y + 1) * SCALE; row++) {
      const start = (row * size + x * SCALE) * PIXEL_BYTES;
      // Black, and opaque.
      pixels.fill(0, start, start + length * SCALE * PIXEL_BYTES);
      for (let at = start; at < start + length * SCALE * PIXEL_BYTES; at += PIXEL_BYTES)
        pixels[at + 3] = 255;
    }
  }
  return readPicture(pixels, size);
}

interface Line {
  readonly x: number;
  readonly y: number;
  readonly length: number;
}

/** The lines of a path, each one module high: `y` is the module's upper edge. */
function linesOf(path: string): Line[] {
  const steps = [...path.matchAll(/M(\d+) (\d+)\.5|m(\d+) 0|h(\d+)/g)];
  if (steps.map(([step]) => step).join('') !== path) throw new Error(`not such a path: ${path}`);
  const lines: Line[] = [];
  let x = 0;
  let y = 0;
  for (const [, left, middle, gap, length] of steps) {
    if (left !== undefined) [x, y] = [Number(left), Number(middle)];
    else if (length === undefined) x += Number(gap);
    else {
      lines.push({ x, y, length: Number(length) });
      x += Number(length);
    }
  }
  return lines;
}
