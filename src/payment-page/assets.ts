import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readableOn } from '../common/colour.js';

const DEFAULT_COLOUR = '0b4f9e';
const HEX_COLOUR = /^#?([0-9a-f]{6})$/i;

const CSS = ['../http/assets/base.css', './assets/pay.css'].map(read).join('\n');

/** Client script of the page. */
export const SCRIPT = read('./assets/pay.js');

/** Content hash of the assets for permanent caching. */
export const ASSET_VERSION = createHash('sha256')
  .update(CSS)
  .update(SCRIPT)
  .digest('hex')
  .slice(0, 8);

export const SCRIPT_HREF = `/pay/assets/pay.js?v=${ASSET_VERSION}`;

/** Address of the style sheet; contains the merchant's colour, since the CSP allows no inline styles. */
export function stylesheetHref(colour?: string | null): string {
  const hex = HEX_COLOUR.exec(colour ?? '')?.[1]?.toLowerCase();
  return `/pay/assets/pay.css?v=${ASSET_VERSION}${hex ? `&c=${hex}` : ''}`;
}

/** Style sheet in a merchant's colour ("#0b4f9e" or "0b4f9e"); invalid colours give the default. */
export function stylesheet(colour?: string | null): string {
  const hex = HEX_COLOUR.exec(colour ?? '')?.[1]?.toLowerCase() ?? DEFAULT_COLOUR;
  return `:root{--brand:#${hex};--on-brand:${readableOn(hex)}}\n${CSS}`;
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
