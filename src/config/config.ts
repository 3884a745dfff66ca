import path from 'node:path';
import { readBic, readIban } from '../common/iban.js';
import { isIpRange } from '../common/ip-allow-list.js';

/** Where the data lives: a PostgreSQL server, or the embedded database in a folder or in memory. */
export type DatabaseLocation =
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'memory' };

interface Variable<T> {
  /** Text that stands for a missing variable; undefined = may be missing. */
  readonly standard?: string;
  /** One sentence for `.env.example` and the README. */
  readonly help: string;
  /** Answers undefined when the text is not valid. */
  readonly parse: (text: string) => T | undefined;
  /** What a valid value looks like; named in the message about a bad one, which itself is never shown. */
  readonly expects: string;
}

const integer = (min: number, max: number, standard: number, help: string): Variable<number> => ({
  standard: String(standard),
  help,
  expects: `a whole number from ${min} to ${max}`,
  parse: (text) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
  },
});

const oneOf = <T extends string>(
  choices: readonly T[],
  standard: NoInfer<T>,
  help: string,
): Variable<T> => ({
  standard,
  help,
  expects: `one of ${choices.join(', ')}`,
  parse: (text) => choices.find((choice) => choice === text),
});

const flag = (standard: 'on' | 'off', help: string): Variable<boolean> => ({
  standard,
  help,
  expects: 'on or off (or 1 or 0)',
  parse: (text) => ({ on: true, '1': true, off: false, '0': false })[text],
});

const urlOf = (text: string, protocols: readonly string[]): string | undefined =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined;

function parseDatabaseUrl(text: string): DatabaseLocation | undefined {
  if (text === 'memory:') return { kind: 'memory' };
  if (text.startsWith('file:') && text.length > 5) {
    return { kind: 'folder', path: path.resolve(text.slice(5)) };
  }
  const url = urlOf(text, ['postgres:', 'postgresql:']);
  return url === undefined ? undefined : { kind: 'postgres', url };
}

/** `trustProxy` of Fastify: nobody, a number of hops, or addresses. Never "everybody". */
function parseTrustProxy(text: string): number | string[] | false | undefined {
  if (text === 'off') return false;
  if (/^[1-9]$/.test(text)) return Number(text);
  const addresses = text.split(',').map((address) => address.trim());
  return addresses.every((address) => /^[\da-fA-F.:]+(\/\d{1,3})?$/.test(address))
    ? addresses
    : undefined;
}

function parseNetworks(text: string): string[] | undefined {
  const networks = text.split(',').map((network) => network.trim());
  if (text === '') return [];
  return networks.every(isIpRange) ? networks : undefined;
}

/** Every setting, in the order of `.env.example`. The only list of them. */
export const VARIABLES = {
  PORT: integer(1, 65535, 3000, 'TCP port to listen on.'),
  HOST: {
    standard: '127.0.0.1',
    help: 'Address to listen on; 0.0.0.0 to be reachable from other machines.',
    expects: 'a host name or an IP address',
    parse: (text) => (/^[\w.:-]{1,255}$/.test(text) ? text : undefined),
  },
  PUBLIC_URL: {
    help: 'Address under which payers and merchants reach the service; http://HOST:PORT when left out.',
    expects: 'an http(s) URL',
    parse: (text) => urlOf(text, ['http:', 'https:'])?.replace(/\/+$/, ''),
  } as Variable<string>,
  DATABASE_URL: {
    standard: 'file:./data',
    help: 'postgres://… for real use; file:FOLDER or memory: for the embedded database.',
    expects: 'postgres://…, file:FOLDER or memory:',
    parse: parseDatabaseUrl,
  } as Variable<DatabaseLocation>,
  DATABASE_POOL: integer(1, 100, 10, 'Connections to PostgreSQL that one process may hold.'),
  LIVE_ON_EMBEDDED: flag(
    'off',
    'Allows live keys on the embedded database, which a power loss can damage.',
  ),
  REDIS_URL: {
    help: 'redis://… shares the rate limits between processes; without it each process counts alone.',
    expects: 'a redis:// or rediss:// URL',
    parse: (text) => urlOf(text, ['redis:', 'rediss:']),
  } as Variable<string>,
  RATE_LIMITS: flag('on', 'Switches the rate limits off, for load tests.'),
  RATE_WRITES: integer(
    1,
    100_000,
    20,
    'Writes per second and API key; bursts of twice as many pass.',
  ),
  RATE_READS: integer(
    1,
    100_000,
    50,
    'Reads per second and API key; bursts of twice as many pass.',
  ),
  RATE_PAGES: integer(1, 100_000, 60, 'Payment page requests per minute and address.'),
  RATE_SIGN_INS: integer(1, 100_000, 5, 'Tries to sign in per minute, address and account.'),
  LOG_LEVEL: oneOf(
    ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
    'info',
    'Least important kind of line that is logged.',
  ),
  TRUST_PROXY: {
    standard: 'off',
    help: 'Reverse proxies whose X-Forwarded-For is believed: a number of hops or their addresses.',
    expects: 'off, a number of hops from 1 to 9, or IP addresses separated by commas',
    parse: parseTrustProxy,
  } as Variable<number | string[] | false>,
  JOBS: oneOf(
    ['on', 'off', 'only'],
    'on',
    'Background work (expiry, look-again, e-mail, webhooks) in this process; with only, it serves nothing but health and metrics.',
  ),
  SMTP_URL: {
    help: 'smtp:// or smtps:// with user, password, host and port; without it mails are written to MAIL_FOLDER.',
    expects: 'an smtp:// or smtps:// URL',
    parse: (text) => urlOf(text, ['smtp:', 'smtps:']),
  } as Variable<string>,
  MAIL_FROM: {
    standard: 'no-reply@localhost',
    help: 'Address that mails come from.',
    expects: 'an e-mail address without a name',
    parse: (text) => (/^[^\s<>,;:"()@]+@[^\s<>,;:"()@]+$/.test(text) ? text : undefined),
  } as Variable<string>,
  MAIL_FOLDER: {
    standard: './data/mail',
    help: 'Folder for mails, one .eml file each, while there is no SMTP_URL.',
    expects: 'a folder',
    parse: (text) => path.resolve(text),
  } as Variable<string>,
  WEBHOOK_ALLOW: {
    standard: '',
    help: 'Private networks that webhooks may reach all the same, such as 10.1.0.0/16, by http too.',
    expects: 'IP addresses or networks separated by commas',
    parse: parseNetworks,
  } as Variable<readonly string[]>,
  PAYOUT_NAME: {
    help: 'Name of the bank account that payouts are paid from, as the bank knows it.',
    expects: '1 to 70 characters',
    parse: (text) => (text.length <= 70 ? text : undefined),
  } as Variable<string>,
  PAYOUT_IBAN: {
    help: 'IBAN of the bank account that payouts are paid from; without it none can be exported.',
    expects: 'a valid IBAN',
    parse: (text) => readIban(text) ?? undefined,
  } as Variable<string>,
  PAYOUT_BIC: {
    help: 'BIC of the bank account that payouts are paid from; most banks do not need it.',
    expects: 'a valid BIC',
    parse: (text) => readBic(text) ?? undefined,
  } as Variable<string>,
  DEMO: flag('off', 'Seeds an empty database with demo merchants, keys and users.'),
  DEMO_FILE: {
    standard: './data/demo.json',
    help: 'File that receives the secrets of the demo seed, readable by its owner only.',
    expects: 'a file path',
    parse: (text) => path.resolve(text),
  } as Variable<string>,
} as const satisfies Record<string, Variable<unknown>>;

