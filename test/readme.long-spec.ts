import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { generate } from 'otplib';
import { Browser } from '../src/demo/browser.js';
import { WebhookWorker } from '../src/notifications/webhooks/webhook-worker.js';
import { freePort, TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';
import { until } from './support/race.js';

/** Where the receiver of the examples listens, which another program may do on this machine. */
const port = await freePort();
/** Whose commands are run, one after the other. */
const README = [
  'README.md',
  'docs/api.md',
  'docs/webhooks.md',
  'docs/portal.md',
  'docs/payouts.md',
  'docs/going-live.md',
]
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')
  .replaceAll(/(?<=:|\()4000\b/g, String(port));
const CLI = path.resolve(import.meta.dirname, '../src/cli/cli.js');
const END_OF_EXAMPLE = '---end-of-example---';

/** npm would build, start or test: only the command line is run, and without npm. */
const NPM = `npm() {
  if [ "$1 \${3-}" = "run cli" ]; then shift 4; $EXEC "$NODE" "$CLI" "$@"; fi
  if [ "$*" = "run doctor" ]; then "$NODE" "$CLI" doctor; fi
}`;
const ENV = { PATH: process.env['PATH']!, NODE: process.execPath, CLI, EXEC: '' };
/** Milliseconds; each of the commands starts a process. */
const ALL_COMMANDS = 150_000;

interface Example {
  readonly command: string;
  /** What the block after it shows. */
  readonly shown: { readonly language: string; readonly text: string } | undefined;
}

interface Block {
  readonly language: string;
  readonly text: string;
}

const blocksOf = (page: string): readonly Block[] =>
  [...page.matchAll(/^ *```(\w+)\n(.*?)^ *```$/gms)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));

const blocks = blocksOf(README);

/** It goes on until it is stopped, so it is no example among the others. */
const isListen = ({ text }: Block): boolean => text.includes('cli -- listen');

/** Languages of answers; others are for a reader, or for another program. */
const ANSWERS = ['json', 'text'];

/** Every shell block, with the block of its answer when one follows. */
function examplesOf(page: readonly Block[]): Example[] {
  return page.flatMap(({ language, text }, i) => {
    const next = page[i + 1];
    return language === 'sh' && !isListen({ language, text })
      ? [{ command: text, shown: next && ANSWERS.includes(next.language) ? next : undefined }]
      : [];
  });
}

const examples = examplesOf(blocks);

/** What each of the examples prints, which may be no complaint. */
async function outputsOf(
  all: readonly Example[],
  cwd: string,
  env: Record<string, string>,
): Promise<string[]> {
  const commands = all.map(({ command }) => `${command}\necho "${END_OF_EXAMPLE}"`);
  const bash = ['--norc', '-euc', [NPM, ...commands].join('\n')];
  const { stdout, stderr } = await promisify(execFile)('bash', bash, { cwd, env });
  expect(stderr).toBe('');
  return stdout.split(END_OF_EXAMPLE);
}

/** The answers are as the page shows them. @returns how many it shows */
function expectShown(all: readonly Example[], outputs: readonly string[]): number {
  const answered = all.flatMap(({ shown }, i) => (shown ? [{ shown, output: outputs[i]! }] : []));
  for (const { shown, output } of answered) {
    if (shown.language === 'text') expect(output.trim()).toBe(shown.text.trim());
    else expect(JSON.parse(output)).toEqual(matching(JSON.parse(shown.text)));
  }
  return answered.length;
}

/** A shown text stands for any with the same parts around its dots. */
function matching(shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.map(matching);
  if (typeof shown === 'string' && shown.includes('…')) {
    const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return expect.stringMatching(new RegExp(`^${parts.join('.+')}$`));
  }
  if (typeof shown !== 'object' || shown === null) return shown;
  const members = Object.entries(shown).map(([name, value]) => [name, matching(value)]);
  return expect.objectContaining(Object.fromEntries(members));
}

const secretIn = (output: string): string => /whsec_[\w+/=]+/.exec(output)![0];

const children: ChildProcess[] = [];

/** What the program has written so far. It ends with the tests at the latest. */
function outputOf(child: ChildProcess): () => string {
  children.push(child);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  }
  return () => output;
}

const slowly = (what: string, ask: () => boolean | Promise<boolean>): Promise<void> =>
  until(what, async () => ask());

