import { momentText } from '../order/order-words.js';
import { mayHere, type PlacedVisit } from '../visit.js';
import type { Obstacle } from './payout-balances.js';
import { accountsPath } from './payout-words.js';

interface ObstacleProps {
  readonly visit: PlacedVisit;
  readonly obstacle: Obstacle;
}

/** Why nothing can be paid out at the moment, and what to do next. */
export const ObstacleText = ({ visit, obstacle }: ObstacleProps) => {
  const { place } = visit;
  switch (obstacle.kind) {
    case 'no_account':
      return (
        <>
          Tell us first where the money shall go: <AccountsLink visit={visit} words="add" />. A new
          account can be used a day after its owners were written to, so that they can object.
        </>
      );
    case 'unconfirmed':
      return (
        <>
          No bank account is confirmed yet: <AccountsLink visit={visit} words="confirm" />.
        </>
      );
    case 'waiting':
      return (
        <>
          Your bank account can be used from {momentText(obstacle.until, place.timeZone)} on. The
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
  readonly visit: PlacedVisit;
  readonly words: 'add' | 'confirm';
}

/** Only an owner confirms an account; whoever cannot do it is told whom to ask. */
const AccountsLink = ({ visit, words }: LinkProps) => {
  const isAllowed = mayHere(visit, words === 'add' ? 'payouts.manage' : 'bank-accounts.confirm');
  if (isAllowed) return <a href={accountsPath(visit)}>{words} a bank account</a>;
  const who = words === 'add' ? 'an owner or somebody of finance' : 'an owner';
  return (
    <>
      ask {who} to {words} a bank account
    </>
  );
};
