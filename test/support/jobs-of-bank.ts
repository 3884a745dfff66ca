import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BankBalanceService } from '../../src/bank/import/balance.service.js';
import { FileTries } from '../../src/bank/import/file-tries.js';
import { BankImportService } from '../../src/bank/import/import.service.js';
import { MatcherService } from '../../src/bank/matching/matcher.service.js';
import { MissingStatements } from '../../src/bank/import/missing-statements.js';
import { BankProfiles } from '../../src/bank/import/profiles.js';
import { WatchedFolder } from '../../src/bank/import/watched-folder.js';
import { CollectionAccountChangesService } from '../../src/collection-accounts/collection-account-changes.service.js';
import { CollectionAccountsService } from '../../src/collection-accounts/collection-accounts.service.js';
import { withoutDashes } from '../../src/common/ids.js';
import { Config } from '../../src/config/config.js';
import { AccountLookRepository } from '../../src/database/bank/collection-accounts/account-look.repository.js';
import type { BankLine } from '../../src/database/bank/lines/bank-line.entity.js';
import { BankLineRepository } from '../../src/database/bank/lines/bank-line.repository.js';
import { Sweeper } from '../../src/payments/sweeper.js';
import { PayoutsService } from '../../src/payouts/payouts.service.js';
import { camtFile, csvFile, mt940File, type WrittenEntry } from './bank-file.js';
import { bookedLine, credited, OWN_ACCOUNT, told } from './bank-lines.js';
import type { OrderJson } from './client.js';
import { withoutTriggers } from './facts.js';
import { proposer } from './live-accounts.js';
import { offerTransfers, TRANSFER_ACCOUNT } from './transfers.js';
import type { World } from './visits.js';
import { awaited, keptProfile } from './visits-of-bank.js';
import type { Jobs } from './visits-of-jobs.js';

const DAY_MS = 86_400_000;
/** No transfer is waited for so long. */
const WAITED_MS = 90 * DAY_MS;
/** An import of so long says that it goes on. */
const LONG_MS = 10_500;
const nothing = async (): Promise<void> => undefined;

/** What no request asks for, of transfers: jobs, and the services of the command line. */
export const jobsOfBank = (world: World): Jobs => ({
  ...statements(world),
  ...matching(world),
  ...accounts(world),
});

const dayOf = ({ app }: World): string => app.clock.now().toISOString().slice(0, 10);

const referenceOf = ({ payment }: OrderJson): string =>
  (payment as unknown as { transfer: { reference: string } }).transfer.reference;

