import { Config } from '../../src/config/config.js';
import { PayoutNotices } from '../../src/payouts/payout-notices.js';
import { MoneyActor } from './money-acts.js';
import { withoutTriggers } from './facts.js';
import { startWithRules } from './operating-rules.js';
import { Cashier } from './payouts.js';
import { openedAgain } from './people.js';
import type { World } from './visits.js';
import type { Jobs } from './visits-of-jobs.js';

const ALONE = { singleOperator: true, secondPersonWaitHours: 12 };

/** Nobody else can sign in, and has not for ever. */
const LEAVE_ALONE = `UPDATE users SET disabled_at = created_at
  WHERE platform_role = 'operator' AND id <> $1 AND disabled_at IS NULL`;

/** Live money in which an operator had a hand, and a payout of it that nobody was told of. */
async function unnoticed(world: World): Promise<void> {
  const { app } = world;
  const cashier = await Cashier.of(app, await app.merchant(), undefined, 'live');
  const actor = await MoneyActor.of(app);
  await actor.acts.transfers_allowed(cashier.shop);
  await cashier.request(1_000);
  await withoutTriggers(app, LEAVE_ALONE, [actor.who.id]);
}

/** What the service does about the second person, and about a single operator. */
export const jobsOfSecondPerson = (world: World): Jobs => {
  const { app } = world;
  const asUsual = () => startWithRules(app, app.get(Config));
  const alone = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } finally {
      await openedAgain(app, 'disabled_at = created_at');
      await asUsual();
    }
  };
  return {
    'a start with other rules about the second person': {
      prepare: asUsual,
      run: () => alone(() => startWithRules(app, ALONE)),
    },
    'notices of payouts': {
      prepare: async () => {
        await startWithRules(app, ALONE);
        await unnoticed(world);
      },
      run: () => alone(() => app.get(PayoutNotices).run()),
    },
  };
};
