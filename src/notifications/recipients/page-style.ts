import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const FILES = ['../../http/assets/base.css', './assets/page.css'];

const css = FILES.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n');
const version = hash('sha256', css).slice(0, 8);

/** Style sheet of the pages. Its address contains a content hash, so it can be cached forever. */
export const STYLESHEET = {
  css,
  href: `/notification-recipient/assets/page.css?v=${version}`,
} as const;