/** Runs the receiver; stopped, it answers the lines that it wrote. */
async function receive(folder: string, secret: string) {
  const code = blocks.find(({ language }) => language === 'js')!.text;
  writeFileSync(path.join(folder, 'receiver.mjs'), code);
  const modules = path.join(folder, 'node_modules');
  if (!existsSync(modules)) symlinkSync(path.resolve('node_modules'), modules);
  const env = { WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, ['receiver.mjs'], { cwd: folder, env });
  const out = outputOf(child);
  await slowly('the receiver listens', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/hook`).catch(() => undefined);
    return answer !== undefined;
  });
  const stop = async (): Promise<string[]> => {
    child.kill();
    await once(child, 'close');
    return out().split('\n').filter(Boolean);
  };
  return { stop };
}

describe('README.md', () => {
  let app: TestApp;
  let shop: Client;
  let folder: string;
  let env: Record<string, string>;
  let outputs: readonly string[];

  beforeAll(async () => {
    folder = temporaryFolder();
    app = await TestApp.start({ realTime: true, env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
    shop = await app.merchant();
    env = { ...ENV, BASE: app.url, KEY: shop.secret, LIVE_ON_EMBEDDED: 'on' };
    outputs = await outputsOf(examples, folder, env);
  }, ALL_COMMANDS);
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await app.stop();
    removeFolder(folder);
  });

  it('shows what its commands answer', () => {
    expect(expectShown(examples, outputs)).toBeGreaterThanOrEqual(6);
  });

  it('shows a refusal only where it explains one', () => {
    const refused = examples.filter((_, i) => outputs[i]!.includes('/errors/'));
    expect(refused).toEqual([
      expect.objectContaining({
        shown: { language: 'json', text: expect.stringContaining('"validation_failed"') },
      }),
    ]);
  });

  it('has a receiver that verifies webhooks, once each, while the secret changes too', async () => {
    const secret = secretIn(outputs.find((output) => output.includes('"eventTypes"'))!);
    const receiver = await receive(folder, secret);
    await app.get(WebhookWorker).drain();
    const told = await receiver.stop();
    expect(told.filter((line) => !line.startsWith('webhook.test '))).toEqual([
      'order.paid INV-1001 paid',
    ]);
    expect(told).toContainEqual(expect.stringMatching(/^webhook\.test [\da-f-]{36}$/));
    const log = '/api/webhook-endpoint/newest/delivery';
    const { body } = await shop.call<{ data: object[] }>('GET', log);
    const delivered = expect.objectContaining({ status: 'delivered', attemptCount: 1 });
    expect(body.data).toEqual([delivered, delivered, delivered]);
  });

  it('has a receiver that refuses what is not signed', async () => {
    const receiver = await receive(folder, `whsec_${Buffer.alloc(32).toString('base64')}`);
    const forged = { method: 'POST', body: '{"type":"order.paid","data":{}}' };
    expect((await fetch(`http://127.0.0.1:${port}/hook`, forged)).status).toBe(400);
    expect(await receiver.stop()).toEqual([]);
  });

  it('forwards events to the receiver without an endpoint', async () => {
    const { text } = blocks.find(isListen)!;
    const script = ['--norc', '-euc', `${NPM}\n${text}`];
    const listening = spawn('bash', script, { cwd: folder, env: { ...env, EXEC: 'exec' } });
    const out = outputOf(listening);
    await slowly('it listens', () => out().includes('Forwarding'));
    const receiver = await receive(folder, secretIn(out()));
    const { orderMerchantId } = await shop.order();
    await slowly('the event came', () => out().includes('order.created'));
    listening.kill();
    expect(await receiver.stop()).toEqual([`order.created ${orderMerchantId} open`]);
  });

  it('gets a live key from its commands', () => {
    expect(outputs.find((output) => output.includes('pos_live_'))).toMatch(
      /^\s*pos_live_[\w-]{43}\n\nThis is the only time/,
    );
  });

  it('points to files and commands that exist', () => {
    const pages = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)];
    const read = pages
      .filter((page) => page.endsWith('.md'))
      .map((page) => ({
        folder: path.dirname(page),
        text: readFileSync(page, 'utf8'),
      }));
    const links = read.flatMap(({ folder: at, text }) =>
      [...text.matchAll(/\]\(([^)#:]+)(?:#[\w-]*)?\)/g)].map(([, link]) => path.join(at, link!)),
    );
    expect(links.filter((link) => !existsSync(link))).toEqual([]);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    const all = read.map(({ text }) => text).join('\n');
    const named = [...all.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name!);
    expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    const folders = [...all.matchAll(/`((?:src|docs|test)(?:\/[\w./-]*)?)`/g)].map(
      ([, name]) => name!,
    );
    expect(folders.filter((name) => !existsSync(name))).toEqual([]);
  });
});

