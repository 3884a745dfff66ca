import type { OrderException, OrderStatus } from '../../database/entities/order.entity.js';
import { Icon, type IconName } from './icons.js';

/** How something is shown that is good, under way, to be looked at, bad, or over. */
export interface Look {
  readonly word: string;
  readonly tone: 'good' | 'busy' | 'warn' | 'bad' | '';
  readonly icon: IconName;
}

export const STATUS_LOOKS: Readonly<Record<OrderStatus, Look>> = {
  open: { word: 'Open', tone: 'busy', icon: 'clock' },
  processing: { word: 'Processing', tone: 'busy', icon: 'busy' },
  paid: { word: 'Paid', tone: 'good', icon: 'check' },
  failed: { word: 'Failed', tone: 'bad', icon: 'cross' },
  cancelled: { word: 'Cancelled', tone: '', icon: 'ended' },
  expired: { word: 'Expired', tone: '', icon: 'late' },
};

export const EXCEPTION_WORDS: Readonly<Record<Exclude<OrderException, 'none'>, string>> = {
  underpaid: 'Underpaid',
  overpaid: 'Overpaid',
  paid_late: 'Paid late',
  duplicate_payment: 'Paid twice',
  wrong_currency: 'Wrong currency',
};

/** What became of something, in a word, a colour and a sign. */
export const Tag = ({ look: { word, tone, icon } }: { readonly look: Look }) => (
  <span class={`tag ${tone}`}>
    <Icon name={icon} />
    {word}
  </span>
);

export const StatusTag = ({ status }: { readonly status: OrderStatus }) => (
  <Tag look={STATUS_LOOKS[status]} />
);

/** Somebody has to look at such an order. */
export const ExceptionMark = ({ exception }: { readonly exception: OrderException }) =>
  exception === 'none' ? null : (
    <span class="exception">
      <Icon name="warning" />
      {EXCEPTION_WORDS[exception]}
    </span>
  );
