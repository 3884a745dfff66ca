import { doneBy } from './form-components.js';
import { Icon } from './icons.js';

interface TurnProps {
  readonly to: 'newer' | 'older';
  readonly label: string;
  /** Null where there is nothing. */
  readonly href: string | null;
}

/** A link to the page before, or the one behind. */
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

/** What the form before a page of payouts did. */
export const PayoutDone = doneBy({
  drafted: 'The draft is saved.',
  asked: 'The payout is asked for.',
  changed: 'The change is saved.',
  cancelled: 'The payout is cancelled.',
});
export type DoneKey = 'drafted' | 'asked' | 'changed' | 'cancelled';