describe('npm run demo', () => {
  it('shows two payments and a payout from end to end, and ends with 0', async () => {
    const folder = temporaryFolder();
    const demo = new Program('demo/demo.js', [], {}, folder);
    const { code, out, err } = await demo.result;
    removeFolder(folder);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Erika Mustermann');
    expect(out).toContain('DE89370400440532013000');
    expect(out).toMatch(/order\.paid, webhook-id [\da-f-]{36}, verified\n/);
    expect(out).toMatch(/^ {6}Payment received: €89\.90$/m);
    expect(out).toMatch(/^ {6}invoice: R-DEMO-1$/m);
    expect(out).toMatch(/Transfer details +89\.90 EUR to DE75512108001245126199, RF\d{2}0\d{15}\n/);
    expect(out).toMatch(/Bank statement imported +camt\.054, 1 transfer matched\n/);
    expect(out).toMatch(/Payout read +paid, to Nordlicht Store, /);
    expect(out).toMatch(/The doctor has looked +\d+ checks passed, 0 failed\n/);
    expect(out.match(/ ✓ +\d+ ms {2}\S/g)).toHaveLength(33);
  });

  it('leaves a service to look around in, with somebody for each role and the command line beside it', async () => {
    const folder = temporaryFolder();
    const wanted = await freePort();
    const demo = new Program('demo/demo.js', ['--keep'], { PORT: String(wanted) }, folder);
    const out = outputOf(demo.child);
    await until('all is told', async () => out().includes('export DATABASE_URL='), 60);
    const [, base] = /export BASE=(\S+)/.exec(out())!;
    expect(base).toBe(`http://127.0.0.1:${wanted}`);
    const [, secret] = /takes this key:\s+(\S+)/.exec(out())!;
    const [, place] = /export DATABASE_URL=(\S+)/.exec(out())!;
    const people = [...out().matchAll(/^ {2}(\w+) +(\S+@demo\.example) +(\S+)$/gm)];
    const roles = people.map(([, role]) => role!).sort();
    expect([...new Set(roles)]).toEqual([
      'developer',
      'finance',
      'operator',
      'owner',
      'support',
      'viewer',
    ]);
    const made = await new Program(
      'cli/cli.js',
      ['user', 'create', '--email', 'new@demo.example', '--name', 'New', '--role', 'support'],
      { DATABASE_URL: place! },
      folder,
    ).result;
    expect(made).toMatchObject({ code: 0, err: '' });
    const [, key] = /export KEY=(\S+)/.exec(out())!;
    const transfer = examplesOf(blocksOf(readFileSync('docs/bank-transfer.md', 'utf8')));
    const env = { ...ENV, BASE: base!, KEY: key!, DATABASE_URL: place! };
    expect(expectShown(transfer, await outputsOf(transfer, folder, env))).toBe(3);
    people.push(['', 'support', 'new@demo.example', made.out.split('\n')[0]!] as never);
    for (const [, role, email, password] of people) {
      const browser = new Browser();
      const page = await browser.open(`${base}/portal/sign-in`);
      const reply = await browser.submit(page, '', { email: email!, password: password! });
      if (role === 'operator') {
        // That of this half minute was used in the tour, and counts once.
        const code = await generate({ secret: secret!, epoch: Date.now() / 1_000 + 30 });
        expect(reply.html).toContain('name="code"');
        await browser.submit(reply, '', { code });
      }
      expect((await browser.open(`${base}/portal`)).url).not.toContain('sign-in');
    }
    demo.child.stdin!.write('\n');
    await slowly('a code is told', () => /^ {2}\d{6} {2}is the operator's code/m.test(out()));
    expect((await demo.kill('SIGTERM')).code).toBe(0);
    removeFolder(folder);
  }, 120_000);
});
