import { uuidv7 } from '../../src/common/ids.js';
import { Database } from '../../src/database/database.js';
import { LedgerRepository } from '../../src/database/ledger/ledger.repository.js';
import type { TransferKind } from '../../src/database/ledger/transfer.entity.js';
import type { Payout } from '../../src/database/payouts/payout.entity.js';
import { PayoutRepository } from '../../src/database/payouts/payout.repository.js';
import { PAYMENT_ATTEMPTS_MAX } from '../../src/database/payments/payment.entity.js';
import { TakeBackService } from '../../src/payments/take-back.service.js';
import { Sweeper } from '../../src/payments/sweeper.js';
import { ApprovalsService } from '../../src/payouts/approvals.service.js';
import { PayoutFilesService } from '../../src/payouts/payout-files.service.js';
import { PayoutsService } from '../../src/payouts/payouts.service.js';
import type { TestApp } from './app.js';
import { allocationOf, bookedLine, credited, OWN_ACCOUNT, told } from './bank-lines.js';
import { Bank, startPayment } from './bank.js';
import type { Client, OrderJson } from './client.js';
import { subscribe } from './delivery-rows.js';
import { paidUnnamed } from './bank-refunds.js';
import { select } from './facts.js';
import { readAll } from './feed.js';
import { enableLiveProvider } from './live.js';
import { Cashier, chargeFee, paidOrder } from './payouts.js';
import { signedIn } from './people.js';
import { sentBack, takenBack } from './refunds.js';
import { collectLive } from './transfers.js';

const MINUTE_MS = 60_000;

/** One merchant to whom everything has happened that can. */
export async function liveRichly(app: TestApp): Promise<Cashier> {
  const shop = await app.merchant({ name: 'Rich life' });
  await subscribe(app, shop);
  app.clock.advance(10 * MINUTE_MS);
  await orders(app, shop);
  const cashier = await Cashier.of(app, shop);
  await transfers(app, shop);
  await fallIntoDebt(app);
  await payouts(cashier);
  await enableLiveProvider(app, shop.merchantId);
  await collectLive(app, 'NL91ABNA0417164300');
  await (await app.key(shop.merchantId, { mode: 'live' })).order();
  await signedIn(app, cashier.owner);
  await deliver(app, shop);
  await readAll(shop);
  await shop.create({ optionalFields: { colour: 'red' } }, { 'idempotency-key': 'k' });
  await startPayment(app, await shop.order());
  await paidOrder(shop, 700);
  await refunds(shop);
  return cashier;
}

/** Orders of all ends, and money of all kinds. */
async function orders(app: TestApp, shop: Client): Promise<void> {
  const bank = await Bank.of(app, shop);
  const hear = async (order: OrderJson, payment: string, changes: object = {}): Promise<void> => {
    await bank.send(bank.message(order, payment, 'booked', changes));
    await bank.settled();
  };
  await chargeFee(app, shop, 29_000, 30);
  for (let n = 0; n < 5; n++) await paidOrder(shop, 1_000);
  await paidOrder(shop, 1_000, { received: 1_100 });
  const part = await paidOrder(shop, 1_000, { received: 400 });
  await shop.pay(part.txid);
  await paidOrder(shop, 900, { currency: 'USD' });

  const twice = await shop.order({ amount: 500 });
  const declined = await startPayment(app, twice);
  await bank.send(bank.message(twice, declined, 'refused'));
  await bank.settled();
  await shop.pay(twice.txid);
  await hear(twice, declined);

  const foreign = await shop.order({ amount: 500 });
  const dollars = await startPayment(app, foreign);
  await hear(foreign, dollars, { currency: 'USD' });
  await hear(foreign, dollars);

  const failed = await shop.order();
  for (let n = 0; n < PAYMENT_ATTEMPTS_MAX; n++)
    await shop.pay(failed.txid, { outcome: 'declined' });
  await shop.cancel((await shop.order()).txid);

  const late = await shop.order();
  const payment = await startPayment(app, late);
  await paidOrder(shop, 1_000, { received: 300 });
  app.clock.advance(61 * MINUTE_MS);
  await app.get(Sweeper).run();
  await hear(late, payment);
  await sendBack(app, shop);
}

