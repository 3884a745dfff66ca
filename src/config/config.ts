import { RENAMED_VARIABLES, VARIABLES } from './variables.js';
import type { Standard, Variable } from './variable.js';

/** Parsed values by the names of their variables; undefined = not set. */
type Values = {
  readonly [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name] extends Standard<infer T>
    ? T
    : (typeof VARIABLES)[Name] extends Variable<infer T>
      ? T | undefined
      : never;
};

/** Settings of the service, and their injection token. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export interface Config extends ReturnType<typeof configOf> {}
export abstract class Config {}

/** Lists all invalid variables and their formats. Never shows a value, which may be a secret. */
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
  const faults = Object.keys(RENAMED_VARIABLES)
    .filter((name) => env[name])
    .map((name) => `${name} is now called ${RENAMED_VARIABLES[name]}`);
  const valueOf = ([name, variable]: [string, Variable<unknown>]): [string, unknown] => {
    const text = env[name] || variable.standard;
    const value = text === undefined ? undefined : variable.parse(text);
    if (text !== undefined && value === undefined)
      faults.push(`${name} must be ${variable.expects}`);
    return [name, value];
  };
  // A variable with a default is undefined only if it is invalid, and then the check below throws.
  const values = Object.fromEntries(Object.entries(VARIABLES).map(valueOf)) as unknown as Values;
  if (env['STATEMENT_FOLDER'] && !env['STATEMENT_FOLDER_MODE'])
    faults.push('STATEMENT_FOLDER_MODE must be live or test, as there is a folder');
  if (faults.length > 0) throw new ConfigError(faults);
  return configOf(values);
}

function configOf(values: Values) {
  const { HOST: host, PORT: port, PAYOUT_NAME: payoutName, PAYOUT_IBAN: payoutIban } = values;
  const { STATEMENT_FOLDER: folder, STATEMENT_FOLDER_MODE: folderMode } = values;
  return {
    port,
    host,
    publicUrl: values.PUBLIC_URL ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    database: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    liveOnEmbedded: values.LIVE_ON_EMBEDDED,
    redisUrl: values.REDIS_URL,
    rateLimits: values.RATE_LIMITS,
    rates: {
      writes: values.RATE_WRITES,
      reads: values.RATE_READS,
      pages: values.RATE_PAGES,
      signIns: values.RATE_SIGN_INS,
    },
    connections: { max: values.CONNECTIONS_MAX, perAddress: values.MAX_CONNECTIONS_PER_IP },
    logLevel: values.LOG_LEVEL,
    trustProxy: values.TRUST_PROXY,
    role: values.ROLE,
    /** Milliseconds from SIGTERM to the end of service. */
    shutdownGraceMs: values.SHUTDOWN_GRACE_SECONDS * 1_000,
    mail: { smtpUrl: values.SMTP_URL, from: values.MAIL_FROM, folder: values.MAIL_FOLDER },
    /** Private networks that webhooks may reach. */
    webhookAllowedNetworks: values.WEBHOOK_ALLOWED_NETWORKS,
    /** Debtor account of payouts; undefined unless name and IBAN are set. */
    payoutAccount:
      payoutName && payoutIban
        ? { name: payoutName, iban: payoutIban, bic: values.PAYOUT_BIC ?? null }
        : undefined,
    /** Folder that is watched for bank statements. */
    statementFolder:
      folder && folderMode
        ? { path: folder, mode: folderMode, profile: values.STATEMENT_FOLDER_PROFILE }
        : undefined,
    /** Whether a waiting time and mails replace the second person. */
    singleOperator: values.SINGLE_OPERATOR,
    secondPersonWaitHours: values.SECOND_PERSON_WAIT_HOURS,
    payerRetentionDays: values.PAYER_RETENTION_DAYS,
    unknownOutcomeDays: values.UNKNOWN_OUTCOME_DAYS,
    demo: values.DEMO,
    demoFile: values.DEMO_FILE,
  };
}
