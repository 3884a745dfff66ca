import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { collectionAccount } from './support/bank-lines.js';
import { Dice } from './support/dice.js';
import { PAYS } from './support/payouts.js';
import { newMeanwhile, RefundLives } from './support/refund-life.js';
import { newMerchant } from './support/refund-model.js';
import { RefundWorld } from './support/refund-world.js';
import { openShop } from './support/shop.js';

const ORDERS = Number(process.env['MODEL_ORDERS'] ?? 150);
/** MODEL_SEED repeats a run that failed. */
const SEED = Number(process.env['MODEL_SEED'] ?? randomInt(2 ** 31));
/** Orders of one merchant that live at the same time. */
const TOGETHER = 8;
/** Things that happen to each, on average. */
const STEPS = 20;
const SECONDS_AN_ORDER = 10;

/** Outcomes that some of a hundred orders have. */
const USUAL = Object.entries({
  ask: 'ok, insufficient_balance, refund_too_large, order_not_refundable, refundable_changed',
  cancel: 'ok, refund_not_cancelable',
  approve: 'ok, payout_not_possible',
  leave: 'payout_paid',
  succeeded: 'ok',
  failed: 'ok',
  returned: 'ok',
  silent: 'ok',
  file: 'ok',
  arrive: 'ok',
  lose: 'ok',
  record: 'ok',
  'charge back': 'taken_back',
  'pay out': 'ok, insufficient_balance',
}).flatMap(([act, outcomes]) => outcomes.split(', ').map((outcome) => `${act}: ${outcome}`));

const { app } = await openShop({ env: { ...PAYS, LOG_LEVEL: 'warn' } });
await collectionAccount(app);

describe('orders and their refunds', () => {
  it(
    'do what a small model says, whatever happens in whatever order',
    async () => {
      process.stderr.write(`${ORDERS} orders, MODEL_SEED=${SEED}\n`);
      const dice = new Dice(SEED);
      const world = await RefundWorld.of(app);
      const meanwhile = newMeanwhile();
      const groups = Math.ceil(ORDERS / TOGETHER);
      let merchant = newMerchant(0);
      for (let group = 0; group < groups; group++) {
        // Balances stay from one group to the next.
        if (group % 5 === 0) {
          merchant = newMerchant(dice.any([0, 25]));
          await world.join(merchant);
        }
        const lives = new RefundLives(world, dice, merchant, meanwhile);
        try {
          for (let n = 0; n < TOGETHER; n++) await lives.begin();
          for (let n = 0; n < TOGETHER * STEPS; n++) await lives.step();
          for (const order of lives.orders) await lives.compare(order);
          await lives.compareEvents();
        } catch (error) {
          const log = lives.log.join('\n');
          throw new Error(`MODEL_SEED=${SEED}, group ${group}:\n${log}`, { cause: error });
        }
      }
      const broken = brokenIn(await app.get(Doctor).examine({ overdue: false }));
      expect(broken.map(({ fact, violations }) => [fact.name, violations])).toEqual([]);
      const { outcomes } = meanwhile;
      process.stderr.write(`${JSON.stringify(outcomes)}\n`);
      if (ORDERS >= 100) expect(Object.keys(outcomes)).toEqual(expect.arrayContaining(USUAL));
    },
    ORDERS * SECONDS_AN_ORDER * 1_000,
  );
});
