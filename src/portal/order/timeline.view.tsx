import { selfContained } from '../../common/markup.js';
import { Icon, type IconName } from '../layout/icons.js';
import { When } from '../layout/values.js';
import type { OrderProps } from './order-props.js';
import { Card } from './order-parts.js';
import type { TimelineEntry } from './timeline.js';

const KINDS: Readonly<Record<TimelineEntry['kind'], { word: string; icon: IconName }>> = {
  order: { word: 'Order', icon: 'orders' },
  payment: { word: 'Payment', icon: 'coins' },
  webhook: { word: 'Webhook', icon: 'webhook' },
  mail: { word: 'E-mail', icon: 'mail' },
  person: { word: 'Person', icon: 'person' },
};

/** Everything that is known to have happened. */
export const TimelineCard = ({ visit, page: { timeline } }: OrderProps) => (
  <Card id="timeline" title="What happened">
    <ol class="timeline-list">
      {timeline.map((entry) => (
        <Entry entry={entry} timeZone={visit.place.timeZone} />
      ))}
    </ol>
  </Card>
);

interface EntryProps {
  readonly entry: TimelineEntry;
  readonly timeZone: string;
}

function Entry({ entry, timeZone }: EntryProps) {
  const { word, icon } = KINDS[entry.kind];
  return (
    <li>
      <span class={`tag dot ${entry.tone}`} title={word}>
        <Icon name={icon} />
      </span>
      <div>
        <bdi>{selfContained(entry.what)}</bdi>
        {entry.detail !== null && (
          <div class="text-secondary">
            <bdi>{selfContained(entry.detail)}</bdi>
          </div>
        )}
        {entry.next && (
          <div class="text-secondary">
            Next try: <When at={entry.next} timeZone={timeZone} />
          </div>
        )}
      </div>
      <When at={entry.at} timeZone={timeZone} />
    </li>
  );
}
