import { Icon } from '../layout/icons.js';
import { Notice } from '../layout/parts.js';

interface TurnProps {
  readonly to: 'newer' | 'older';
  readonly words: string;
  /** Null where there is nothing. */
  readonly href: string | null;
}

/** A link to the page before, or the one behind. */
export function Turn({ to, words, href }: TurnProps) {
  const content = (
    <>
      {to === 'newer' && <Icon name="newer" />}
      {words}
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

const DONE: Readonly<Record<string, string>> = {
  drafted: 'The draft is saved.',
  asked: 'The payout is asked for.',
  changed: 'The change is saved.',
  cancelled: 'The payout is cancelled.',
};
export type DoneWord = 'drafted' | 'asked' | 'changed' | 'cancelled';

/** What the form before this page did; the address holds one of our own words only. */
export function PayoutDone({ word }: { readonly word: unknown }) {
  const text = typeof word === 'string' && Object.hasOwn(DONE, word) ? DONE[word] : undefined;
  return text ? <Notice kind="good">{text}</Notice> : null;
}
