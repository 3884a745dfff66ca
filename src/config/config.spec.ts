import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError, readConfig } from './config.js';
import { VARIABLES } from './variables.js';

/** The help and the standard value of each variable, as a document shows them. */
type Documented = Record<string, { readonly help: string; readonly standard: string }>;

const standardOf = (variable: { readonly standard?: string }): string => variable.standard ?? '';

const expected: Documented = Object.fromEntries(
  Object.entries(VARIABLES).map(([name, variable]) => [
    name,
    { help: variable.help, standard: standardOf(variable) },
  ]),
);

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
}

describe('readConfig', () => {
  it('needs no setting at all', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://127.0.0.1:3000',
      database: { kind: 'folder', path: path.resolve('data') },
      databasePool: 10,
      liveOnEmbedded: false,
      redisUrl: undefined,
      rateLimits: true,
      rates: { writes: 20, reads: 50, pages: 60, signIns: 5 },
      connections: { max: 10_000, perAddress: 1_000 },
      logLevel: 'info',
      trustProxy: false,
      role: 'all',
      shutdownGraceMs: 5_000,
      mail: { smtpUrl: undefined, from: 'no-reply@localhost', folder: path.resolve('data/mail') },
      webhookAllowedNetworks: [],
      demo: false,
      demoFile: path.resolve('data/demo.json'),
      singleOperator: false,
      secondPersonWaitHours: 24,
      payerRetentionDays: 3_650,
      unknownOutcomeDays: 5,
    });
  });

  it('takes an empty text for a missing one', () => {
    const empty = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, '']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it.each([
    ['memory:', { kind: 'memory' }],
    ['file:/srv/orders', { kind: 'folder', path: '/srv/orders' }],
    [
      'postgres://u:p@db:5432/o',
      { kind: 'postgres', url: 'postgres://u:p@db:5432/o', isPooled: false },
    ],
    ['postgresql:///o', { kind: 'postgres', url: 'postgresql:///o', isPooled: false }],
    [
      'postgres://u:p@db:6432/o?pooler=transaction&sslmode=verify-full',
      { kind: 'postgres', url: 'postgres://u:p@db:6432/o?sslmode=verify-full', isPooled: true },
    ],
    [
      'postgres:///o?pooler=transaction',
      { kind: 'postgres', url: 'postgres:///o', isPooled: true },
    ],
  ])('reads the database %s', (text, database) => {
    expect(readConfig({ DATABASE_URL: text }).database).toEqual(database);
  });

  it.each(['session', '', 'transaction&pooler=session'])('knows no pooler %j', (pooler) => {
    expect(faultsOf({ DATABASE_URL: `postgres://db/o?pooler=${pooler}` })).toEqual([
      expect.stringMatching(/^DATABASE_URL must be .+pooler=transaction/),
    ]);
  });

  it.each([
    ['1', 1],
    ['9', 9],
    ['off', false],
    ['10.0.0.1, fd00::/8', ['10.0.0.1', 'fd00::/8']],
  ])('reads the proxies %s', (text, trustProxy) => {
    expect(readConfig({ TRUST_PROXY: text }).trustProxy).toEqual(trustProxy);
  });

  it.each(['0.0.0.0/0', '::/0', '10.0.0.1,128.0.0.0/1', '96.0.0.0/3', '2000::/3', '2400::/12'])(
    'trusts no proxies that could be anybody: %s',
    (text) => {
      expect(faultsOf({ TRUST_PROXY: text })).toEqual([
        expect.stringMatching(/^TRUST_PROXY must be off, .+ never networks wider than \/8/),
      ]);
    },
  );

  it.each(['::ffff:0:0/96', '::ffff:0.0.0.0/96', '0:0:0:0:0:ffff::/96', '::/96', '0::/100'])(
    'nor all of IPv4 inside IPv6: %s',
    (text) => {
      expect(faultsOf({ TRUST_PROXY: text })).toHaveLength(1);
    },
  );

  it.each(['10.0.0.0/8', '172.16.0.0/12', 'fc00::/7', '2001:db8::/32', '::1', '::1/128'])(
    'trusts those of one’s own: %s',
    (text) => {
      expect(readConfig({ TRUST_PROXY: text }).trustProxy).toEqual([text]);
    },
  );

  it('makes the public address out of host and port, without a slash at its end', () => {
    expect(readConfig({ HOST: '::1', PORT: '8080' }).publicUrl).toBe('http://[::1]:8080');
    expect(readConfig({ PUBLIC_URL: 'https://pay.example//' }).publicUrl).toBe(
      'https://pay.example',
    );
  });

  it('names every fault at once, and no value', () => {
    const env = {
      PORT: '70000',
      PUBLIC_URL: 'ftp://secret.example',
      DATABASE_URL: 'mysql://user:secret@db',
      REDIS_URL: 'secret',
      RATE_LIMITS: 'maybe-secret',
      LOG_LEVEL: 'secret',
      TRUST_PROXY: '*',
    };
    const faults = faultsOf(env);
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(
      expect.arrayContaining(Object.keys(env)),
    );
    expect(faults).toHaveLength(Object.keys(env).length);
    expect(new ConfigError(faults).message).not.toMatch(/secret|70000|mysql/);
  });

  it('refuses a setting of before and names the one that replaces it', () => {
    expect(faultsOf({ STOP_GRACE: '9', JOBS: 'only', WEBHOOK_ALLOW: '' })).toEqual([
      'JOBS is now called ROLE (all, api or worker)',
      'STOP_GRACE is now called SHUTDOWN_GRACE_SECONDS',
    ]);
  });

  it.each(['', '3000 ', '1e3', '-1', '0x10', '٣'])('takes no port %j', (text) => {
    expect(faultsOf({ PORT: text })).toHaveLength(text === '' ? 0 : 1);
  });
});

describe('the documents', () => {
  it('.env.example lists exactly the variables, in their order', () => {
    const text = readFileSync('.env.example', 'utf8');
    const lines = text.matchAll(/^# (?<help>.+)\n(?<name>[A-Z_]+)=(?<standard>.*)$/gm);
    const listed = [...lines].map(({ groups }) => groups!);
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(VARIABLES));
    expect(toDocumented(listed)).toEqual(expected);
    expect(text.match(/^[A-Z_]+=/gm)).toHaveLength(listed.length);
  });

  it('the table of docs/settings.md lists exactly the variables, in their order', () => {
    const text = readFileSync('docs/settings.md', 'utf8');
    const rows = text.matchAll(
      /^\| `(?<name>[A-Z_]+)` +\| (?<standard>.*?) *\| (?<help>.*?) *\|$/gm,
    );
    const listed = [...rows].map(({ groups }) => groups!);
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(VARIABLES));
    expect(toDocumented(listed)).toEqual(expected);
  });
});

const toDocumented = (rows: readonly Record<string, string>[]): Documented =>
  Object.fromEntries(
    rows.map(({ name, help, standard = '' }) => [
      name,
      { help: help!, standard: standard.replace(/^`(.*)`$/, '$1') },
    ]),
  );
