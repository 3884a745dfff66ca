import { type ApiKey, MODES, SCOPES } from '../database/merchants/api-key.entity.js';
import type { Merchant } from '../database/merchants/merchant.entity.js';
import { NEWEST_API_VERSION } from '../common/api-version.js';
import { type Command, CommandError, rethrowAsCommandError } from './command.js';
import { COLLECTION_ACCOUNT_COMMANDS } from './collection-accounts.js';
import { doctorCommand } from './doctor.js';
import { ERASE_COMMANDS } from './erase.js';
import { FEE_COMMANDS } from './fees.js';
import * as inputs from './inputs.js';
import { listen } from './listen.js';
import { MERCHANT_TRANSFER_COMMANDS } from './merchant-transfers.js';
import { RECIPIENT_COMMANDS } from './recipients.js';
import { REFUND_COMMANDS } from './refunds.js';
import { seedOrders } from './seed-orders.js';
import { migrateAlone, withMerchant, withServices } from './services.js';
import { STATEMENT_IMPORT_COMMANDS } from './statement-imports.js';
import { day, table } from './text.js';
import { statementBalance } from './statement-balance.js';
import { statementExample } from './statement-example.js';
import { TRANSFER_COMMANDS } from './transfers.js';
import { USER_COMMANDS } from './users.js';

const merchantCreate: Command = {
  name: 'merchant create',
  usage: '--name NAME [--colour 0b4f9e] [--contact-url URL]',
  help: 'Adds a merchant, who can take test payments at once.',
  options: ['name', 'colour', 'contact-url'],
  prepare: (options) => {
    const merchant = {
      name: options.required('name', inputs.NAME),
      ...defined('colour', options.optional('colour', inputs.COLOUR)),
      ...defined('contactUrl', options.optional('contact-url', inputs.CONTACT_URL)),
    };
    return () =>
      withServices(async ({ merchants }) => {
        const made = await merchants.create(merchant);
        return {
          text: `Merchant ${made.id} (${made.name}) is there.\nNext: key create --merchant ${made.id} --mode test`,
          json: merchantJson(made),
        };
      });
  },
};

const merchantList: Command = {
  name: 'merchant list',
  usage: '',
  help: 'Lists the merchants.',
  options: [],
  prepare: () => () =>
    withServices(async ({ merchants }) => {
      const all = await merchants.list();
      const rows = all.map(({ id, name, createdAt }) => [id, day(createdAt), name]);
      return {
        text: table(['id', 'since', 'name'], rows),
        json: { merchants: all.map(merchantJson) },
      };
    }),
};

const keyCreate: Command = {
  name: 'key create',
  usage:
    '--merchant ID --mode test|live [--scope orders:read] [--scope orders:write] [--name NAME]\n' +
    `      [--expires 2027-01-31] [--allow-ip CIDR …] [--api-version ${NEWEST_API_VERSION}]`,
  help: 'Makes an API key and shows it once. Without --scope it may read and write.',
  options: ['merchant', 'mode', 'scope', 'name', 'expires', 'allow-ip', 'api-version'],
  prepare: (options) => {
    const mode = options.required('mode', inputs.MODE);
    const scopes = options.list('scope', inputs.SCOPE);
    const key = {
      merchantId: options.required('merchant', inputs.ID),
      mode,
      scopes: scopes.length === 0 ? SCOPES : [...new Set(scopes)],
      name: options.optional('name', inputs.NAME) ?? `${mode} key`,
      allowedIps: options.list('allow-ip', inputs.IP_RANGE),
      ...defined('expiresAt', options.optional('expires', inputs.LAST_DAY)),
      ...defined('apiVersion', options.optional('api-version', inputs.API_VERSION)),
    };
    return () =>
      withMerchant(key.merchantId, async ({ keys }) => {
        const made = await keys.create(key).catch(rethrowAsCommandError);
        return {
          text: `${made.secret}\n\nThis is the only time that the key is shown: keep it like a password.\nIts id, to revoke it, is ${made.key.id}.`,
          json: { ...keyJson(made.key), apiKey: made.secret },
        };
      });
  },
};

const keyList: Command = {
  name: 'key list',
  usage: '--merchant ID',
  help: 'Lists the keys of a merchant, without their secrets.',
  options: ['merchant'],
  prepare: (options) => {
    const merchantId = options.required('merchant', inputs.ID);
    return () =>
      withMerchant(merchantId, async ({ keys }) => {
        const ofModes = MODES.map((mode) => keys.list({ merchantId, mode }));
        const all = (await Promise.all(ofModes)).flat();
        return { text: table(KEY_COLUMNS, all.map(keyRow)), json: { keys: all.map(keyJson) } };
      });
  },
};

const keyRevoke: Command = {
  name: 'key revoke',
  usage: '--key ID',
  help: 'Ends a key; every process refuses it within 5 seconds.',
  options: ['key'],
  prepare: (options) => {
    const id = options.required('key', inputs.ID);
    return () =>
      withServices(async ({ keys }) => {
        if (!(await keys.revoke(id))) throw new CommandError(`There is no usable key ${id}.`);
        return { text: `Key ${id} is revoked.`, json: { id, revoked: true } };
      });
  },
};

const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  help: 'Brings the tables up to date, as every start does, and waits longer for a table that is in use.',
  options: [],
  prepare: () => async () => {
    const migrations = await migrateAlone();
    const text =
      migrations.length === 0 ? 'The tables are up to date.' : `Done: ${migrations.join(', ')}.`;
    return { text, json: { migrations } };
  },
};

export const COMMANDS: readonly Command[] = [
  merchantCreate,
  merchantList,
  keyCreate,
  keyList,
  keyRevoke,
  migrateCommand,
  doctorCommand,
  seedOrders,
  listen,
  ...RECIPIENT_COMMANDS,
  ...USER_COMMANDS,
  ...FEE_COMMANDS,
  ...TRANSFER_COMMANDS,
  ...ERASE_COMMANDS,
  ...REFUND_COMMANDS,
  ...STATEMENT_IMPORT_COMMANDS,
  ...COLLECTION_ACCOUNT_COMMANDS,
  ...MERCHANT_TRANSFER_COMMANDS,
  statementBalance,
  statementExample,
];

/** Omits a member without a value. */
const defined = <Name extends string, T>(name: Name, value: T | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [name in Name]?: T };

const merchantJson = ({ id, name, colour, contactUrl, createdAt }: Merchant) => ({
  id,
  name,
  colour,
  contactUrl,
  createdAt,
});

const keyJson = (key: ApiKey) => ({
  id: key.id,
  merchantId: key.merchantId,
  name: key.name,
  mode: key.mode,
  scopes: key.scopes,
  apiVersion: key.apiVersion,
  allowedIps: key.allowedIps,
  endsWith: key.hint,
  createdAt: key.createdAt,
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
  lastUsedAt: key.lastUsedAt,
});

const KEY_COLUMNS = ['id', 'mode', 'ends with', 'scopes', 'version', 'last used', 'state', 'name'];

function keyRow(key: ApiKey): string[] {
  const { id, mode, hint, apiVersion, lastUsedAt, name } = key;
  const used = lastUsedAt ? day(lastUsedAt) : 'never';
  return [id, mode, hint, key.scopes.join(' '), apiVersion, used, stateOf(key), name];
}

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt) return `revoked ${day(revokedAt)}`;
  if (!expiresAt) return 'usable';
  return `${expiresAt.getTime() > Date.now() ? 'expires' : 'expired'} ${day(expiresAt)}`;
}
