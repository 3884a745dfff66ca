import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { analyse } from 'scslre';
import ts from 'typescript';
import { fastestOf } from '../test/support/fastest.js';

const ROOT = path.resolve(import.meta.dirname, '../../src');
/** Milliseconds that the longest text may take. */
const TAKES_MAX = 20;

/**
 * Expressions that go through a text again from many places, and why that is little work: the worst of the longest texts
 * that they are given, or a thousand characters where whoever runs the service writes the text. A new expression
 * that is on no such list is better written so that it needs no row.
 */
const AGAIN: readonly (readonly [file: string, expression: RegExp, longest: string])[] = [
  // A word of 64 characters.
  ['bank/matching/order-finder.ts', /[.:/-]+$/, `${'.'.repeat(63)}x`],
  // Decimals of one amount.
  ['bank-statements/amount.ts', /0+$/, `${'0'.repeat(20)}1`],
  ['ledger/decimal.ts', /0+$/, `${'0'.repeat(20)}1`],
  // Options and settings of whoever runs the service.
  ['cli/listen.ts', /\/+$/, `${'/'.repeat(1_000)}x`],
  ['config/variables.ts', /\/+$/, `${'/'.repeat(1_000)}x`],
  // Twelve lines of our own.
  ['common/money/epc-payload.ts', /\n+$/, `${'\n'.repeat(331)}x`],
  // A tag of 35 characters.
  ['contract/normalizers.ts', /[.@].*$/, '.'.repeat(35)],
  // An address of 254 characters.
  ['order-search/search-query.ts', /^[^\s\0]+@[^\s\0]+$/, `${'@'.repeat(253)} `],
  // An address of 2,048 characters.
  [
    'payment-page/page-frame.view.tsx',
    /^(https:\/\/|mailto:)|\?.*$|\/$/g,
    `${'?'.repeat(2_047)}\n`,
  ],
  // A name of 140 characters.
  ['payouts/bank-file/sepa-text.ts', /[ /]+$/, `${' '.repeat(139)}x`],
  // A cell of 100 characters.
  [
    'bank-statements/csv/csv-number.ts',
    /^(?<before>[+−-])?\s*(?<whole>\d*|[1-9]\d{0,2}(?:(?<between>[.\s])\d{3})(?:\k<between>\d{3})*)(?:[,](?<decimals>\d*))?\s*(?<behind>[+−-])?$/,
    `-${' '.repeat(98)}x`,
  ],
  // A password of 128 characters.
  ['people/passwords/password-rules.ts', /^[^\p{L}]+|[^\p{L}]+$/gu, `a${'1'.repeat(126)}a`],
  // Digits of one number.
  ['portal/kit/values.tsx', /\B(?=(\d{3})+$)/g, '1'.repeat(20)],
];

/** Makes those expressions of a file that are put together when they are used, or one like them. */
type Make = (module: never) => RegExp | void;
const WHEN_LOADED: Make = () => {};

/** Files that put expressions together out of texts. */
const MADE: Readonly<Record<string, Make>> = {
  'common/money/creditor-reference.ts': WHEN_LOADED,
  'common/markup.ts': WHEN_LOADED,
  'exports/columns.ts': WHEN_LOADED,
  'bank-statements/mt/coded-details.ts': WHEN_LOADED,
  'bank-statements/mt/coded-fields.ts': WHEN_LOADED,
  'bank-statements/mt/tagged-fields.ts': WHEN_LOADED,
  'notifications/webhooks/webhook-target.ts': WHEN_LOADED,
  'bank-statements/csv/csv-day.ts': ({
    readCsvDay,
  }: typeof import('./bank-statements/csv/csv-day.js')) =>
    ['DD.MM.YYYY', 'YY-MM-DD', 'MM DD YY'].forEach((pattern) => readCsvDay('', pattern)),
  'bank-statements/csv/csv-number.ts': ({
    numberPattern,
  }: typeof import('./bank-statements/csv/csv-number.js')) =>
    numberPattern({ decimal: ',', group: '.' }),
  // Of our own routes, of which no part holds a slash, and of our own page.
  'http/route-table.ts': () => new RegExp('^/v1/[^/]+/.*/?$'),
  'payment-page/compiled-page-cache.ts': () => new RegExp('x:(\\w+);'),
  'http/file-form.ts': () => new RegExp(';\\s*filename=(?:"([^"]*)"|([^\\s;]+))', 'i'),
};

interface Found {
  readonly file: string;
  readonly expression: RegExp;
}

