import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { PayoutNotices } from '../src/payouts/payout-notices.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { AccountsService } from '../src/people/accounts.service.js';
import { UserNotices } from '../src/people/mails/user-notices.js';
import { select, withoutTriggers } from './support/facts.js';
import { MailServer } from './support/mail-server.js';
import { MoneyActor } from './support/money-acts.js';
import { startWithRules } from './support/operating-rules.js';
import { expectHealthy } from './support/payout-invariants.js';
import { Cashier, PAYS } from './support/payouts.js';
import { openedAgain, person } from './support/people.js';
import { openShop } from './support/shop.js';

const HOUR_MS = 3_600_000;
const WAIT = 12;
const ALONE = { singleOperator: true, secondPersonWaitHours: WAIT };

const mails = await MailServer.start();
const { app } = await openShop({ env: { ...PAYS, SMTP_URL: mails.url } });

let actor: MoneyActor;
afterAll(() => mails.stop());
beforeAll(async () => {
  actor = await MoneyActor.of(app);
});

const refused = { code: 'second_person_required' };

/** Live money in which the operator had a hand, and a payout of it. */
async function asked(): Promise<{ cashier: Cashier; payout: Payout }> {
  const cashier = await Cashier.of(app, await app.merchant(), undefined, 'live');
  await actor.signInAgain();
  await actor.acts.transfers_allowed(cashier.shop);
  const payout = await cashier.request(1_000);
  await leaveAlone();
  return { cashier, payout };
}

/** The others have been gone for ever. */
const leaveAlone = () =>
  withoutTriggers(
    app,
    `UPDATE users SET disabled_at = created_at WHERE platform_role = 'operator' AND id <> $1
      AND disabled_at IS NULL`,
    [actor.who.id],
  );

async function sendMails(): Promise<void> {
  await app.get(PayoutNotices).run();
  await app.get(UserNotices).run();
}

const noticesOf = ({ id }: Payout) =>
  select<{ user_id: string }>(
    app,
    `SELECT user_id FROM user_notices WHERE kind = 'payout-waits' AND data ->> 'payout' = $1`,
    [id],
  );

const approvedBySql = ({ id }: Payout) =>
  select(
    app,
    `UPDATE payouts SET status = 'approved', approved_by = $2, approved_at = $3,
       approved_hash = content_hash, version = version + 1 WHERE id = $1`,
    [id, actor.who.id, app.clock.now()],
  );

