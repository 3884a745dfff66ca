import { Card } from './card.js';
import { Icon } from './icons.js';
import type { PayoutStep } from './payout-timeline.js';
import { TextValue, TimeValue } from './values.js';

interface Props {
  readonly steps: readonly PayoutStep[];
  readonly timeZone: string;
}

/** Timeline of a payout with actors. */
export const PayoutTimelineCard = ({ steps, timeZone }: Props) => (
  <Card id="timeline" title="Timeline">
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
                <TextValue text={detail} />
              </div>
            ))}
          </div>
          <TimeValue at={at} timeZone={timeZone} />
        </li>
      ))}
    </ol>
  </Card>
);