const FILES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => /\.tsx?$/.test(file) && !/\.spec\.tsx?$/.test(file));

function nodesOf(file: string): ts.Node[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const nodes: ts.Node[] = [];
  const walk = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, walk);
  };
  walk(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind));
  return nodes;
}

function expressionOf(literal: ts.RegularExpressionLiteral): RegExp {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(literal.text)!;
  return new RegExp(source!, flags);
}

const isConstructor = (node: ts.Node): boolean =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';

const CODE = FILES.map((file) => ({ file, nodes: nodesOf(file) }));
const LITERALS: Found[] = CODE.flatMap(({ file, nodes }) =>
  nodes.filter(ts.isRegularExpressionLiteral).map((node) => ({
    file,
    expression: expressionOf(node),
  })),
);

/** What files put together, each noticed by the place in which it is made. */
async function madeBy(files: readonly string[]): Promise<Found[]> {
  const Before = globalThis.RegExp;
  const made: Found[] = [];
  const notice = ([source, flags]: [string, string?]): RegExp => {
    const callers = new Error().stack!.split('\n').slice(2, 5).join();
    const file = files.find((each) => callers.includes(`/src/${each.replace(/\.tsx?$/, '.')}`));
    const expression = new Before(source, flags);
    if (file) made.push({ file, expression });
    return expression;
  };
  globalThis.RegExp = new Proxy(Before, {
    construct: (_, values) => notice(values as [string, string?]),
    apply: (_, __, values) => notice(values as [string, string?]),
  });
  try {
    for (const file of files) {
      const module = path.join(import.meta.dirname, file.replace(/\.tsx?$/, '.js'));
      const sample = MADE[file]!((await import(module)) as never);
      if (sample) made.push({ file, expression: sample });
    }
  } finally {
    globalThis.RegExp = Before;
  }
  return made;
}

const PUTTING = CODE.filter(({ nodes }) => nodes.some(isConstructor)).map(({ file }) => file);
/** Some are made when a file is loaded, which happens once. */
const ALL_MADE = await madeBy(PUTTING.filter((file) => file in MADE));

const isAgain = ({ expression: { source, flags } }: Found): boolean =>
  analyse({ source, flags }, { reportTypes: { Move: true, Self: true, Trade: true } }).reports
    .length > 0;

/** Files that read what banks send, and payers have written a part of. */
const isReader = ({ file }: { readonly file: string }): boolean =>
  file.startsWith('bank-statements/');

/** Whether it takes U+2028, U+2029 or a part of a text for the end of a line. */
function knowsLines({ expression: { source, flags } }: Found): boolean {
  const signs = source.replace(/\\./gs, '').replace(/\[[^\]]*\]/g, '');
  return flags.includes('m') || (signs.includes('.') && !flags.includes('s'));
}

const nameOf = ({ file, expression }: Found): string => `${file} ${expression}`;
const ROWS = AGAIN.map(([file, expression, longest]) => ({ file, expression, longest }));

describe('the regular expressions of the service', () => {
  it('are found', () => {
    expect(LITERALS.length).toBeGreaterThan(300);
    const bad = [/[A-Z0-9]*\d[A-Z0-9]*/g, /(a+)+$/, /\s+$/, /a*a*b/];
    for (const expression of bad) expect(isAgain({ file: '', expression })).toBe(true);
  });

  it('go through a text once, or have a row that says why not', () => {
    expect(PUTTING.toSorted()).toEqual(Object.keys(MADE).toSorted());
    const noticed = new Set(ALL_MADE.map(({ file }) => file));
    expect([...noticed].toSorted()).toEqual(PUTTING.toSorted());
    const again = [...LITERALS, ...ALL_MADE].filter(isAgain).map(nameOf);
    expect(new Set(again)).toEqual(new Set(ROWS.map(nameOf)));
  });

  it('know no ends of lines where they read what banks send', () => {
    for (const expression of [/a.b/, /^a/m, /[^.]./]) {
      expect(knowsLines({ file: '', expression })).toBe(true);
    }
    expect(knowsLines({ file: '', expression: /[.]\../s })).toBe(false);
    const read = [...LITERALS, ...ALL_MADE].filter(isReader);
    expect(read.length).toBeGreaterThan(60);
    expect(read.filter(knowsLines).map(nameOf)).toEqual([]);
  });

  it.each(ROWS)('$file goes through its longest text in no time: $expression', (row) => {
    const { expression, longest } = row;
    expect(fastestOf(() => longest.replace(expression, ''))).toBeLessThan(TAKES_MAX);
  });
});
