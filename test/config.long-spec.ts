import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { freePort, TestApp } from './support/app.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';
import { LiveRefusedError } from '../src/merchants/live-safety.js';

describe('a start', () => {
  let folder: string;
  beforeAll(() => {
    folder = temporaryFolder();
  });
  afterAll(() => removeFolder(folder));

  const start = (env: Record<string, string>) => new Program('main.js', [], env, folder);

  it('names every fault of the settings at once, without their values', async () => {
    const env = { PORT: 'secret-1', DATABASE_URL: 'mysql://secret-2', DEMO: 'secret-3' };
    const { code, out, err } = await start(env).result;
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.split('\n').slice(0, 4)).toEqual([
      'The settings have faults:',
      '- PORT must be a whole number from 1 to 65535',
      '- DATABASE_URL must be postgres://… (?pooler=transaction or no such word), file:FOLDER or memory:',
      '- DEMO must be on or off (or 1 or 0)',
    ]);
    expect(err).not.toContain('secret');
  });

  it('says in a sentence that the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = String((other.address() as AddressInfo).port);
    const { code, err } = await start({ PORT: port, DATABASE_URL: 'memory:', ROLE: 'api' }).result;
    other.close();
    expect({ code, err }).toEqual({
      code: 1,
      err: `Something listens on 127.0.0.1:${port} already: stop it, or set PORT to another port.\n`,
    });
  });

  it('reads .env for what the environment leaves open', async () => {
    const [fromFile, fromEnvironment] = [String(await freePort()), String(await freePort())];
    writeFileSync(
      path.join(folder, '.env'),
      `PORT=${fromFile}\nDATABASE_URL=memory:\nROLE=api\nPUBLIC_URL=https://pay.example\n`,
    );
    const service = start({ PORT: fromEnvironment });
    await service.untilReady(`http://127.0.0.1:${fromEnvironment}`);
    const { code, out } = await service.kill('SIGTERM');
    expect(code).toBe(0);
    expect(out).toContain('"url":"https://pay.example"');
    expect(out).toContain('"database":"memory:"');
  });
});

describe('a live key', () => {
  const live = async (app: TestApp) => app.merchant({ mode: 'live' });

  it('needs PostgreSQL, or the word of the operator', async () => {
    const app = await TestApp.start({ env: { LIVE_ON_EMBEDDED: 'off' } });
    try {
      if (app.database.isPostgres) expect((await live(app)).secret).toMatch(/^pos_live_/);
      else await expect(live(app)).rejects.toThrow(LiveRefusedError);
      expect((await app.merchant({ mode: 'test' })).secret).toMatch(/^pos_test_/);
    } finally {
      await app.stop();
    }
  });
});
