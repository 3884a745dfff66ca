import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { FAILURE_CODES } from '../src/common/decline-codes.js';
import { ORDER_EXCEPTIONS, ORDER_STATUSES } from '../src/database/orders/order.entity.js';
import { ACCOUNT_TYPES } from '../src/database/payments/payment.entity.js';
import { SandboxCallbacksService } from '../src/sandbox-bank/sandbox-callbacks.service.js';
import { TestApp } from './support/app.js';

const PAGE = readFileSync('docs/testing.md', 'utf8');
const FUNCTIONS = /^```sh\n(.*?)^```$/ms.exec(PAGE)![1]!;
const BEGINNING = /^then\. Begin with `(TXID=.+?)`/m.exec(PAGE)![1]!;
const ROWS = [...PAGE.matchAll(/^\| (.+?) \| `(.+?)` \| `(\{.+\})` \|$/gm)].map(
  ([, see, commands, order]) => ({ see: see!, commands: commands!, order: order! }),
);
/** Only statements of banks lead there: the operator's command line brings them in. */
const OF_STATEMENTS: readonly string[] = ['charged_back'];
const EVERY_WORD = [
  ORDER_STATUSES,
  ORDER_EXCEPTIONS.filter((word) => !OF_STATEMENTS.includes(word)),
  ['exact', 'overpaid', 'manual', 'by_payer', 'not_paid', 'partially_paid'],
  ['awaiting_provider', 'outcome_unknown'],
].flat();
const END_OF_ROW = '---end-of-row---';
const ALL_ROWS = 120_000;
/** Milliseconds: the bank's later callbacks are sent so soon after they are due. */
const LATER = 200;

describe('docs/testing.md', () => {
  let app: TestApp;
  let outputs: readonly string[];
  let timer: NodeJS.Timeout;

  beforeAll(async () => {
    app = await TestApp.start({ realTime: true });
    timer = setInterval(() => void app.get(SandboxCallbacksService).sendDue(), LATER);
    const shop = await app.merchant();
    const script = ROWS.map(({ commands }) => `${BEGINNING}\n${commands}\necho '${END_OF_ROW}'`);
    const env = { PATH: process.env['PATH']!, BASE: app.url, KEY: shop.secret };
    const { stdout, stderr } = await promisify(execFile)(
      'bash',
      ['--norc', '-euc', [FUNCTIONS, ...script].join('\n')],
      { env, maxBuffer: 10_000_000 },
    );
    expect(stderr).toBe('');
    outputs = stdout.split(END_OF_ROW);
  }, ALL_ROWS);
  afterAll(async () => {
    clearInterval(timer);
    await app.stop();
  });

  it('has a row of commands for each thing to see', () => {
    const lines = PAGE.split('\n').filter((line) => line.startsWith('|'));
    expect(ROWS).toHaveLength(lines.length - 2);
  });

  it.each(ROWS.map((row, i) => [row.see, row, i] as const))('shows %s', (_, { order }, i) => {
    const last = outputs[i]!.trim().split('\n').at(-1)!;
    expect(JSON.parse(last)).toMatchObject(JSON.parse(order) as object);
  });

  it('leads to every status, exception and reason', () => {
    const seen = new Set(
      outputs.flatMap((output) =>
        [...output.matchAll(/"(?:status|statusReason|exception)":"(\w+)"/g)].map(
          ([, word]) => word,
        ),
      ),
    );
    expect([...seen]).toEqual(expect.arrayContaining(EVERY_WORD));
  });

  it('names every kind of account and every code of a failure', () => {
    for (const word of [...ACCOUNT_TYPES, ...Object.keys(FAILURE_CODES), ...OF_STATEMENTS]) {
      expect(PAGE).toContain(word);
    }
  });
});
