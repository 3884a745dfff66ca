import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const read = (name: string): string =>
  readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');

/** Made by the build, out of Tabler and `portal.css`. */
export const SHEET = read('sheet.css');
export const SCRIPT = read('portal.js');

const versionOf = (text: string): string => hash('sha256', text).slice(0, 8);

/** The addresses change with the content, so browsers may keep it for ever. */
export const SHEET_HREF = `/portal/assets/portal.css?v=${versionOf(SHEET)}`;
export const SCRIPT_HREF = `/portal/assets/portal.js?v=${versionOf(SCRIPT)}`;