function statements(world: World): Jobs {
  const { app } = world;
  const bring = (text: string) =>
    app
      .get(BankImportService)
      .import(
        { bytes: Buffer.from(text) },
        { mode: 'test', name: world.word('file'), source: 'cli' },
      );
  let account = '';
  let entries: WrittenEntry[] = [];
  const written = (more: object = {}) => ({
    account,
    day: dayOf(world),
    id: world.word('S'),
    entries,
    ...more,
  });
  let csv: string;
  let profile: string;
  return {
    'a statement that pays an order': {
      prepare: async () => {
        account = OWN_ACCOUNT;
        const order = await awaited(world);
        const reference = referenceOf(order);
        entries = [
          { amount: order.amount, reference, acctSvcrRef: world.word('REF') },
          { amount: 5, text: 'nothing that we know', acctSvcrRef: world.word('REF') },
          { amount: 7, text: world.word('order-of-nobody'), acctSvcrRef: world.word('REF') },
        ];
      },
      run: () => bring(camtFile('053', written())),
    },
    'statements that tell of the same bookings': {
      prepare: async () => {
        account = world.iban();
        const details = [1_000, 2_000].map((amount) => ({ amount, e2e: world.word('D') }));
        entries = [
          { amount: 3_000, acctSvcrRef: world.word('BATCH'), details },
          { amount: 400, acctSvcrRef: world.word('SINGLE'), text: 'Invoice' },
        ];
        const announced = entries.map((entry) => ({ ...entry, status: 'announced' as const }));
        await bring(camtFile('052', written({ entries: announced })));
      },
      run: async () => {
        await bring(mt940File(written()));
        await bring(camtFile('053', written()));
      },
    },
    'a watched folder': {
      prepare: async () => {
        account = world.iban();
        entries = [{ amount: 100, e2e: world.word('FOLDER') }];
        // Looked at twice: it has not changed in between.
        await app.get(WatchedFolder).look();
        const folder = app.get(Config).statementFolder!.path;
        await writeFile(
          path.join(folder, 'in', `${world.word('file')}.xml`),
          camtFile('053', written()),
        );
        await app.get(WatchedFolder).look();
      },
      run: () => app.get(WatchedFolder).look(),
    },
    'an import that takes long': {
      prepare: nothing,
      run: () => app.get(FileTries).run('test', randomBytes(32), () => sleep(LONG_MS)),
    },
    'an import that fails': {
      prepare: nothing,
      run: () =>
        app
          .get(FileTries)
          .run('test', randomBytes(32), () => Promise.reject(new Error('it fails')))
          .catch((error: Error) => {
            if (error.message !== 'it fails') throw error;
          }),
    },
    'cli statement import, of CSV': {
      prepare: async () => {
        profile = await keptProfile(world);
        csv = csvFile(written({ entries: [{ amount: 100, bankReference: world.word('CSV') }] }));
      },
      run: async () => {
        const read = await app.get(BankProfiles).find(profile);
        const options = { mode: 'test', name: 'a.csv', source: 'cli', profile: read } as const;
        return app.get(BankImportService).import({ bytes: Buffer.from(csv) }, options);
      },
    },
    'cli statement lines': {
      prepare: nothing,
      run: async () => {
        await app.get(AccountLookRepository).isKnown('test', OWN_ACCOUNT);
        return app.get(BankLineRepository).list({ mode: 'test' }, 10);
      },
    },
    'cli statement balance': {
      prepare: nothing,
      run: () =>
        app.get(BankBalanceService).days({ mode: 'test', account: null, from: null, until: null }),
    },
  };
}

function matching(world: World): Jobs {
  const { app, cashier, shop } = world;
  const match = () => app.get(MatcherService).matchNew();
  const toldOrder = async () => {
    const order = await shop.order({ amount: 1_000 });
    return { order, text: await told(app, shop, order) };
  };
  const nameLine = ({ id }: BankLine, name: string) =>
    world.select('UPDATE bank_lines SET end_to_end_id = $2 WHERE id = $1', [id, name]);
  return {
    'lines that pay orders': {
      prepare: async () => {
        await bookedLine(app, { amount: 600, text: (await toldOrder()).text });
        await bookedLine(app, { amount: 1_100, text: (await toldOrder()).text });
        const [one, other] = [await toldOrder(), await toldOrder()];
        await bookedLine(app, { amount: 2_000, text: `${one.text} ${other.text}` });
        const order = await awaited(world);
        const endToEndId = referenceOf(order);
        await bookedLine(app, { amount: order.amount, endToEndId });
      },
      run: match,
    },
    'lines that wait for a person': {
      prepare: async () => {
        const { orderMerchantId } = await shop.order({ amount: 1_000 });
        await bookedLine(app, { amount: 1_000, text: `Invoice ${orderMerchantId}` });
        await bookedLine(app, { amount: 10, text: 'Thank you' });
      },
      run: match,
    },
    'lines of payouts': {
      prepare: async () => {
        // A line of an earlier run that still waits would stop these payouts.
        await world.select(
          `UPDATE bank_lines SET state = 'ignored', reason = 'Of an earlier run'
           WHERE direction = 'out' AND state IN ('suggested', 'unmatched')`,
        );
        const exported = async (amount: number) => {
          const { id } = await cashier.approvedByAnother(amount);
          await cashier.export();
          return app.get(PayoutsService).find(cashier.scope, id);
        };
        const [paid, returned] = [await exported(50), await exported(60)];
        const [{ message }] = (await world.select<{ message: string }>(
          'SELECT message_id AS message FROM payout_files WHERE id = $1',
          [paid.fileId],
        )) as [{ message: string }];
        const left = { direction: 'out', kind: 'batch_total', endToEndId: null } as const;
        await bookedLine(app, {
          ...left,
          amount: paid.amount,
          identifiers: { messageId: message },
        });
        const endToEndId = withoutDashes(returned.id);
        const { amount, iban } = returned;
        const payee = { counterpartyAccount: iban } as const;
        await bookedLine(app, { amount, direction: 'out', kind: 'other', endToEndId, ...payee });
        await bookedLine(app, { amount, kind: 'return', returned: true, endToEndId, ...payee });
        const rent = { amount: amount + 1, text: 'Rent' };
        await bookedLine(app, { ...rent, direction: 'out', kind: 'other' });
        const elsewhere = await exported(70);
        await bookedLine(app, {
          account: world.iban(),
          amount: elsewhere.amount,
          direction: 'out',
          kind: 'other',
          endToEndId: withoutDashes(elsewhere.id),
          ...payee,
        });
      },
      run: match,
    },
    'lines that take a part of money back': {
      prepare: async () => {
        const back = { amount: 400, direction: 'out', kind: 'return' } as const;
        const named = await toldOrder();
        const { line } = await credited(app, shop, named.order, 1_000);
        const endToEndId = world.word('E2E');
        await nameLine(line, endToEndId);
        await bookedLine(app, { ...back, endToEndId });
        const { order, text } = await toldOrder();
        await credited(app, shop, order, 1_000);
        await bookedLine(app, { ...back, text });
      },
      run: match,
    },
    'a line that takes money back': {
      prepare: async () => {
        const { order } = await toldOrder();
        const { line } = await credited(app, shop, order, 1_000);
        const endToEndId = world.word('E2E');
        await nameLine(line, endToEndId);
        const back = { direction: 'out', kind: 'reversal', reversal: true } as const;
        await bookedLine(app, { amount: 1_000, ...back, endToEndId });
        const other = await credited(app, shop, (await toldOrder()).order, 1_000);
        const identifiers = { entryBankReference: world.word('BANK') };
        await world.select('UPDATE bank_lines SET identifiers = $2 WHERE id = $1', [
          other.line.id,
          JSON.stringify(identifiers),
        ]);
        await bookedLine(app, { amount: 1_000, ...back, identifiers });
      },
      run: match,
    },
  };
}

