import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const DEFAULT_COLOUR = '0b4f9e';
const HEX_COLOUR = /^#?([0-9a-f]{6})$/i;

const CSS = readFileSync(new URL('./assets/pay.css', import.meta.url), 'utf8');

/** The page's client script, as served. */
export const SCRIPT = readFileSync(new URL('./assets/pay.js', import.meta.url), 'utf8');

/** Changes with the content of the assets, so browsers may keep them for ever. */
export const ASSET_VERSION = createHash('sha256')
  .update(CSS)
  .update(SCRIPT)
  .digest('hex')
  .slice(0, 8);

export const SCRIPT_HREF = `/pay/assets/pay.js?v=${ASSET_VERSION}`;

/** The stylesheet's address; the merchant's colour rides along because no style is ever inline. */
export function stylesheetHref(colour?: string | null): string {
  const hex = HEX_COLOUR.exec(colour ?? '')?.[1]?.toLowerCase();
  return `/pay/assets/pay.css?v=${ASSET_VERSION}${hex ? `&c=${hex}` : ''}`;
}

/** The stylesheet in a merchant's colour ("#0b4f9e" or "0b4f9e"); not a colour gives the default. */
export function stylesheet(colour?: string | null): string {
  const hex = HEX_COLOUR.exec(colour ?? '')?.[1]?.toLowerCase() ?? DEFAULT_COLOUR;
  return `:root{--brand:#${hex};--on-brand:${readableOn(hex)}}\n${CSS}`;
}

/** Black or white, whichever reads better: one of them always has a contrast above 4.5. */
function readableOn(hex: string): '#fff' | '#000' {
  const light = luminance(hex);
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? '#fff' : '#000';
}

/** Relative luminance, WCAG 2.2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((start) => {
    const channel = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