/** Refunds of all ends. */
async function refunds(shop: Client): Promise<void> {
  const order = await paidOrder(shop, 1_000, { received: 1_020 });
  for (const outcome of ['succeeded', 'failed', 'returned', 'silent']) {
    const path = `/api/order/${order.txid}/refund`;
    const { body } = await shop.call('POST', path, { amount: 100, reason: 'Broken' });
    await shop.call('POST', `/api/test-helpers/refund/${String(body['id'])}`, { outcome });
  }
  await shop.call('POST', `/api/order/${order.txid}/refund`, { amount: 50 });
}

/** Money of an order that ended, and of one that is paid, goes back; once it was a mistake. */
async function sendBack(app: TestApp, shop: Client): Promise<void> {
  const over = await paidOrder(shop, 1_000, { received: 1_300 });
  const refund = (amount: number) => sentBack(app, shop, over, { amount });
  await refund(200);
  await refund(50);
  const sql = `SELECT * FROM transfers WHERE txid = $1 AND kind = 'refund' ORDER BY id LIMIT 1`;
  const [first] = await select<{ id: string }>(app, sql, [over.txid]);
  await takenBack(app, shop, first!.id, 'Typed for the wrong order');
}

/** Money that came by a bank and stayed, or was taken back, by the bank and by a person. */
async function transfers(app: TestApp, shop: Client): Promise<void> {
  const paid = async (amount: number) => {
    const order = await shop.order({ amount: 1_000 });
    await told(app, shop, order);
    return credited(app, shop, order, amount);
  };
  const stays = await paid(1_000);
  await shop.call('POST', `/api/order/${stays.payment.txid}/refund`, { amount: 100 });
  const unnamed = await paidUnnamed(app, shop);
  await shop.call('POST', `/api/order/${unnamed.txid}/refund`, { amount: 100 });
  const returned = await paid(1_000);
  const undone = await paid(400);
  const back = await bookedLine(app, { amount: 1_000, direction: 'out', kind: 'return' });
  await takenFrom(app, returned, back.id);
  await takenFrom(app, undone);
  const lines = [stays.line, returned.line, undone.line, back];
  await storeStatement(
    app,
    lines.map(({ id }) => id),
    1_400,
  );
  await select(
    app,
    `UPDATE bank_lines SET looked_at = created_at, state = CASE
       WHEN id = $1 THEN 'unmatched' WHEN id = $2 THEN 'not_a_payment' ELSE state END`,
    [undone.line.id, back.id],
  );
}

async function takenFrom(
  app: TestApp,
  { payment }: Awaited<ReturnType<typeof credited>>,
  lineId?: string,
): Promise<void> {
  const { merchantId, id: paymentId } = payment;
  const found = await allocationOf(app, { merchantId, paymentId });
  const outcome = await app.get(Database).transaction((tx) => {
    const service = app.get(TakeBackService);
    const now = app.clock.now();
    if (lineId === undefined) return service.undo(tx, found!, now);
    return service.takeBack(tx, found!, { lineId, amount: found!.amount, saidBy: null }, now);
  });
  if (outcome !== 'taken_back') throw new Error(`the money is ${outcome}`);
}

/** A statement with these lines, whose balances follow from them. */
async function storeStatement(app: TestApp, lines: readonly string[], sum: number): Promise<void> {
  const id = uuidv7(app.clock.now().getTime());
  await select(
    app,
    `WITH file AS (
       INSERT INTO bank_files (id, mode, sha256, name, size, format, source, warnings, created_at,
         imported_at)
       VALUES ($1, 'test', sha256(convert_to($1::uuid::text, 'UTF8')), 'a.xml', 1, 'camt', 'cli', '[]', $2, $2) RETURNING id
     ), statement AS (
       INSERT INTO bank_statements (id, mode, file_id, number, format, account, currency,
         opening_balance, closing_balance, balanced, created_at)
       SELECT $1, 'test', id, 0, 'camt', '${OWN_ACCOUNT}', 'EUR', 0, $3, true, $2 FROM file
       RETURNING id
     )
     INSERT INTO bank_line_places (statement_id, entry, detail, line_id)
     SELECT s.id, l.place, 0, l.id
     FROM statement s, unnest($4::uuid[]) WITH ORDINALITY l (id, place)`,
    [id, app.clock.now(), sum, lines],
  );
}

