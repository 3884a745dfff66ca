import { CURRENCY_CODES } from '../common/money/currencies.js';
import type { AccountBalance } from '../database/ledger/ledger.repository.js';
import type { Account } from '../database/ledger/transfer.entity.js';
import { type Mode, MODES } from '../database/merchants/api-key.entity.js';
import { Answer, answerOf, CurrencyCode, ListOf } from './answers.js';
import { Minor, OneOf, Signed } from './fields.js';

@Answer('Balance', 'What you have in one currency, in minor units.')
export class BalanceResponse {
  @OneOf(MODES, 'Test payouts move no money.') mode: Mode;
  @CurrencyCode() currency: string;
  @Signed('What can be paid out; below 0 when more was taken back than there was.')
  available: number;
  @Minor('What is reserved for payouts that are on the way.') payoutPending: number;
  @Minor(
    'Money that does not make an order paid: too much, too late, twice, or a part. It is not paid out.',
  )
  unallocated: number;
}

@Answer('BalanceList', 'What you have in each currency.')
export class BalanceListResponse {
  @ListOf(BalanceResponse, { max: CURRENCY_CODES.length }) data: readonly BalanceResponse[];
}

/** The merchant's own accounts, one entry per currency. Clearing and fee accounts are not the merchant's. */
export const balanceListResponse = (accounts: readonly AccountBalance[]): BalanceListResponse =>
  answerOf(BalanceListResponse, {
    data: [...Map.groupBy(accounts, ({ currency }) => currency).values()].map(balanceResponse),
  });

function balanceResponse(accounts: readonly AccountBalance[]): BalanceResponse {
  const { mode, currency } = accounts[0]!;
  const amountOf = (name: Account): number =>
    accounts.find(({ account }) => account === name)?.amount ?? 0;
  return answerOf(BalanceResponse, {
    mode,
    currency,
    available: amountOf('available'),
    payoutPending: amountOf('payout_pending'),
    unallocated: amountOf('unallocated'),
  });
}
