import { selfContained } from '../../common/markup.js';
import { mayHere } from '../../people/portal-context.js';
import { Card } from '../kit/card.js';
import { Area } from '../kit/fields.js';
import { PostForm } from '../kit/form-components.js';
import { Icon, type IconName } from '../kit/icons.js';
import { TimeValue } from '../kit/values.js';
import { ORDER_NOTE_MAX } from './order-page.service.js';
import { orderPath, type OrderProps } from './order-props.js';
import type { TimelineEntry } from './timeline.js';

const KINDS: Readonly<Record<TimelineEntry['kind'], { word: string; icon: IconName }>> = {
  order: { word: 'Order', icon: 'orders' },
  payment: { word: 'Payment', icon: 'coins' },
  webhook: { word: 'Webhook', icon: 'webhook' },
  mail: { word: 'Email', icon: 'mail' },
  person: { word: 'Person', icon: 'person' },
  note: { word: 'Note', icon: 'note' },
};

/** A rejected note with its problem. */
export interface RefusedNote {
  readonly text: string;
  readonly problem: string;
}

interface TimelineProps extends OrderProps {
  readonly note?: RefusedNote | undefined;
}

export const TimelineCard = ({ context, page, note }: TimelineProps) => (
  <Card id="timeline" title="Timeline">
    <ol class="timeline-list">
      {page.timeline.map((entry) => (
        <Entry entry={entry} timeZone={context.access.timeZone} />
      ))}
    </ol>
    {mayHere(context, 'orders.note') && <NoteForm context={context} page={page} note={note} />}
  </Card>
);

const NoteForm = ({ context, page: { order }, note }: TimelineProps) => (
  <PostForm csrf={context.csrf} action={`${orderPath(context, order.txid)}/notes`}>
    <Area
      name="note"
      label="Add a note"
      hint="Visible to everyone who can see this order. Notes cannot be changed or deleted."
      rows={2}
      maxLength={ORDER_NOTE_MAX}
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
            Next attempt: <TimeValue at={entry.next} timeZone={timeZone} />
          </div>
        )}
      </div>
      <TimeValue at={entry.at} timeZone={timeZone} />
    </li>
  );
}
