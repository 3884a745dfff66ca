import type { NewCollectionAccount } from '../../src/collection-accounts/account-fields.js';
import { CollectionAccountsService } from '../../src/collection-accounts/collection-accounts.service.js';
import { uuidv7 } from '../../src/common/ids.js';
import type { CollectionAccount } from '../../src/database/bank/collection-accounts/collection-account.entity.js';
import { Database } from '../../src/database/database.js';
import { MerchantRepository } from '../../src/database/merchants/merchant.repository.js';
import type { SignedInContext } from '../../src/people/portal-context.js';
import type { TestApp } from './app.js';
import { person, type Person } from './people.js';

const ADD = `INSERT INTO collection_account_changes (id, kind, account_id, currency, holder, account,
    bic, bank_name, proposed_from, proposed_at, confirmed_at, rule, effective_at, applied_at, position)
  SELECT id, 'add', id, currency, holder, account, bic, bank_name, 'test', created_at, created_at,
    'earlier', created_at, created_at, position FROM collection_accounts WHERE id = $1`;

const INSERT = `INSERT INTO collection_accounts (id, mode, currency, holder, account, bic, bank_name,
    position, created_at)
  SELECT $1, 'live', $2, $3, $4, $5, $6, coalesce(max(position) + 1, 0), $7
  FROM collection_accounts WHERE mode = 'live' AND currency = $2`;

/** A live account from before the rule of two operators, behind the back of the triggers; the one that is there already, if any. */
export async function liveAccount(
  app: TestApp,
  { currency, holder, account, bic, bankName }: Omit<NewCollectionAccount, 'mode'>,
): Promise<CollectionAccount> {
  const accounts = app.get(CollectionAccountsService);
  const there = (await accounts.list('live')).find(
    (each) => each.account === account && each.currency === currency && each.disabledAt === null,
  );
  if (there) return there;
  const now = app.clock.now();
  const id = uuidv7(now.getTime());
  await app.get(Database).transaction(async (tx) => {
    await tx.query(`SET LOCAL session_replication_role = 'replica'`);
    await tx.query(INSERT, [id, currency, holder, account, bic, bankName, now]);
    await tx.query(ADD, [id]);
  });
  accounts.clearShownCache();
  return (await accounts.get(id))!;
}

/** An operator as whoever proposes a change; past the portal. */
export const proposing = ({ id: userId }: Pick<Person, 'id'>): SignedInContext =>
  ({ session: { userId, id: null }, access: null, address: 'test' }) as unknown as SignedInContext;

/** Another one than those of the test. */
export const proposer = async (app: TestApp): Promise<SignedInContext> =>
  proposing(await person(app, 'operator'));

/** From now on live orders of the merchant can be paid by transfer. */
export const allowTransfers = (app: TestApp, id: string): Promise<void> =>
  app
    .get(Database)
    .transaction((tx) => app.get(MerchantRepository).update(tx, id, { takesTransfers: true }));
