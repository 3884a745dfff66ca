import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SEED } from '../../src/database/demo/seed.statements.js';
import { FormBrowser } from '../../test/support/browser-form.js';
import type { Kind } from './kind.js';

interface Demo {
  readonly merchants: readonly { readonly id: string; readonly apiKey: string }[];
  readonly users: readonly { readonly email: string; readonly password: string }[];
}

const SEED_DAYS = 365;
const demoFile = (folder: string): string => path.join(folder, 'demo.json');
const demoOf = (folder: string): Demo => JSON.parse(readFileSync(demoFile(folder), 'utf8')) as Demo;

/** The service as an operator runs it, its background work in another process. */
export const SERVICE: Kind = {
  name: 'service',
  program: 'main.js',
  env: ({ url }, folder, publicUrl) => ({
    DATABASE_URL: url,
    PUBLIC_URL: publicUrl,
    DEMO: '1',
    DEMO_FILE: demoFile(folder),
    MAIL_FOLDER: path.join(folder, 'mail'),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    ROLE: 'api',
  }),
  prepare: async () => {},
  shops: (folder) => {
    const shops = demoOf(folder).merchants.map(({ id, apiKey }) => ({ merchantId: id, apiKey }));
    return [shops[0]!, shops[1]!];
  },
  signIn: async (url, folder) => {
    const owner = demoOf(folder).users.find(({ email }) => email.startsWith('owner@'))!;
    const browser = new FormBrowser(url);
    await browser.signIn(owner.email, owner.password);
    return `portal=${browser.cookie()}`;
  },
  seed: (query, merchantId, { first, last, count }) =>
    query(SEED, [merchantId, first, last, count, 'bench', new Date(), SEED_DAYS]),
  position: 'NULL',
};
