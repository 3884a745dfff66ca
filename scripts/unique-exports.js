/**
 * Two exported things never share a name, so that a name leads to one place: prints each that is
 * exported twice under src and ends with 1. Tables of languages are alike on purpose.
 */
import { readdirSync, readFileSync } from 'node:fs';

const EXPORT =
  /^export (?:abstract |async )*(?:class|const|function\*?|interface|type|enum) (\w+)/gm;

const files = readdirSync('src', { recursive: true }).filter(
  (file) => /(?<!\.spec)\.tsx?$/.test(file) && !file.includes('/locales/'),
);
const homes = new Map();
for (const file of files) {
  const names = [...readFileSync(`src/${file}`, 'utf8').matchAll(EXPORT)].map(([, name]) => name);
  for (const name of new Set(names)) homes.set(name, [...(homes.get(name) ?? []), file]);
}

const shared = [...homes].filter(([, where]) => where.length > 1);
for (const [name, where] of shared) console.error(`${name} is exported by ${where.join(', ')}`);
if (shared.length > 0) process.exitCode = 1;
