import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Bytes, which all answers share. */
const read = (name: string): Buffer => readFileSync(new URL(`./assets/${name}`, import.meta.url));

/** Made by the build, out of Tabler and `portal.css`. */
export const SHEET = read('sheet.css');
export const PORTAL_SCRIPT = read('portal.js');

const versionOf = (bytes: Buffer): string => hash('sha256', bytes).slice(0, 8);

/** The addresses change with the content, so browsers may keep it for ever. */
export const SHEET_HREF = `/portal/assets/portal.css?v=${versionOf(SHEET)}`;
export const PORTAL_SCRIPT_HREF = `/portal/assets/portal.js?v=${versionOf(PORTAL_SCRIPT)}`;
