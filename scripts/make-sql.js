/**
 * `npm run sql` writes the constant statements of src/database to docs/sql, formatted, a file for each source file.
 * With `--check` it writes nothing, and ends with 1 if a file differs. Statements that a function builds from a
 * filter are not among them.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'sql-formatter';

const ROOT = path.resolve(import.meta.dirname, '..');
const COMPILED = path.join(ROOT, 'dist/src/database');
const TARGET = path.join(ROOT, 'docs/sql');

const CONSTANT = /^(?:export )?const ([A-Z][A-Z0-9_]*) = /gm;
const STATEMENT = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\s/;

// Most statements are constants that their file does not export.
const ALL = '?all-constants';
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith(ALL)) return loaded;
    const source = String(loaded.source);
    const names = [...source.matchAll(CONSTANT)].map(([, name]) => name);
    return { ...loaded, source: `${source}\nexport const constants = { ${names.join(', ')} };\n` };
  },
});

/** The statements in a constant: a text, `{ name, text }`, or a table of these. @returns pairs of name and SQL */
function* statementsIn(name, value) {
  if (typeof value === 'string' && STATEMENT.test(value)) yield [name, value];
  else if (STATEMENT.test(value?.text)) yield [value.name, value.text];
  else if (value?.constructor === Object || Array.isArray(value))
    for (const [key, part] of Object.entries(value)) yield* statementsIn(`${name}.${key}`, part);
}

const formatted = (sql) =>
  format(sql, { language: 'postgresql', keywordCase: 'upper', expressionWidth: 100 });

async function constantsOf(file) {
  const { constants } = await import(pathToFileURL(path.join(COMPILED, file)).href + ALL);
  return Object.entries(constants).flatMap(([name, value]) => [...statementsIn(name, value)]);
}

async function pages() {
  const files = readdirSync(COMPILED, { recursive: true })
    .filter((file) => /(?<!\.spec)\.js$/.test(file) && !/^(?:migrations|doctor)\//.test(file))
    .sort();
  const statements = new Map();
  for (const file of files) statements.set(file, await constantsOf(file));
  const all = new Set([...statements.values()].flat().map(([, sql]) => sql));
  const isPart = (sql) => [...all].some((other) => other !== sql && other.includes(sql));
  const found = new Map();
  // A statement that one file names and another one contains is written once.
  const written = new Set();
  for (const [file, constants] of statements) {
    const whole = constants.filter(([, sql]) => !isPart(sql) && !written.has(sql));
    for (const [, sql] of whole) written.add(sql);
    const text = whole.map(([name, sql]) => `-- ${name}\n${formatted(sql)};\n`).join('\n');
    if (text) found.set(file.replace(/\.js$/, '.sql'), text);
  }
  return found;
}

const made = await pages();
if (process.argv.includes('--check')) {
  const kept = existsSync(TARGET) ? readdirSync(TARGET, { recursive: true }) : [];
  const stale = kept.filter((file) => file.endsWith('.sql') && !made.has(file));
  const old = [...made].filter(([file, text]) => {
    const at = path.join(TARGET, file);
    return !existsSync(at) || readFileSync(at, 'utf8') !== text;
  });
  for (const file of [...stale, ...old.map(([name]) => name)])
    console.error(`docs/sql/${file} differs from the code: run "npm run sql"`);
  process.exitCode = stale.length + old.length > 0 ? 1 : 0;
} else {
  rmSync(TARGET, { recursive: true, force: true });
  for (const [file, text] of made) {
    mkdirSync(path.dirname(path.join(TARGET, file)), { recursive: true });
    writeFileSync(path.join(TARGET, file), text);
  }
  console.log(`docs/sql: ${made.size} files`);
}
