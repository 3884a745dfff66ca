import path from 'node:path';
import { readBic, readIban } from '../common/iban.js';
import { type DatabaseLocation, parseDatabaseUrl } from './database-location.js';
import { parseNetworks, parseTrustProxy } from './networks.js';
import { FOLDER_VARIABLES, type StatementFolder, statementFolderOf } from './statement-folder.js';
import { flag, integer, oneOf, urlOf, type Variable } from './variable.js';

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
    help: 'postgres://… for real use, with ?pooler=transaction behind such a pooler; file:FOLDER or memory: for the embedded database.',
    expects: 'postgres://… (?pooler=transaction or no such word), file:FOLDER or memory:',
    parse: parseDatabaseUrl,
  } as Variable<DatabaseLocation>,
  DATABASE_POOL: integer(
    1,
    100,
    10,
    'Connections to PostgreSQL for requests of one process; downloads and background work take 11 more at most.',
  ),
  LIVE_ON_EMBEDDED: flag(
    'off',
    'Allows live keys where a power loss can take data: on the embedded database, or on PostgreSQL with fsync or the like off.',
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
  RATE_PAGES: integer(
    1,
    100_000,
    60,
    'Requests per minute and address, for payment pages, their live updates, the sandbox bank and the documents each.',
  ),
  RATE_SIGN_INS: integer(1, 100_000, 5, 'Wrong tries to sign in per minute, address and account.'),
  CONNECTIONS_MAX: integer(10, 1_000_000, 10_000, 'Connections of clients to one process.'),
  CONNECTIONS_EACH: integer(
    1,
    1_000_000,
    1_000,
    'Connections of one address; those of TRUST_PROXY are not counted.',
  ),
  LOG_LEVEL: oneOf(
    ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
    'info',
    'Least important kind of line that is logged.',
  ),
  TRUST_PROXY: {
    standard: 'off',
    help: 'Reverse proxies whose X-Forwarded-For is believed: a number of hops or their addresses.',
    expects:
      'off, a number of hops from 1 to 9, or IP addresses separated by commas: never networks wider than /8 (IPv6: /16), which hold strangers',
    parse: parseTrustProxy,
  } as Variable<number | string[] | false>,
  JOBS: oneOf(
    ['on', 'off', 'only'],
    'on',
    'Background work (expiry, look-again, e-mail, webhooks) in this process; with only, it serves nothing but health and metrics.',
  ),
  STOP_GRACE: integer(
    0,
    300,
    5,
    'Seconds after SIGTERM in which requests are still served while /health/ready says 503.',
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
    help: 'Private networks that webhooks may reach all the same, such as 10.1.0.0/16, by http too; 127.0.0.0/8 is this machine.',
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
  ...FOLDER_VARIABLES,
  SINGLE_OPERATOR: flag(
    'off',
    'on = while no other operator can sign in, a waiting time and mails stand in for the second person. off = two people approve what moves live money.',
  ),
  SECOND_PERSON_WAIT_HOURS: integer(
    1,
    720,
    24,
    'Hours that an approval by a single operator waits, and a change of where payers transfer money.',
  ),
  PAYER_DAYS: integer(
    1,
    36_500,
    3_650,
    'Days after which payers and customers are erased from orders with money; the money stays.',
  ),
  OUTCOME_DAYS: integer(
    1,
    30,
    5,
    'Days on which a provider that does not say how a payment ended is asked once more, after the first 7 hours; then the order ends unpaid.',
  ),
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
  abstract readonly connections: { readonly max: number; readonly perAddress: number };
  abstract readonly logLevel: string;
  abstract readonly trustProxy: number | string[] | false;
  /** Whether background work runs in this process, and whether it is all that does. */
  abstract readonly jobs: 'on' | 'off' | 'only';
  /** Milliseconds from SIGTERM to the end of service. */
  abstract readonly stopGraceMs: number;
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
  abstract readonly statementFolder: StatementFolder | undefined;
  /** Whether a waiting time and mails stand in for the second person. */
  abstract readonly singleOperator: boolean;
  /** Hours. */
  abstract readonly secondPersonWaitHours: number;
  abstract readonly demo: boolean;
  abstract readonly demoFile: string;
  /** Days. */
  abstract readonly payerDays: number;
  abstract readonly outcomeDays: number;
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
    connections: {
      max: required('CONNECTIONS_MAX'),
      perAddress: required('CONNECTIONS_EACH'),
    },
    logLevel: required('LOG_LEVEL'),
    trustProxy: required('TRUST_PROXY'),
    jobs: required('JOBS'),
    stopGraceMs: required<number>('STOP_GRACE') * 1_000,
    mail: {
      smtpUrl: optional('SMTP_URL', VARIABLES.SMTP_URL),
      from: required('MAIL_FROM'),
      folder: required('MAIL_FOLDER'),
    },
    webhookAllow: required('WEBHOOK_ALLOW'),
    payoutAccount:
      payoutName && payoutIban ? { name: payoutName, iban: payoutIban, bic } : undefined,
    statementFolder: statementFolderOf(optional, faults),
    singleOperator: required('SINGLE_OPERATOR'),
    secondPersonWaitHours: required('SECOND_PERSON_WAIT_HOURS'),
    payerDays: required('PAYER_DAYS'),
    outcomeDays: required('OUTCOME_DAYS'),
    demo: required('DEMO'),
    demoFile: required('DEMO_FILE'),
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}
