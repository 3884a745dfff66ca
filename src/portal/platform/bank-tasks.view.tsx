import type { WaitingChanges } from '../../database/bank/collection-accounts/collection-account-change.repository.js';
import { Card } from '../kit/card.js';
import { Typed } from '../kit/components.js';
import { NeedItem } from '../kit/need-item.js';
import { numberText } from '../kit/values.js';
import type { BankTasks } from './bank-tasks.service.js';
import { bankPath, balancePath } from './bank/bank-path.js';
import { lineAddress } from './bank/line-filter.js';
import { collectionAccountsPath } from './collection-accounts/collection-accounts-path.js';
import { durationOf } from './duration.js';

/** Singular and plural. */
const WAITS = {
  waiting: ['1 unmatched transfer', 'unmatched transfers'],
  unknown_money_out: ['1 unexplained debit', 'unexplained debits'],
} as const;

interface Props {
  readonly tasks: BankTasks;
}

/** Tasks that need an operator. Renders nothing if there are none. */
export function BankTasksCard({ tasks: { lines, gaps, missing, changes } }: Props) {
  const waits = lines.length + gaps.length + missing.length + changes.proposed + changes.confirmed;
  if (waits === 0) return null;
  return (
    <Card id="needs" title="Needs attention">
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
            <div class="text-secondary">Oldest: {durationOf(each.oldestSeconds)} ago.</div>
          </NeedItem>
        ))}
        {gaps.map(({ mode, account, currency, lastDay, nextDay }) => (
          <NeedItem>
            <a href={`${balancePath(mode)}?from=${lastDay}&until=${nextDay}`}>
              A statement is missing between {lastDay} and {nextDay}
            </a>
            <div class="text-secondary">
              <Typed text={`${account} ${currency}`} />: the opening balance does not match the
              previous closing balance.
            </div>
          </NeedItem>
        ))}
        {missing.map(({ account, currency, lastDay }) => (
          <NeedItem>
            No statement since {lastDay}
            <div class="text-secondary">
              <Typed text={`${account} ${currency}`} />: check the connection that delivers the
              statements.
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
      <a href={collectionAccountsPath('live')}>{what} to live collection accounts</a>
      <div class="text-secondary">
        Awaiting confirmation: {numberText(proposed)}. Awaiting activation: {numberText(confirmed)}.
      </div>
    </NeedItem>
  );
}
