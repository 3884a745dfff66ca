import { doneBy } from './form-components.js';
import { Icon } from './icons.js';

interface TurnProps {
  readonly to: 'newer' | 'older';
  readonly label: string;
  /** Null = disabled. */
  readonly href: string | null;
}

/** Link to the previous or next page. */
export function PageTurn({ to, label, href }: TurnProps) {
  const content = (
    <>
      {to === 'newer' && <Icon name="newer" />}
      {label}
      {to === 'older' && <Icon name="older" />}
    </>
  );
  if (href === null) {
    return (
      <a class="btn btn-sm disabled" role="link" aria-disabled="true">
        {content}
      </a>
    );
  }
  return (
    <a class="btn btn-sm" href={href} rel={to === 'newer' ? 'prev' : 'next'}>
      {content}
    </a>
  );
}

/** Success messages, by the `done` parameter. */
export const PayoutDone = doneBy({
  drafted: 'Draft saved.',
  asked: 'Payout requested.',
  changed: 'Changes saved.',
  cancelled: 'Payout cancelled.',
});
export type DoneKey = 'drafted' | 'asked' | 'changed' | 'cancelled';
