import { Icon } from '../../layout/icons.js';
import { Text, When } from '../../layout/values.js';
import { Card } from '../../order/order-parts.js';
import { ZONE } from './desk-parts.js';
import type { PayoutPage } from './payout-page.service.js';

/** What happened to the payout so far, and who did it. */
export const PayoutEvents = ({ timeline }: PayoutPage) => (
  <Card id="events" title="What happened">
    <ol class="timeline-list">
      {timeline.map(({ at, icon, tone, what, details }) => (
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
          <When at={at} timeZone={ZONE} />
        </li>
      ))}
    </ol>
  </Card>
);
