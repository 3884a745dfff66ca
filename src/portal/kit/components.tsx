import type { ComponentChildren } from 'preact';
import { selfContained } from '../../common/markup.js';
import { doneBy } from './form-components.js';
import { Timestamp } from './moment.view.js';

interface WhenProps {
  readonly at: Date | string | null;
  readonly zone: string;
  /** In the place of no moment. */
  readonly never?: string;
}

/** A moment in the merchant's zone; UTC for whoever points at it. */
export function When({ at, zone, never = 'Never' }: WhenProps) {
  if (at === null) return <span class="text-secondary">{never}</span>;
  return <Timestamp at={new Date(at)} timeZone={zone} />;
}

/** Text that somebody typed. */
export const Typed = ({ text }: { readonly text: string }) => <bdi>{selfContained(text)}</bdi>;

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

interface Detail {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A name and what it stands for, within a `dl` of the class `fact-list`. */
export const DetailRow = ({ label, children }: Detail) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

export const zoneNote = (zone: string): string => `Times in ${zone}`;

/** What the form before this page did. */
export const Done = doneBy({
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
});
