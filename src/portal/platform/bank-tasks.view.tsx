import type { WaitingChanges } from '../../database/bank/collection-account-change.repository.js';
import { Card } from '../kit/card.js';
import { Typed } from '../kit/components.js';
import { NeedItem } from '../kit/need-item.js';
import { numberText } from '../kit/values.js';
import type { BankTasks } from './bank-tasks.service.js';
import { bankPath, balancePath } from './bank/bank-path.js';
import { lineAddress } from './bank/line-filter.js';
import { collectionAccountsPath } from './collection-accounts/collection-accounts-path.js';
import { durationOf } from './duration.js';

/** One, and several of them. */
const WAITS = {
  waiting: ['1 transfer waits for you', 'transfers wait for you'],
  unknown_money_out: ['1 booking of money out waits for you', 'bookings of money out wait for you'],
} as const;

interface Props {
  readonly tasks: BankTasks;
}

/** What does not go on by itself; nothing where all does. */
export function BankTasksCard({ tasks: { lines, gaps, missing, changes } }: Props) {
  const waits = lines.length + gaps.length + missing.length + changes.proposed + changes.confirmed;
  if (waits === 0) return null;
  return (
    <Card id="needs" title="Needs a person">
      <ul class="needs">
        <ChangesItem changes={changes} />
        {lines.map((each) => (
          <NeedItem>
            <a href={`${bankPath(each.mode)}${lineAddress({ tab: each.tab })}`}>
              {each.lines === 1
                ? WAITS[each.tab][0]
                : `${numberText(each.lines)} ${WAITS[each.tab][1]}`}{' '}
              in {each.mode} mode
            </a>
            <div class="text-secondary">The oldest for {durationOf(each.oldestSeconds)}.</div>
          </NeedItem>
        ))}
        {gaps.map(({ mode, account, currency, lastDay, nextDay }) => (
          <NeedItem>
            <a href={`${balancePath(mode)}?from=${lastDay}&until=${nextDay}`}>
              A statement is missing between {lastDay} and {nextDay}
            </a>
            <div class="text-secondary">
              <Typed text={`${account} ${currency}`} />: it does not begin where the one before
              ended.
            </div>
          </NeedItem>
        ))}
        {missing.map(({ account, currency, lastDay }) => (
          <NeedItem>
            No statement came since {lastDay}
            <div class="text-secondary">
              <Typed text={`${account} ${currency}`} />: is the way by which statements come in
              still open?
            </div>
          </NeedItem>
        ))}
      </ul>
    </Card>
  );
}

function ChangesItem({ changes: { proposed, confirmed } }: { readonly changes: WaitingChanges }) {
  const total = proposed + confirmed;
  if (total === 0) return null;
  const what = total === 1 ? '1 change' : `${numberText(total)} changes`;
  return (
    <NeedItem>
      <a href={collectionAccountsPath('live')}>{what} of accounts on which payers transfer money</a>
      <div class="text-secondary">
        Waiting for confirmation: {numberText(proposed)}. Waiting to take effect:{' '}
        {numberText(confirmed)}.
      </div>
    </NeedItem>
  );
}
