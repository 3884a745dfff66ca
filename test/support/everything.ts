import type { TestApp } from './app.js';
import type { OrderJson } from './client.js';
import { select } from './facts.js';

type Row = Record<string, unknown>;

/** What a row says, without ids and tokens, which are the row's own. */
function nameless(row: Row): Row {
  const says = JSON.stringify(row, (name, value: unknown) =>
    /(^|_)(id|txid|token|reference|url|body|hash|position|erased_at)$/i.test(name)
      ? typeof value
      : value,
  );
  return JSON.parse(
    says.replaceAll(/[0-9a-f-]{36}/g, 'id').replaceAll(/RF\d{18}/g, 'reference'),
  ) as Row;
}

/** All that stands in the tables about an order. */
export async function everythingOf(app: TestApp, { txid }: Pick<OrderJson, 'txid'>): Promise<Row> {
  const rows = async (sql: string) => (await select(app, sql, [txid])).map(nameless);
  return {
    order: await rows('SELECT * FROM orders WHERE txid = $1'),
    payments: await rows(
      'SELECT * FROM payments WHERE txid = $1 ORDER BY completes_order, amount_received',
    ),
    transfers: await rows('SELECT * FROM transfers WHERE txid = $1 ORDER BY kind, amount, credit'),
    events: await rows('SELECT * FROM events WHERE txid = $1 ORDER BY sequence'),
    deliveries: await rows(
      'SELECT * FROM deliveries WHERE txid = $1 ORDER BY type, sequence, endpoint_id',
    ),
    messages: await rows(
      `SELECT e.* FROM provider_events e JOIN payments p ON p.id = e.payment_id WHERE p.txid = $1`,
    ),
    allocations: await rows('SELECT * FROM bank_allocations WHERE txid = $1 ORDER BY amount'),
  };
}
