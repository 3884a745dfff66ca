import { selfContained } from '../../common/markup.js';
import { Icon, type IconName } from '../layout/icons.js';
import { PostForm } from '../layout/parts.js';
import { When } from '../layout/values.js';
import { Area } from '../settings/fields.js';
import { mayHere } from '../visit.js';
import { NOTE_MAX } from './order-page.service.js';
import { orderPath, type OrderProps } from './order-props.js';
import { Card } from './order-parts.js';
import type { TimelineEntry } from './timeline.js';

const KINDS: Readonly<Record<TimelineEntry['kind'], { word: string; icon: IconName }>> = {
  order: { word: 'Order', icon: 'orders' },
  payment: { word: 'Payment', icon: 'coins' },
  webhook: { word: 'Webhook', icon: 'webhook' },
  mail: { word: 'E-mail', icon: 'mail' },
  person: { word: 'Person', icon: 'person' },
  note: { word: 'Note', icon: 'note' },
};

/** What was typed, and why it is no note. */
export interface RefusedNote {
  readonly text: string;
  readonly problem: string;
}

interface TimelineProps extends OrderProps {
  readonly note?: RefusedNote | undefined;
}

/** Everything that is known to have happened. */
export const TimelineCard = ({ visit, page, note }: TimelineProps) => (
  <Card id="timeline" title="What happened">
    <ol class="timeline-list">
      {page.timeline.map((entry) => (
        <Entry entry={entry} timeZone={visit.place.timeZone} />
      ))}
    </ol>
    {mayHere(visit, 'orders.note') && <NoteForm visit={visit} page={page} note={note} />}
  </Card>
);

const NoteForm = ({ visit, page: { order }, note }: TimelineProps) => (
  <PostForm csrf={visit.csrf} action={`${orderPath(visit, order.txid)}/notes`}>
    <Area
      name="note"
      label="Add a note"
      hint="Everybody who may see this order can read it. It stays: a note is never changed or deleted."
      rows={2}
      maxLength={NOTE_MAX}
      value={note?.text ?? ''}
      problem={note?.problem}
    />
    <button class="btn">Add note</button>
  </PostForm>
);

interface EntryProps {
  readonly entry: TimelineEntry;
  readonly timeZone: string;
}

function Entry({ entry, timeZone }: EntryProps) {
  const { word, icon } = KINDS[entry.kind];
  return (
    <li class={entry.kind}>
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
