import path from 'node:path';
import { readBic, readIban } from '../common/money/iban.js';
import { type DatabaseLocation, parseDatabaseUrl } from './database-location.js';
import { parseNetworks, parseTrustProxy } from './networks.js';
import { flag, integer, oneOf, type Standard, urlOf, type Variable } from './variable.js';

/** Every setting, in the order of `.env.example`. The only list of them. */
export const VARIABLES = {
  PORT: integer(1, 65535, 3000, 'TCP port to listen on.'),
  HOST: {
    standard: '127.0.0.1',
    help: 'Address to listen on; 0.0.0.0 to be reachable from other machines.',
    expects: 'a host name or an IP address',
    parse: (text) => (/^[\w.:-]{1,255}$/.test(text) ? text : undefined),
  } as Standard<string>,
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
  } as Standard<DatabaseLocation>,
  DATABASE_POOL: integer(
    1,
    100,
    10,
    'Connections to PostgreSQL for requests of one process; downloads and background work take 9 more at most.',
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
  MAX_CONNECTIONS_PER_IP: integer(
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
  } as Standard<number | string[] | false>,
  ROLE: oneOf(
    ['all', 'api', 'worker'],
    'all',
    'api = serves requests; worker = runs the background work (expiry, polling, e-mail, webhooks) and serves nothing but health and metrics; all = both.',
  ),
  SHUTDOWN_GRACE_SECONDS: integer(
    0,
    300,
    5,
    'Seconds after SIGTERM during which requests are still served while /health/ready answers 503.',
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
  } as Standard<string>,
  MAIL_FOLDER: {
    standard: './data/mail',
    help: 'Folder for mails, one .eml file each, while there is no SMTP_URL.',
    expects: 'a folder',
    parse: (text) => path.resolve(text),
  } as Standard<string>,
  WEBHOOK_ALLOWED_NETWORKS: {
    standard: '',
    help: 'Private networks that webhooks may reach, such as 10.1.0.0/16, over http too; 127.0.0.0/8 is this machine.',
    expects: 'IP addresses or networks separated by commas',
    parse: parseNetworks,
  } as Standard<readonly string[]>,
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
  STATEMENT_FOLDER: {
    help: 'Folder that is watched for bank statements: they come in from its folder in, and go to done or refused.',
    expects: 'a folder',
    parse: (text) => path.resolve(text),
  } as Variable<string>,
  STATEMENT_FOLDER_MODE: {
    help: 'Mode of the statements in that folder, live or test; has to be set with it.',
    expects: 'live or test',
    parse: (text) => (['live', 'test'] as const).find((mode) => mode === text),
  } as Variable<'live' | 'test'>,
  STATEMENT_FOLDER_PROFILE: {
    help: 'How CSV in that folder is read: the name of a profile, or a file with one.',
    expects: 'the name of a profile, or a file',
    parse: (text) => text,
  } as Variable<string>,
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
  PAYER_RETENTION_DAYS: integer(
    1,
    36_500,
    3_650,
    'Days after which payers and customers are erased from orders with money; the money stays.',
  ),
  UNKNOWN_OUTCOME_DAYS: integer(
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
  } as Standard<string>,
} as const satisfies Record<string, Variable<unknown>>;

/** Renamed variables with their replacements. The service does not start with one of them. */
export const RENAMED_VARIABLES: Readonly<Record<string, string>> = {
  CONNECTIONS_EACH: 'MAX_CONNECTIONS_PER_IP',
  JOBS: 'ROLE (all, api or worker)',
  OUTCOME_DAYS: 'UNKNOWN_OUTCOME_DAYS',
  PAYER_DAYS: 'PAYER_RETENTION_DAYS',
  STOP_GRACE: 'SHUTDOWN_GRACE_SECONDS',
  WEBHOOK_ALLOW: 'WEBHOOK_ALLOWED_NETWORKS',
};
