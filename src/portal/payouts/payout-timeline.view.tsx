import { Icon } from '../layout/icons.js';
import { Text, When } from '../layout/values.js';
import { Card } from '../order/order-parts.js';
import type { PayoutStep } from './payout-timeline.js';

interface Props {
  readonly steps: readonly PayoutStep[];
  readonly timeZone: string;
}

/** What happened to a payout so far, and who did it. */
export const TimelineCard = ({ steps, timeZone }: Props) => (
  <Card id="timeline" title="What happened">
    <ol class="timeline-list">
      {steps.map(({ at, icon, tone, what, details }) => (
        <li>
          <span class={`tag dot ${tone}`}>
            <Icon name={icon} />
          </span>
          <div>
            {what}
            {details.map((detail) => (
              <div class="text-secondary">
                <Text text={detail} />
              </div>
            ))}
          </div>
          <When at={at} timeZone={timeZone} />
        </li>
      ))}
    </ol>
  </Card>
);