describe('a business with one operator', () => {
  it('asks for a second person as long as no setting says otherwise, and writes to nobody', async () => {
    const { cashier, payout } = await asked();
    await sendMails();
    app.clock.advance(100 * HOUR_MS);
    await expect(cashier.approve(payout, actor.who)).rejects.toMatchObject(refused);
    expect(await noticesOf(payout)).toEqual([]);
  });

  it('waits after the e-mails to all operators and the merchant’s owners', async () => {
    await startWithRules(app, ALONE);
    const { cashier, payout } = await asked();
    app.clock.advance(WAIT * HOUR_MS);
    // An operator who was closed a moment ago can object all the same.
    const closed = await person(app, 'operator');
    const close = 'UPDATE users SET disabled_at = $2 WHERE id = $1';
    await select(app, close, [closed.id, app.clock.now()]);
    await expect(cashier.approve(payout, actor.who)).rejects.toMatchObject({
      ...refused,
      detail:
        'You allowed bank transfers to the merchant of this payout. As the only operator you can approve it 12 hours after the e-mails about it have been sent.',
    });
    await app.get(PayoutNotices).run();
    await expect(cashier.approve(payout, actor.who)).rejects.toMatchObject(refused);
    await Promise.all([sendMails(), sendMails()]);
    const told = new Set((await noticesOf(payout)).map((notice) => notice.user_id));
    expect(told.size).toBe((await noticesOf(payout)).length);
    for (const { id } of [actor.who, cashier.operator, cashier.owner, closed])
      expect(told.has(id)).toBe(true);
    for (const { email } of [actor.who, cashier.owner]) {
      const subject = 'A payout waits for a single operator';
      const mail = mails.to(email).findLast((each) => each.subject === subject);
      expect(mail!.text).toContain('10.00 EUR');
    }
    app.clock.advance(WAIT * HOUR_MS - 1);
    await expect(cashier.approve(payout, actor.who)).rejects.toMatchObject({
      detail: expect.stringMatching(/ you can approve it from 2026-\S+ \S+ UTC on\.$/),
    });
    await expect(approvedBySql(payout)).rejects.toThrow('does not approve it');
    app.clock.advance(1);
    expect((await cashier.approve(payout, actor.who)).status).toBe('approved');
    expect(
      await select(
        app,
        'SELECT user_id, waiting_hours FROM single_operator_approvals WHERE payout_id = $1',
        [payout.id],
      ),
    ).toEqual([{ user_id: actor.who.id, waiting_hours: WAIT }]);
    await expectHealthy(app);
  });

  it('waits anew for a payout that was changed, or whose money somebody had a hand in again', async () => {
    const { cashier, payout } = await asked();
    await sendMails();
    app.clock.advance(WAIT * HOUR_MS);
    const wish = { amount: 900, bankAccountId: cashier.account.id };
    await app.get(PayoutsService).change(cashier.scope, payout.id, wish, cashier.owner.id);
    await expect(cashier.approve(payout, actor.who)).rejects.toMatchObject(refused);
    await sendMails();
    app.clock.advance(WAIT * HOUR_MS);
    await select(
      app,
      `INSERT INTO money_hands SELECT merchant_id, txid, $2, 'payer_added', $3 FROM money_hands
       WHERE merchant_id = $1 LIMIT 1`,
      [cashier.shop.merchantId, actor.who.id, app.clock.now()],
    );
    await expect(cashier.approve(payout, actor.who)).rejects.toMatchObject(refused);
    app.clock.advance(WAIT * HOUR_MS);
    expect((await cashier.approve(payout, actor.who)).status).toBe('approved');
  });

  it('lets whoever had no hand approve at once, and members of the merchant never', async () => {
    const { cashier, payout } = await asked();
    await sendMails();
    app.clock.advance(1_000 * HOUR_MS);
    await expect(cashier.approve(payout, cashier.owner)).rejects.toMatchObject({
      code: expect.stringMatching(/second_person_required|approver_of_merchant/),
    });
    const finance = await person(app, 'finance', cashier.shop.merchantId);
    await expect(cashier.approve(payout, finance)).rejects.toMatchObject({
      code: 'approver_of_merchant',
    });
    expect((await cashier.approve(payout, await person(app, 'operator'))).status).toBe('approved');
    expect(
      await select(app, 'SELECT 1 FROM single_operator_approvals WHERE payout_id = $1', [
        payout.id,
      ]),
    ).toEqual([]);
  });

  it('asks for a second person while one can sign in, whatever the setting says', async () => {
    const { cashier, payout } = await asked();
    await sendMails();
    app.clock.advance(WAIT * HOUR_MS);
    const other = await person(app, 'operator');
    await expect(cashier.approve(payout, actor.who)).rejects.toMatchObject({
      ...refused,
      detail: expect.stringContaining('another operator has to approve it'),
    });
    await expect(approvedBySql(payout)).rejects.toThrow('while another operator can');
    const asked2 = (await asked()).payout;
    await openedAgain(app, 'id = $1', [other.id]);
    await sendMails();
    expect(await noticesOf(asked2)).toEqual([]);
    expect((await cashier.approve(payout, other)).status).toBe('approved');
    await expectHealthy(app);
  });

  it('waits anew after another operator was closed, of which all operators are told', async () => {
    const { cashier, payout } = await asked();
    await sendMails();
    const other = await person(app, 'operator');
    app.clock.advance((WAIT - 1) * HOUR_MS);
    await app.get(AccountsService).close(other.email);
    await sendMails();
    for (const { email } of [actor.who, other]) {
      const subject = 'The account of an operator was closed';
      const mail = mails.to(email).findLast((each) => each.subject === subject);
      expect(mail?.text).toContain('The command line');
    }
    app.clock.advance(WAIT * HOUR_MS - 1);
    await expect(cashier.approve(payout, actor.who)).rejects.toMatchObject(refused);
    await expect(approvedBySql(payout)).rejects.toThrow('does not approve it');
    app.clock.advance(1);
    expect((await cashier.approve(payout, actor.who)).status).toBe('approved');
    await expectHealthy(app);
  });

  it('waits from the start that allowed it on, whatever was asked for before', async () => {
    await startWithRules(app, { ...ALONE, singleOperator: false });
    const { cashier, payout } = await asked();
    await startWithRules(app, ALONE);
    await sendMails();
    app.clock.advance(WAIT * HOUR_MS - 1);
    await startWithRules(app, { ...ALONE, secondPersonWaitHours: 1 });
    await expect(cashier.approve(payout, actor.who)).rejects.toMatchObject(refused);
    app.clock.advance(HOUR_MS);
    expect((await cashier.approve(payout, actor.who)).status).toBe('approved');
    await startWithRules(app, ALONE);
  });

  it('asks nobody in test mode', async () => {
    const cashier = await Cashier.of(app, await app.merchant());
    await actor.signInAgain();
    await actor.acts.matched(cashier.shop);
    const payout = await cashier.request(1_000);
    await expect(cashier.approve(payout, actor.who)).rejects.toMatchObject(refused);
    await leaveAlone();
    await sendMails();
    expect(await noticesOf(payout)).toEqual([]);
    expect((await cashier.approve(payout, actor.who)).status).toBe('approved');
    await expectHealthy(app);
  });
});
