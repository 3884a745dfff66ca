import type { DataSource } from 'typeorm';

/** Shorter words may stand in a log by chance. */
const WORD = /[\w.@+-]{10,}/g;

/** Whatever opens something, and who the payers and customers are. */
const SECRETS = `
  SELECT page_token AS secret FROM orders
  UNION SELECT customer_email FROM orders
  UNION SELECT customer_name FROM orders
  UNION SELECT payer_account_number FROM payments
  UNION SELECT payer_account_name FROM payments
  UNION SELECT callback_secret FROM provider_accounts
  UNION SELECT reference FROM sandbox_transactions`;

/** Every secret that the database knows; none when it is away. */
export async function secretsIn(dataSource: DataSource): Promise<string[]> {
  const rows = await dataSource
    .query<{ secret: string | null }[]>(SECRETS)
    .catch(() => [] as { secret: string | null }[]);
  return rows.flatMap(({ secret }) => secret ?? []);
}

/** Words of the secrets that stand in the log. */
export function leaked(secrets: readonly string[], log: readonly string[]): string[] {
  const words = new Set(log.flatMap((line) => line.match(WORD) ?? []));
  return secrets.flatMap((secret) => secret.match(WORD) ?? []).filter((word) => words.has(word));
}
