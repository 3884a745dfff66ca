import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const read = (name: string): Buffer => readFileSync(new URL(`./assets/${name}`, import.meta.url));

/** Built from Tabler and `portal.css`. */
export const SHEET = read('sheet.css');
export const PORTAL_SCRIPT = read('portal.js');

const versionOf = (bytes: Buffer): string => hash('sha256', bytes).slice(0, 8);

/** Versioned by content hash, so that browsers can cache forever. */
export const SHEET_HREF = `/portal/assets/portal.css?v=${versionOf(SHEET)}`;
export const PORTAL_SCRIPT_HREF = `/portal/assets/portal.js?v=${versionOf(PORTAL_SCRIPT)}`;