/** Payouts of all ends. */
async function payouts(cashier: Cashier): Promise<void> {
  const { app, scope, account, owner } = cashier;
  const service = app.get(PayoutsService);
  const files = app.get(PayoutFilesService);
  const approvals = app.get(ApprovalsService);
  const balance = { ...scope, currency: 'EUR' };
  const wish = { amount: 50, bankAccountId: account.id };

  const returned = await cashier.paid(1_500);
  await cashier.returned(returned, 'Account closed');
  await booked(cashier, await cashier.paid(1_200));
  await checkpoint(cashier);
  await cashier.takeBack(await transferOf(cashier, 'fee'), 'A gift');
  for (const end of ['failed', 'returned'] as const) {
    const payout = await cashier.exported(300);
    await files.submitted(payout.fileId!);
    await files.ended(payout, end, 'No such account', owner.id);
    app.clock.advance(1_000);
  }
  const unsent = await cashier.exported(250);
  await files.notSent(unsent.fileId!, owner.id);
  await approvals.reject(scope, unsent.id, 'Not now');
  await service.cancel(scope, (await cashier.request(220)).id);
  await service.cancel(scope, (await service.draft(balance, wish, cashier.owner.id)).id);
  await service.draft(balance, wish, cashier.owner.id);
  await files.submitted((await cashier.exported(210)).fileId!);
  await cashier.exported(190);
  await cashier.approve(await cashier.request(180));
  const changed = await cashier.request(170);
  await service.change(scope, changed.id, { amount: 900, bankAccountId: account.id }, owner.id);
  const status = await app.get(PayoutRepository).find(scope, changed.id);
  if (status?.amount !== 900) throw new Error('the payout was not changed');
}

/** A statement says that the payout left. */
async function booked({ app }: Cashier, { merchantId, id, amount }: Payout): Promise<void> {
  const line = await bookedLine(app, { amount, direction: 'out', kind: 'other' });
  await select(
    app,
    `INSERT INTO bank_payout_lines (merchant_id, payout_id, direction, line_id, created_at)
     VALUES ($1, $2, 'out', $3, $4)`,
    [merchantId, id, line.id, app.clock.now()],
  );
  await select(
    app,
    `UPDATE bank_lines SET state = 'not_a_payment', reason = 'payout_paid', looked_at = created_at
     WHERE id = $1`,
    [line.id],
  );
}

/** Another merchant, who owes what was paid out and then taken back. */
async function fallIntoDebt(app: TestApp): Promise<void> {
  const cashier = await Cashier.of(app, await app.merchant());
  await paidOrder(cashier.shop, 1_000);
  await cashier.paid(1_000);
  await cashier.takeBack(await transferOf(cashier, 'payment'), 'Fraud');
}

async function transferOf({ app, shop }: Cashier, kind: TransferKind): Promise<string> {
  const sql = 'SELECT id FROM transfers WHERE merchant_id = $1 AND kind = $2 ORDER BY id LIMIT 1';
  return (await select<{ id: string }>(app, sql, [shop.merchantId, kind]))[0]!.id;
}

/** Some transfers are counted, and those after them are not. */
async function checkpoint({ app, scope }: Cashier): Promise<void> {
  const rows = await app.get(LedgerRepository).checkpoint({ ...scope, currency: 'EUR' });
  if (rows === 0) throw new Error('nothing was counted');
}

/** Everything on its way arrives at the first attempt, but for one webhook that never does. */
async function deliver(app: TestApp, { merchantId }: Client): Promise<void> {
  const now = app.clock.now();
  const done = `SET next_attempt_at = NULL, completed_at = $1`;
  const ATTEMPT = `INSERT INTO delivery_attempts
    (merchant_id, delivery_id, number, started_at, duration_ms, succeeded, error)`;
  await select(
    app,
    `WITH lost AS (
       UPDATE deliveries ${done}, status = 'failed', attempts = 10 WHERE id =
         (SELECT id FROM deliveries WHERE merchant_id = $2 AND endpoint_id IS NOT NULL
          ORDER BY id LIMIT 1)
       RETURNING merchant_id, id
     ) ${ATTEMPT} SELECT merchant_id, id, n, $1, 5, false, 'refused' FROM lost, generate_series(1, 10) n`,
    [now, merchantId],
  );
  await select(
    app,
    `WITH sent AS (
       UPDATE deliveries ${done}, status = 'delivered', attempts = 1 WHERE status = 'pending'
       RETURNING merchant_id, id
     ) ${ATTEMPT} SELECT merchant_id, id, 1, $1, 5, true, NULL FROM sent`,
    [now],
  );
  await select(
    app,
    'UPDATE bank_account_notices SET next_attempt_at = NULL, sent_at = $1 WHERE sent_at IS NULL',
    [now],
  );
}