/** A change of the live accounts whose waiting time is over. */
async function confirmedChange(world: World): Promise<void> {
  const { app, operator } = world;
  const account = { ...TRANSFER_ACCOUNT, mode: 'live', account: world.iban() } as const;
  const change = await app
    .get(CollectionAccountChangesService)
    .proposeAdd(await proposer(app), account);
  await world.select(
    `UPDATE collection_account_changes SET confirmed_by = $2, confirmed_at = $3 WHERE id = $1`,
    [change!.id, operator.id, app.clock.now()],
  );
  await withoutTriggers(
    app,
    `UPDATE collection_account_changes SET proposed_at = proposed_at - $2::interval,
       confirmed_at = confirmed_at - $2::interval, effective_at = effective_at - $2::interval WHERE id = $1`,
    [change!.id, `${WAITED_MS} milliseconds`],
  );
}

function accounts(world: World): Jobs {
  const { app, shop } = world;
  return {
    'transfers that are waited for no longer': {
      prepare: async () => {
        await awaited(world);
        const order = await shop.order();
        await told(app, shop, order);
        await shop.cancel(order.txid);
      },
      run: async () => {
        app.clock.advance(WAITED_MS);
        const end = () => app.clock.advance(-WAITED_MS);
        await app.get(Sweeper).run().finally(end);
      },
    },
    'statements that do not come': {
      prepare: async () => {
        app.clock.advance(-WAITED_MS);
        const end = () => app.clock.advance(WAITED_MS);
        await offerTransfers(app, { mode: 'live', account: world.iban() }).finally(end);
      },
      run: () => app.get(MissingStatements).run(),
    },
    'changes of live accounts': {
      prepare: () => confirmedChange(world),
      run: () => app.get(CollectionAccountChangesService).run(),
    },
    'cli collection-account': {
      prepare: nothing,
      run: async () => {
        const accounts = app.get(CollectionAccountsService);
        const { id } = await offerTransfers(app, { account: world.iban(), currency: 'CHF' });
        await accounts.list();
        await accounts.disable(id);
      },
    },
  };
}
