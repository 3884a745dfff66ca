import { rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '../../src/config/config.js';
import { ServerTime } from '../../src/database/connection/server-time.js';
import { Database } from '../../src/database/database.js';
import { SeedRepository } from '../../src/database/demo/seed.repository.js';
import { LedgerRepository } from '../../src/database/ledger/ledger.repository.js';
import { MerchantRepository } from '../../src/database/merchants/merchant.repository.js';
import { WorkerEligibility } from '../../src/database/schema/worker-eligibility.js';
import { ExportWorker } from '../../src/exports/export-worker.js';
import { TableStatistics } from '../../src/database/schema/table-statistics.js';
import { Checkpoints } from '../../src/ledger/checkpoints.js';
import { FeesService } from '../../src/ledger/fees.service.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { ApiKeysService } from '../../src/merchants/api-keys.service.js';
import { DeprecatedCallsService } from '../../src/merchants/deprecated-calls.service.js';
import { MerchantsService } from '../../src/merchants/merchants.service.js';
import { DeliveryLogPurge } from '../../src/notifications/delivery-log-purge.js';
import { MailWorker } from '../../src/notifications/mail/mail-worker.js';
import { WebhookWorker } from '../../src/notifications/webhooks/webhook-worker.js';
import { DoctorJob } from '../../src/operations/doctor-job.js';
import { Sweeper } from '../../src/payments/sweeper.js';
import { RefundRunner } from '../../src/refunds/refund-runner.js';
import { ScheduledPayouts } from '../../src/payouts/scheduled-payouts.js';
import { AccountsService } from '../../src/people/accounts.service.js';
import { LinkMailer } from '../../src/people/mails/link-mailer.js';
import { UserNotices } from '../../src/people/mails/user-notices.js';
import { UsersService } from '../../src/people/users.service.js';
import { AccountNotices } from '../../src/portal/bank-accounts/account-notices.js';
import { ErasureService } from '../../src/retention/erasure.service.js';
import { RetentionJob } from '../../src/retention/retention-job.js';
import { SandboxCallbacksService } from '../../src/sandbox-bank/sandbox-callbacks.service.js';
import { startPayment } from './bank.js';
import { jobsOfBank } from './jobs-of-bank.js';
import { jobsOfSecondPerson } from './jobs-of-second-person.js';
import { paidOrder } from './payouts.js';
import { BROKEN, GONE, sent, type Visits, type World } from './visits.js';

export interface Job {
  /** Makes something that is due. */
  readonly prepare: () => Promise<unknown>;
  readonly run: () => Promise<unknown>;
}
export type Jobs = Readonly<Record<string, Job>>;

const MINUTE_MS = 60_000;
/** Nothing about a payer is kept so long, nor is a session. */
const KEPT_MS = 4_000 * 86_400_000;
const PAYER = 'payer@else.example';
const nothing = async (): Promise<void> => undefined;

/** What no request asks for: jobs, and the services of the command line. */
export const jobsOf = (world: World, visits: Visits): Jobs => ({
  ...payments(world, visits),
  ...notifications(world, visits),
  ...upkeep(world, visits),
  ...commands(world),
  ...jobsOfBank(world),
  ...jobsOfSecondPerson(world),
});

function payments(world: World, visits: Visits): Jobs {
  const { app, shop, cashier } = world;
  return {
    'the sweep': {
      prepare: async () => {
        await shop.order();
        await shop.pay((await shop.order()).txid);
        await world.select(
          `UPDATE provider_events SET applied_at = NULL, result = NULL WHERE id =
             (SELECT id FROM provider_events WHERE merchant_id = $1 ORDER BY id DESC LIMIT 1)`,
          [shop.merchantId],
        );
        await startPayment(app, await shop.order());
        app.clock.advance(61 * MINUTE_MS);
      },
      run: () => app.get(Sweeper).run(),
    },
    refunds: {
      prepare: async () => {
        const { txid } = await shop.order();
        await shop.pay(txid);
        await shop.call('POST', `/api/order/${txid}/refund`, {});
      },
      run: () => app.get(RefundRunner).run(),
    },
    'callbacks of the sandbox bank': {
      prepare: async () => {
        await shop.pay((await shop.order()).txid, { afterSeconds: 5 });
        app.clock.advance(MINUTE_MS / 2);
      },
      run: () => app.get(SandboxCallbacksService).sendDue(),
    },
    'scheduled payouts': {
      prepare: async () => {
        await paidOrder(shop, 5_000);
        await sent(app, await visits['POST /portal/m/:merchantId/:mode/payout-schedule']!());
        await world.select('UPDATE payout_schedules SET next_run_at = $1', [app.clock.now()]);
      },
      run: () => app.get(ScheduledPayouts).run(),
    },
    'table statistics': {
      prepare: nothing,
      run: () => app.get(TableStatistics).run(),
    },
    checkpoints: {
      prepare: nothing,
      run: () => app.get(Checkpoints).run(),
    },
    'a checkpoint': {
      prepare: () => paidOrder(shop, 700),
      run: () => app.get(LedgerRepository).checkpoint({ ...cashier.scope, currency: 'EUR' }),
    },
  };
}

/** While a file stands where the folder was. */
async function unwritable(folder: string, work: () => Promise<void>): Promise<void> {
  await rename(folder, `${folder}-aside`);
  await writeFile(folder, '');
  try {
    await work();
  } finally {
    await rm(folder);
    await rename(`${folder}-aside`, folder);
  }
}

function notifications(world: World, visits: Visits): Jobs {
  const { app, shop } = world;
  const mails = app.get(Config).mail.folder;
  const visit = async (name: string) => sent(app, await visits[name]!());
  const toReceiver = (path: string) =>
    world.select(
      `UPDATE webhook_endpoints SET url = $1, enabled = true, disabled_reason = NULL
       WHERE deleted_at IS NULL`,
      [world.hook + path],
    );
  const agreed = (at: Date | null) =>
    world.select('UPDATE notification_recipients SET confirmed_at = $1 WHERE deleted_at IS NULL', [
      at,
    ]);
  /** One order is told of, and nothing of what came before. */
  const fresh = async () => {
    await app.get(WebhookWorker).drain();
    await app.get(MailWorker).drain();
    await paidOrder(shop, 500);
  };
  return {
    webhooks: {
      prepare: fresh,
      run: () => app.get(WebhookWorker).drain(),
    },
    'webhooks to somebody who is gone': {
      prepare: async () => {
        await fresh();
        await toReceiver(GONE);
      },
      run: async () => {
        try {
          await app.get(WebhookWorker).drain();
        } finally {
          await toReceiver('');
        }
      },
    },
    'webhooks to somebody who fails, and answers again': {
      prepare: async () => {
        await fresh();
        await paidOrder(shop, 500);
      },
      run: async () => {
        const drain = () => app.get(WebhookWorker).drain();
        try {
          await toReceiver(BROKEN);
          await drain();
          app.clock.advance(MINUTE_MS);
          await drain();
        } finally {
          await toReceiver('');
        }
        app.clock.advance(MINUTE_MS);
        await drain();
        await drain();
      },
    },
    mails: {
      prepare: fresh,
      run: () => app.get(MailWorker).drain(),
    },
    'mails to somebody who did not agree': {
      prepare: async () => {
        await fresh();
        await agreed(null);
      },
      run: async () => {
        try {
          await app.get(MailWorker).drain();
        } finally {
          await agreed(app.clock.now());
        }
      },
    },
    'mails that nobody takes': {
      prepare: async () => {
        await fresh();
        await visit('POST /portal/reset');
        await visit('POST /portal/m/:merchantId/:mode/bank-accounts/new');
        await visit('POST /portal/m/:merchantId/:mode/team/members/:userId/role # an owner');
      },
      run: () =>
        unwritable(mails, async () => {
          await app.get(MailWorker).drain();
          await app.get(LinkMailer).run();
          await app.get(AccountNotices).run();
          await app.get(UserNotices).run();
        }),
    },
    'notices to people': {
      prepare: () => visit('POST /portal/m/:merchantId/:mode/team/members/:userId/role # an owner'),
      run: () => app.get(UserNotices).run(),
    },
    'mails of links': {
      prepare: () => visit('POST /portal/reset'),
      run: () => app.get(LinkMailer).run(),
    },
    'notices of bank accounts': {
      prepare: () => visit('POST /portal/m/:merchantId/:mode/bank-accounts/new'),
      run: () => app.get(AccountNotices).run(),
    },
    exports: {
      prepare: () => visit('POST /portal/m/:merchantId/:mode/exports'),
      run: () => app.get(ExportWorker).drain(),
    },
    'upkeep of exports': {
      prepare: async () => {
        await visit('POST /portal/m/:merchantId/:mode/exports');
        await app.get(ExportWorker).drain();
        await world.select('UPDATE exports SET told_at = NULL');
      },
      run: () => app.get(ExportWorker).upkeep(),
    },
    'open pages': {
      prepare: nothing,
      run: async () => {
        const order = await shop.order();
        const end = new AbortController();
        const headers = { 'x-visit': encodeURIComponent('open pages') };
        const page = await fetch(`${order.paymentPageUrl}/events`, { headers, signal: end.signal });
        await shop.cancel(order.txid);
        await sleep(600);
        end.abort();
        await page.text().catch(() => undefined);
      },
    },
  };
}

function upkeep(world: World, visits: Visits): Jobs {
  const { app, shop } = world;
  return {
    'what is kept no longer': {
      prepare: async () => {
        await shop.pay((await shop.order()).txid);
        await shop.cancel((await shop.order()).txid);
      },
      run: async () => {
        app.clock.advance(KEPT_MS);
        const end = () => app.clock.advance(-KEPT_MS);
        await app.get(RetentionJob).run().finally(end);
      },
    },
    'what a payer wants forgotten': {
      prepare: async () => {
        const customer = { email: PAYER };
        await shop.cancel((await shop.order({ customer })).txid);
      },
      run: () =>
        app.get(ErasureService).erase(shop.merchantId, { email: PAYER, account: null }, nothing),
    },
    eligibility: { prepare: nothing, run: () => app.get(WorkerEligibility).check() },
    // The service of a test has a clock of its own.
    'the time': { prepare: nothing, run: () => new ServerTime(app.get(Database)).now() },
    'the purge of deliveries': { prepare: nothing, run: () => app.get(DeliveryLogPurge).run() },
    'calls that are deprecated': {
      prepare: async () => sent(app, await visits['GET /api/order/:txid']!()),
      run: () => app.get(DeprecatedCallsService).flush(),
    },
    'the doctor': {
      prepare: () => world.select(`UPDATE doctor_reports SET due_at = '2000-01-01'`),
      run: () => app.get(DoctorJob).run(),
    },
  };
}

function commands(world: World): Jobs {
  const { app, shop } = world;
  const { merchantId } = shop;
  const fee = { merchantId, provider: 'sandbox', currency: 'USD', partsPerMillion: 1, fixed: 1 };
  let email = '';
  let transfer = '';
  return {
    'cli merchant list': { prepare: nothing, run: () => app.get(MerchantsService).list() },
    'cli key list': {
      prepare: nothing,
      run: () => app.get(ApiKeysService).list({ merchantId, mode: 'test' }),
    },
    'cli key revoke': {
      prepare: nothing,
      run: async () => app.get(ApiKeysService).revoke((await app.key(merchantId)).keyId),
    },
    'cli user list': { prepare: nothing, run: () => app.get(UsersService).list() },
    'cli user disable': {
      prepare: async () => (email = (await world.colleague()).email),
      run: () => app.get(AccountsService).close(email),
    },
    'cli user create': { prepare: nothing, run: () => world.colleague() },
    'cli fee set': { prepare: nothing, run: () => app.get(FeesService).set(fee) },
    'cli transfer reverse': {
      prepare: async () => {
        await paidOrder(shop, 400);
        const { id } = await world.one(
          `SELECT id FROM transfers WHERE merchant_id = $1 AND kind = 'payment' ORDER BY id DESC LIMIT 1`,
        );
        transfer = id;
      },
      run: async () => {
        const row = await app.get(LedgerRepository).find(merchantId, transfer);
        const note = 'A mistake';
        await app.get(Database).transaction((tx) => app.get(LedgerService).reverse(tx, row!, note));
      },
    },
    'cli seed-orders': {
      prepare: nothing,
      run: () =>
        app.get(SeedRepository).insert({
          merchantId,
          count: 3,
          days: 1,
          now: app.clock.now(),
          run: world.word('run'),
        }),
    },
    'the first start': {
      prepare: nothing,
      run: async () => {
        await app.get(MerchantRepository).count();
        await app.get(Database).transaction((tx) => app.get(MerchantRepository).lockIfNone(tx));
      },
    },
  };
}
