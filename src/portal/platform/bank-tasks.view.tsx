import type { ComponentChildren } from 'preact';
import { Card } from '../kit/card.js';
import { Typed } from '../kit/components.js';
import { Icon } from '../kit/icons.js';
import { numberText } from '../kit/values.js';
import type { BankTasks } from './bank-tasks.service.js';
import { bankPath, balancePath } from './bank/bank-path.js';
import { durationOf } from './duration.js';

interface Props {
  readonly tasks: BankTasks;
}

/** What does not go on by itself; nothing where all does. */
export function BankTasksCard({ tasks: { lines, gaps, missing } }: Props) {
  if (lines.length + gaps.length + missing.length === 0) return null;
  return (
    <Card id="needs" title="Needs a person">
      <ul class="needs">
        {lines.map((each) => (
          <Task>
            <a href={bankPath(each.mode)}>
              {each.lines === 1 ? '1 transfer waits' : `${numberText(each.lines)} transfers wait`}{' '}
              for you in {each.mode} mode
            </a>
            <div class="text-secondary">The oldest for {durationOf(each.oldestSeconds)}.</div>
          </Task>
        ))}
        {gaps.map(({ mode, account, currency, lastDay, nextDay }) => (
          <Task>
            <a href={`${balancePath(mode)}?from=${lastDay}&until=${nextDay}`}>
              A statement is missing between {lastDay} and {nextDay}
            </a>
            <div class="text-secondary">
              <Typed text={`${account} ${currency}`} />: it does not begin where the one before
              ended.
            </div>
          </Task>
        ))}
        {missing.map(({ account, currency, lastDay }) => (
          <Task>
            No statement came since {lastDay}
            <div class="text-secondary">
              <Typed text={`${account} ${currency}`} />: is the way by which statements come in
              still open?
            </div>
          </Task>
        ))}
      </ul>
    </Card>
  );
}

const Task = ({ children }: { readonly children: ComponentChildren }) => (
  <li>
    <span class="tag dot warn">
      <Icon name="warning" />
    </span>
    <div>{children}</div>
  </li>
);
