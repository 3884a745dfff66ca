/**
 * Makes the portal's sheet: of Tabler only what the portal's pages use, its dark theme where the
 * browser asks for one, and our own rules last.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import postcss from 'postcss';
import { PurgeCSS } from 'purgecss';

const ROOT = path.resolve(import.meta.dirname, '..');
const TABLER = createRequire(import.meta.url).resolve('@tabler/core/dist/css/tabler.min.css');
const OURS = path.join(ROOT, 'src/portal/layout/assets/portal.css');
const SHEET = path.join(ROOT, 'dist/src/portal/layout/assets/sheet.css');

const DARK = /^(?::root)?\[data-bs-theme=dark\]/;
const THEMED = /data-bs-theme|data-theme|theme-dark/;

/** Without a script, only the browser knows which theme is wanted. */
function followBrowser(root) {
  root.walkRules((rule) => {
    const dark = rule.selectors.filter((selector) => DARK.test(selector));
    const plain = rule.selectors.filter((selector) => !THEMED.test(selector));
    if (dark.length > 0) {
      const media = postcss.atRule({ name: 'media', params: '(prefers-color-scheme: dark)' });
      const selectors = dark.map((selector) => selector.replace(DARK, ':root'));
      rule.before(media.append(rule.clone({ selectors })));
    }
    if (plain.length === 0) rule.remove();
    else if (plain.length < rule.selectors.length) rule.selectors = plain;
  });
}

async function purged(css) {
  const [result] = await new PurgeCSS().purge({
    content: globSync('src/portal/**/*.tsx', { cwd: ROOT }).map((file) => path.join(ROOT, file)),
    css: [{ raw: css }],
    // In order to find classes that stand in words of code.
    defaultExtractor: (content) => content.match(/[\w-]+/g) ?? [],
    safelist: ['html', 'body', ':root'],
  });
  return result.css;
}

const tabler = postcss.parse(
  readFileSync(TABLER, 'utf8').replace(/\/\*# sourceMappingURL.*$/m, ''),
);
followBrowser(tabler);
const sheet = `${await purged(tabler.toString())}\n${readFileSync(OURS, 'utf8')}`;
mkdirSync(path.dirname(SHEET), { recursive: true });
writeFileSync(SHEET, sheet);
