import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { TestApp } from './support/app.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';

const README = readFileSync('README.md', 'utf8');
const CLI = path.resolve(import.meta.dirname, '../src/operations/cli.js');
const END_OF_EXAMPLE = '---end-of-example---';

/** npm would build, start or test: only the command line is run, and without npm. */
const NPM = `npm() {
  if [ "$1 \${3-}" = "run cli" ]; then shift 4; "$NODE" "$CLI" "$@"; fi
}`;

interface Example {
  readonly command: string;
  /** What the block after it shows. */
  readonly shown: { readonly language: string; readonly text: string } | undefined;
}

interface Block {
  readonly language: string;
  readonly text: string;
}

/** Every shell block, with the block of its answer when one follows. */
function examples(): Example[] {
  const blocks: Block[] = [...README.matchAll(/^ *```(\w+)\n(.*?)^ *```$/gms)].map(
    ([, language = '', text = '']) => ({ language, text }),
  );
  return blocks.flatMap(({ language, text }, i) => {
    const next = blocks[i + 1];
    return language === 'sh'
      ? [{ command: text, shown: next?.language === 'sh' ? undefined : next }]
      : [];
  });
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

describe('README.md', () => {
  let app: TestApp;
  let folder: string;
  let outputs: readonly string[];

  beforeAll(async () => {
    folder = temporaryFolder();
    app = await TestApp.start({ realTime: true });
    const shop = await app.merchant();
    const script = [
      NPM,
      ...examples().map(({ command }) => `${command}\necho "${END_OF_EXAMPLE}"`),
    ];
    const { stdout, stderr } = await promisify(execFile)(
      'bash',
      ['--norc', '-euc', script.join('\n')],
      {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          BASE: app.url,
          KEY: shop.secret,
          NODE: process.execPath,
          CLI,
          LIVE_ON_EMBEDDED: 'on',
        },
      },
    );
    expect(stderr).toBe('');
    outputs = stdout.split(END_OF_EXAMPLE);
  });
  afterAll(async () => {
    await app.stop();
    removeFolder(folder);
  });

  it('shows what its commands answer', () => {
    const answered = examples().flatMap(({ shown }, i) =>
      shown ? [{ shown, output: outputs[i]! }] : [],
    );
    expect(answered.length).toBeGreaterThanOrEqual(6);
    for (const { shown, output } of answered) {
      if (shown.language === 'text') expect(output.trim()).toBe(shown.text.trim());
      else expect(JSON.parse(output)).toEqual(matching(JSON.parse(shown.text)));
    }
  });

  it('gets a live key from its commands', () => {
    expect(outputs.find((output) => output.includes('pos_live_'))).toMatch(
      /^\s*pos_live_[\w-]{43}\n\nThis is the only time/,
    );
  });

  it('points to files and commands that exist', () => {
    const links = [...README.matchAll(/\]\(([^)#:]+)\)/g)].map(([, link]) => link!);
    expect(links.filter((link) => !existsSync(link))).toEqual([]);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    const named = [...README.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name!);
    expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    const folders = [...README.matchAll(/`((?:src|docs|test)\/?[\w./-]*)`/g)].map(
      ([, name]) => name!,
    );
    expect(folders.filter((name) => !existsSync(name))).toEqual([]);
  });
});

describe('npm run demo', () => {
  it('shows a payment from end to end, and ends with 0', async () => {
    const folder = temporaryFolder();
    const demo = new Program('operations/demo.js', [], {}, folder);
    const { code, out, err } = await demo.result;
    removeFolder(folder);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Erika Mustermann');
    expect(out).toContain('DE89370400440532013000');
    expect(out.match(/ ✓ +\d+ ms {2}\S/g)).toHaveLength(11);
  });
});
