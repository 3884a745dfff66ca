import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { bookedLine } from './support/bank-lines.js';
import { onPostgres } from './support/database.js';
import { select } from './support/facts.js';
import { insertPayouts } from './support/order-list-payouts.js';
import { openShop } from './support/shop.js';

const LINES = 50_000;
const WAITING = 60;
/** Milliseconds. Reading all lines of the payout again for each waiting line took 4,000. */
const LIMIT = 1_500;

const { app, shop } = await openShop();

onPostgres(it, 'the embedded database is slower')(
  'the lines of a large payout are read once, however many bank lines wait',
  async () => {
    const [payout] = await insertPayouts(app, [shop.merchantId]);
    await app.get(DataSource).transaction(async (tx) => {
      // Without the transfers that the lines name.
      await tx.query('SET LOCAL session_replication_role = replica');
      await tx.query(
        `INSERT INTO payout_lines (merchant_id, payout_id, number, kind, transfer_id, txid, amount)
         SELECT $1, $2, n, 'order', gen_random_uuid(), gen_random_uuid(), 1 FROM generate_series(1, $3::integer) n`,
        [shop.merchantId, payout!.id, LINES],
      );
    });
    for (let n = 0; n < WAITING; n++) {
      const endToEndId = randomUUID();
      await bookedLine(app, { account: 'Other', amount: 1 + n, direction: 'out', endToEndId });
    }
    await select(app, `UPDATE bank_lines SET state = 'unmatched'`);
    const begun = performance.now();
    const [answer] = await select<{ left: boolean }>(app, 'SELECT left_before($1, $2) AS left', [
      shop.merchantId,
      payout!.id,
    ]);
    expect(answer).toEqual({ left: false });
    expect(performance.now() - begun).toBeLessThan(LIMIT);
  },
  60_000,
);
