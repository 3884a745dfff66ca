import { mayHere, type MerchantContext } from '../../people/portal-context.js';
import { momentText } from '../kit/order-text.js';
import { accountsPath } from '../kit/payout-text.js';
import type { Obstacle } from './payout-balances.js';

interface ObstacleProps {
  readonly context: MerchantContext;
  readonly obstacle: Obstacle;
}

/** Why no payout is possible at the moment, and the next step. */
export const ObstacleText = ({ context, obstacle }: ObstacleProps) => {
  const { access } = context;
  switch (obstacle.kind) {
    case 'no_account':
      return (
        <>
          To receive payouts, <AccountsLink context={context} label="add" />. A new account can be
          used one day after the owners were notified, so that they can object.
        </>
      );
    case 'unconfirmed':
      return (
        <>
          No bank account is confirmed yet. Next step:{' '}
          <AccountsLink context={context} label="confirm" />.
        </>
      );
    case 'waiting':
      return (
        <>
          Your bank account can be used from {momentText(obstacle.until, access.timeZone)}. The
          one-day delay gives owners time to object.
        </>
      );
    case 'unnoticed':
      return (
        <>
          Your bank account is in its notification period. It can be used one day after an email
          about it reached an owner of at least seven days who neither added nor confirmed it, or,
          without such an owner, another owner.
        </>
      );
    case 'nothing_available':
      return <>No funds available yet. Paid orders minus fees appear here.</>;
  }
};

interface LinkProps {
  readonly context: MerchantContext;
  readonly label: 'add' | 'confirm';
}

/** Link for users with the permission; for all others, the role to ask. */
const AccountsLink = ({ context, label }: LinkProps) => {
  const isAllowed = mayHere(context, label === 'add' ? 'payouts.manage' : 'bank-accounts.confirm');
  if (isAllowed) return <a href={accountsPath(context)}>{label} a bank account</a>;
  const who = label === 'add' ? 'an owner or finance member' : 'an owner';
  return (
    <>
      ask {who} to {label} a bank account
    </>
  );
};
