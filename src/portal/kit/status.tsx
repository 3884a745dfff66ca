import type { ComponentChildren } from 'preact';
import { knownOf, plainWord } from '../../common/known.js';
import type { OrderException, OrderStatus } from '../../database/orders/order.entity.js';
import { Icon, type IconName } from './icons.js';

/** Color of a status: success, in progress, needs attention, failure, or inactive. */
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'idle' | '';

export interface Badge {
  readonly label: string;
  readonly tone: Tone;
  readonly icon: IconName;
}

export const STATUS_BADGES: Readonly<Record<OrderStatus, Badge>> = {
  open: { label: 'Open', tone: 'busy', icon: 'clock' },
  processing: { label: 'Processing', tone: 'busy', icon: 'busy' },
  paid: { label: 'Paid', tone: 'good', icon: 'check' },
  failed: { label: 'Failed', tone: 'bad', icon: 'cross' },
  cancelled: { label: 'Cancelled', tone: '', icon: 'ended' },
  expired: { label: 'Expired', tone: '', icon: 'late' },
};

export const EXCEPTION_LABELS: Readonly<Record<Exclude<OrderException, 'none'>, string>> = {
  underpaid: 'Underpaid',
  overpaid: 'Overpaid',
  paid_late: 'Paid late',
  duplicate_payment: 'Paid twice',
  wrong_currency: 'Wrong currency',
  charged_back: 'Charged back',
};

export const badgeOf = <K extends string>(badges: Readonly<Record<K, Badge>>, label: K): Badge =>
  knownOf(badges, label) ?? { label: plainWord(label), tone: '', icon: 'audit' };

export const exceptionLabel = (exception: Exclude<OrderException, 'none'>): string =>
  knownOf(EXCEPTION_LABELS, exception) ?? plainWord(exception);

interface TagProps extends Omit<Badge, 'label'> {
  readonly label: ComponentChildren;
}

/** Status label: text, color and icon carry the same meaning. */
export const Tag = ({ label, tone, icon }: TagProps) => (
  <span class={`tag ${tone}`}>
    <Icon name={icon} />
    {label}
  </span>
);

export const StatusTag = ({ status }: { readonly status: OrderStatus }) => (
  <Tag {...badgeOf(STATUS_BADGES, status)} />
);

/** Marks an order with a payment discrepancy. */
export const ExceptionMark = ({ exception }: { readonly exception: OrderException }) =>
  exception === 'none' ? null : (
    <span class="exception">
      <Icon name="warning" />
      {exceptionLabel(exception)}
    </span>
  );
