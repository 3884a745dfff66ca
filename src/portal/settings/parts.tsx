import type { ComponentChildren } from 'preact';
import { selfContained } from '../../common/markup.js';
import { Icon, type IconName } from '../layout/icons.js';
import { Notice, PostForm } from '../layout/parts.js';
import { renderPage } from '../layout/shell.view.js';
import { Moment } from '../people/moment.view.js';
import type { SignedVisit } from '../visit.js';

interface WhenProps {
  readonly at: Date | string | null;
  readonly zone: string;
  /** In the place of no moment. */
  readonly never?: string;
}

/** A moment in the merchant's zone; UTC for whoever points at it. */
export function When({ at, zone, never = 'Never' }: WhenProps) {
  if (at === null) return <span class="text-secondary">{never}</span>;
  return <Moment at={new Date(at)} timeZone={zone} />;
}

/** Text that somebody typed. */
export const Typed = ({ text }: { readonly text: string }) => <bdi>{selfContained(text)}</bdi>;

export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'idle';

interface TagProps {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly children: ComponentChildren;
}

/** A state: icon, word and colour say the same. */
export const Tag = ({ tone, icon, children }: TagProps) => (
  <span class={`tag ${tone}`}>
    <Icon name={icon} />
    {children}
  </span>
);

interface RowsProps {
  readonly caption: string;
  readonly columns: readonly string[];
  /** Those of the columns that hold numbers. */
  readonly numbers?: readonly string[];
  readonly children: ComponentChildren;
}

/** A table whose rows become cards where the window is narrow. */
export const Rows = ({ caption, columns, numbers = [], children }: RowsProps) => (
  <table class="table table-vcenter card-table setting-rows">
    <caption class="visually-hidden">{caption}</caption>
    <thead>
      <tr>
        {columns.map((column) => (
          <th scope="col" class={numbers.includes(column) ? 'num' : undefined}>
            {column}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

interface CellProps {
  readonly label: string;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

/** The label is seen where the heads of columns are not. */
export const Cell = ({ label, children, ...rest }: CellProps) => (
  <td data-label={label} {...rest}>
    <div>{children}</div>
  </td>
);

interface EmptyProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Nothing is there yet, and what to do next. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div class="card-body text-center py-5">
    <h2 class="h3">{title}</h2>
    <p class="text-secondary mb-0">{children}</p>
  </div>
);

interface Fact {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A name and what it stands for, within a `dl` of the class `fact-list`. */
export const FactRow = ({ label, children }: Fact) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

interface ConfirmProps {
  readonly visit: SignedVisit;
  readonly title: string;
  /** What will happen. */
  readonly children: ComponentChildren;
  readonly button: string;
  readonly back: string;
  /** On the way back. */
  readonly stay?: string;
  /** What the form sends along. */
  readonly hidden?: Readonly<Record<string, string>>;
}

/** Asks once more before something that cannot be taken back; the form goes to the page's address. */
export const renderConfirm = ({
  visit,
  title,
  children,
  button,
  back,
  stay = 'Keep it',
  hidden = {},
}: ConfirmProps): string =>
  renderPage({
    visit,
    title,
    children: (
      <div class="card form-card">
        <div class="card-body">
          {children}
          <PostForm csrf={visit.csrf}>
            {Object.entries(hidden).map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
            <div class="d-flex gap-2">
              <button class="btn btn-danger">{button}</button>
              <a class="btn" href={back}>
                {stay}
              </a>
            </div>
          </PostForm>
        </div>
      </div>
    ),
  });

interface SecretProps {
  readonly visit: SignedVisit;
  readonly title: string;
  readonly label: string;
  readonly secret: string;
  readonly back: string;
  readonly children?: ComponentChildren;
}

/** The only time that a secret is shown. */
export const renderSecret = ({ visit, title, label, secret, back, children }: SecretProps) =>
  renderPage({
    visit,
    title,
    children: (
      <div class="card form-card">
        <div class="card-body">
          <Notice kind="warn">
            Copy it now and keep it like a password. It is not shown again, and nobody can look it
            up.
          </Notice>
          <label class="form-label" for="secret">
            {label}
          </label>
          <input class="form-control secret-field mb-3" id="secret" readonly value={secret} />
          {children}
          <a class="btn btn-primary" href={back}>
            I have kept it
          </a>
        </div>
      </div>
    ),
  });

export const zoneNote = (zone: string): string => `Times in ${zone}`;

const DONE: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  added: 'Added. We have asked the mailbox’s owner to confirm.',
  asked: 'Asked again. A mailbox is asked every five minutes at most.',
  known: 'This address is in the list already.',
  tested: 'A test mail is on its way.',
  deleted: 'Deleted.',
  revoked: 'Revoked. Every program that uses the key is refused within 5 seconds.',
  sent: 'A test event is on its way. Reload the page to see what came of it.',
  resent: 'Sent once more. Reload the page to see what came of it.',
  enabled: 'Enabled. What has waited goes out now.',
  disabled: 'Disabled.',
  created: 'The merchant is there.',
  locked: 'Disabled, and signed out everywhere.',
  unlocked: 'Enabled. The person may sign in again.',
};

/** What the form before this page did; the address holds one of our own words only. */
export function Done({ word }: { readonly word: unknown }) {
  const text = typeof word === 'string' && Object.hasOwn(DONE, word) ? DONE[word] : undefined;
  return text ? <Notice kind="good">{text}</Notice> : null;
}
