import { afterAll, expect, it } from '@jest/globals';
import { PayoutNotices } from '../src/payouts/payout-notices.js';
import { UserNotices } from '../src/people/mails/user-notices.js';
import { PeopleAccessService } from '../src/portal/platform/people-access.service.js';
import { withoutTriggers } from './support/facts.js';
import { proposing } from './support/live-accounts.js';
import { MailServer } from './support/mail-server.js';
import { MoneyActor } from './support/money-acts.js';
import { startWithRules } from './support/operating-rules.js';
import { Cashier, PAYS } from './support/payouts.js';
import { openShop } from './support/shop.js';

const HOUR_MS = 3_600_000;
const WAIT = 24;

const mails = await MailServer.start();
afterAll(() => mails.stop());
const { app } = await openShop({ env: { ...PAYS, SMTP_URL: mails.url } });
const actor = await MoneyActor.of(app);

it.each([
  ['pays out after the waiting time', 'reached'],
  ['pays nothing out if the only owner is', 'not reached'],
  ['pays nothing out if he closes the account of', 'closed'],
] as const)('a single operator with a hand in the money %s: %s', async (_, owner) => {
  await startWithRules(app, { singleOperator: true, secondPersonWaitHours: WAIT });
  const cashier = await Cashier.of(app, await app.merchant(), undefined, 'live');
  await actor.signInAgain();
  await actor.acts.transfers_allowed(cashier.shop);
  const payout = await cashier.request(1_000);
  const monthAgo = new Date(app.clock.now().getTime() - 720 * HOUR_MS);
  await withoutTriggers(
    app,
    `UPDATE users SET disabled_at = $2 WHERE platform_role = 'operator' AND id <> $1 AND disabled_at IS NULL`,
    [actor.who.id, monthAgo],
  );
  mails.refusesTo(owner === 'not reached' ? cashier.owner.email : null);
  await app.get(PayoutNotices).run();
  await app.get(UserNotices).run();
  if (owner === 'closed')
    await app.get(PeopleAccessService).disable(proposing(actor.who), cashier.owner.id);
  app.clock.advance(WAIT * HOUR_MS);
  const approval = cashier.approve(payout, actor.who);
  if (owner === 'reached') await approval;
  else await expect(approval).rejects.toMatchObject({ code: 'second_person_required' });
});
