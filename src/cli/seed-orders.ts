import { randomBytes } from 'node:crypto';
import type { Command } from './command.js';
import * as inputs from './inputs.js';
import type { Input } from './options.js';
import { withMerchant } from './services.js';

const COUNT_MAX = 10_000_000;
const DAYS = { max: 3_650, standard: 365 } as const;

const wholeNumber = (max: number): Input<number> => ({
  expects: `a whole number from 1 to ${max}`,
  parse: (text) => {
    const number = Number(text);
    return /^\d{1,8}$/.test(text) && number >= 1 && number <= max ? number : undefined;
  },
});

/** Generated live orders would be mistaken for real ones. */
const TEST_MODE: Input<'test'> = {
  expects: 'test: orders are never invented in live mode',
  parse: (text) => (text === 'test' ? text : undefined),
};

export const seedOrders: Command = {
  name: 'seed-orders',
  usage: `--merchant ID --count 1000000 [--days ${DAYS.standard}] [--mode test]`,
  help:
    'Generates test orders with their payments, spread over the days before now, for trials and\n' +
    '      measurements. They have no events: no notifications are sent, and their first change is\n' +
    '      event 2.',
  options: ['merchant', 'count', 'days', 'mode'],
  prepare: (options) => {
    const merchantId = options.required('merchant', inputs.ID);
    const count = options.required('count', wholeNumber(COUNT_MAX));
    const days = options.optional('days', wholeNumber(DAYS.max)) ?? DAYS.standard;
    options.optional('mode', TEST_MODE);
    return () =>
      withMerchant(merchantId, async ({ seeds }) => {
        const start = performance.now();
        const run = randomBytes(4).toString('hex');
        await seeds.insert({ merchantId, count, days, now: new Date(), run });
        const seconds = Math.round((performance.now() - start) / 100) / 10;
        return {
          text: `${count} orders are there, made in ${seconds} s; their ids begin with seed-${run}-.`,
          json: { merchantId, count, days, prefix: `seed-${run}-`, seconds },
        };
      });
  },
};
