import { mayHere, type MerchantContext } from '../../people/portal-context.js';
import { momentText } from '../kit/order-text.js';
import { accountsPath } from '../kit/payout-text.js';
import type { Obstacle } from './payout-balances.js';

interface ObstacleProps {
  readonly context: MerchantContext;
  readonly obstacle: Obstacle;
}

/** Why nothing can be paid out at the moment, and what to do next. */
export const ObstacleText = ({ context, obstacle }: ObstacleProps) => {
  const { access } = context;
  switch (obstacle.kind) {
    case 'no_account':
      return (
        <>
          Tell us first where the money shall go: <AccountsLink context={context} label="add" />. A
          new account can be used a day after its owners were written to, so that they can object.
        </>
      );
    case 'unconfirmed':
      return (
        <>
          No bank account is confirmed yet: <AccountsLink context={context} label="confirm" />.
        </>
      );
    case 'waiting':
      return (
        <>
          Your bank account can be used from {momentText(obstacle.until, access.timeZone)} on. The
          day gives its owners time to object.
        </>
      );
    case 'unnoticed':
      return (
        <>
          Your bank account waits for its notice: it can be used a day after a mail about it reached
          an owner of seven days who neither added nor confirmed it; where there is none, another
          owner.
        </>
      );
    case 'nothing_available':
      return <>Nothing is available yet. Money of paid orders comes here, less their fees.</>;
  }
};

interface LinkProps {
  readonly context: MerchantContext;
  readonly label: 'add' | 'confirm';
}

/** Only an owner confirms an account; whoever cannot do it is told whom to ask. */
const AccountsLink = ({ context, label }: LinkProps) => {
  const isAllowed = mayHere(context, label === 'add' ? 'payouts.manage' : 'bank-accounts.confirm');
  if (isAllowed) return <a href={accountsPath(context)}>{label} a bank account</a>;
  const who = label === 'add' ? 'an owner or somebody of finance' : 'an owner';
  return (
    <>
      ask {who} to {label} a bank account
    </>
  );
};
