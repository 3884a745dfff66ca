import { BANK_FACTS } from './bank.facts.js';
import { COLLECTION_ACCOUNT_FACTS } from './collection-accounts.facts.js';
import type { Fact } from './fact.js';
import { LEDGER_FACTS } from './ledger.facts.js';
import { MONEY_HAND_FACTS } from './money-hands.facts.js';
import { NOTIFICATION_FACTS } from './notifications.facts.js';
import { ORDER_EVENT_FACTS, ORDER_FACTS } from './orders.facts.js';
import { OWN_ACCOUNT_FACTS } from './own-accounts.facts.js';
import { OVERDUE_FACTS } from './overdue.facts.js';
import { PAYMENT_FACTS } from './payments.facts.js';
import { PAYOUT_HAND_FACTS } from './payout-hands.facts.js';
import { PAYOUT_FACTS } from './payouts.facts.js';
import { REFUND_FACTS } from './refunds.facts.js';
import { PEOPLE_FACTS } from './people.facts.js';
import { SERVER_FACTS } from './server.facts.js';

/** All consistency checks, by subject. */
export const FACTS: readonly Fact[] = [
  ...ORDER_FACTS,
  ...ORDER_EVENT_FACTS,
  ...PAYMENT_FACTS,
  ...LEDGER_FACTS,
  ...PAYOUT_FACTS,
  ...REFUND_FACTS,
  ...PAYOUT_HAND_FACTS,
  ...MONEY_HAND_FACTS,
  ...BANK_FACTS,
  ...COLLECTION_ACCOUNT_FACTS,
  ...OWN_ACCOUNT_FACTS,
  ...NOTIFICATION_FACTS,
  ...PEOPLE_FACTS,
  ...SERVER_FACTS,
  ...OVERDUE_FACTS,
];
