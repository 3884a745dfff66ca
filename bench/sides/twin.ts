import { randomUUID } from 'node:crypto';
import { randomToken } from '../../src/common/ids.js';
import { SCHEMA, SEED } from '../twins/schema.js';
import { dataFolder } from './database.js';
import type { Kind, Shop } from './kind.js';

const shop = (): Shop => ({ merchantId: randomUUID(), apiKey: `pos_test_${randomToken(32)}` });
const SHOPS = [shop(), shop()] as const;
const SESSION = randomToken();

const INSERT_SHOP = [
  `INSERT INTO merchants VALUES ($1, 'Nordlicht Store')`,
  `INSERT INTO api_keys VALUES ($1, gen_random_uuid(), sha256(convert_to($2, 'UTF8')))`,
  `INSERT INTO provider_accounts VALUES ($1, gen_random_uuid(), $2)`,
  `INSERT INTO user_sessions VALUES (sha256(convert_to($2, 'UTF8')), $1)`,
];

/** The same by hand: bench/twins. */
export const TWIN: Kind = {
  name: 'twin',
  program: '../bench/twins/main.js',
  env: ({ url, isAlone }) => ({ DATABASE_URL: isAlone ? `file:${dataFolder(url)}` : url }),
  prepare: (database) =>
    database.use(async (query) => {
      await query(SCHEMA);
      for (const { merchantId, apiKey } of SHOPS) {
        const [merchant, key, account, session] = INSERT_SHOP as [string, string, string, string];
        await query(merchant, [merchantId]);
        await query(key, [merchantId, apiKey]);
        await query(account, [merchantId, randomToken()]);
        await query(session, [
          merchantId,
          merchantId === SHOPS[0].merchantId ? SESSION : randomToken(),
        ]);
      }
    }),
  shops: () => SHOPS,
  signIn: async () => `portal=${SESSION}`,
  seed: (query, merchantId, { first, last, count }) =>
    query(SEED, [merchantId, first, last, count]),
  position: `nextval('positions')`,
};