/** The settings as the code reads them. */
export abstract class Config {
  abstract readonly port: number;
  abstract readonly host: string;
  abstract readonly publicUrl: string;
  abstract readonly database: DatabaseLocation;
  abstract readonly databasePool: number;
  abstract readonly liveOnEmbedded: boolean;
  abstract readonly redisUrl: string | undefined;
  abstract readonly rateLimits: boolean;
  abstract readonly rates: {
    readonly writes: number;
    readonly reads: number;
    readonly pages: number;
    readonly signIns: number;
  };
  abstract readonly logLevel: string;
  abstract readonly trustProxy: number | string[] | false;
  /** Whether background work runs in this process, and whether it is all that does. */
  abstract readonly jobs: 'on' | 'off' | 'only';
  abstract readonly mail: {
    readonly smtpUrl: string | undefined;
    readonly from: string;
    readonly folder: string;
  };
  /** Networks that webhooks may reach although they are not public. */
  abstract readonly webhookAllow: readonly string[];
  /** The account that payouts are paid from; undefined while name or IBAN is not set. */
  abstract readonly payoutAccount:
    { readonly name: string; readonly iban: string; readonly bic: string | null } | undefined;
  abstract readonly demo: boolean;
  abstract readonly demoFile: string;
}

/** Names every bad variable at once and what it should look like; never its value, which may be a secret. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(
      `The settings have ${faults.length === 1 ? 'a fault' : 'faults'}:\n- ${faults.join('\n- ')}`,
    );
    this.name = 'ConfigError';
  }
}

/** @throws ConfigError */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = [];
  const optional = <T>(name: keyof typeof VARIABLES, variable: Variable<T>): T | undefined => {
    const text = env[name] === undefined || env[name] === '' ? variable.standard : env[name];
    const value = text === undefined ? undefined : variable.parse(text);
    if (text !== undefined && value === undefined)
      faults.push(`${name} must be ${variable.expects}`);
    return value;
  };
  // A variable with a standard value is undefined only together with a fault, which ends the start below.
  const required = <T>(name: keyof typeof VARIABLES): T =>
    optional(name, VARIABLES[name] as Variable<unknown>) as T;

  const port = required<number>('PORT');
  const host = required<string>('HOST');
  const payoutName = optional('PAYOUT_NAME', VARIABLES.PAYOUT_NAME);
  const payoutIban = optional('PAYOUT_IBAN', VARIABLES.PAYOUT_IBAN);
  const bic = optional('PAYOUT_BIC', VARIABLES.PAYOUT_BIC) ?? null;
  const config: Config = {
    port,
    host,
    publicUrl:
      optional('PUBLIC_URL', VARIABLES.PUBLIC_URL) ??
      `http://${host?.includes(':') ? `[${host}]` : host}:${port}`,
    database: required('DATABASE_URL'),
    databasePool: required('DATABASE_POOL'),
    liveOnEmbedded: required('LIVE_ON_EMBEDDED'),
    redisUrl: optional('REDIS_URL', VARIABLES.REDIS_URL),
    rateLimits: required('RATE_LIMITS'),
    rates: {
      writes: required('RATE_WRITES'),
      reads: required('RATE_READS'),
      pages: required('RATE_PAGES'),
      signIns: required('RATE_SIGN_INS'),
    },
    logLevel: required('LOG_LEVEL'),
    trustProxy: required('TRUST_PROXY'),
    jobs: required('JOBS'),
    mail: {
      smtpUrl: optional('SMTP_URL', VARIABLES.SMTP_URL),
      from: required('MAIL_FROM'),
      folder: required('MAIL_FOLDER'),
    },
    webhookAllow: required('WEBHOOK_ALLOW'),
    payoutAccount:
      payoutName && payoutIban ? { name: payoutName, iban: payoutIban, bic } : undefined,
    demo: required('DEMO'),
    demoFile: required('DEMO_FILE'),
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}
