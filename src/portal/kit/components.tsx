import type { ComponentChildren } from 'preact';
import { selfContained } from '../../common/markup.js';
import { doneBy } from './form-components.js';
import { Timestamp } from './moment.view.js';

interface WhenProps {
  readonly at: Date | string | null;
  readonly zone: string;
  /** Text if there is no time. */
  readonly never?: string;
}

/** A time in the merchant's time zone, with UTC as tooltip. */
export function When({ at, zone, never = 'Never' }: WhenProps) {
  if (at === null) return <span class="text-secondary">{never}</span>;
  return <Timestamp at={new Date(at)} timeZone={zone} />;
}

/** User input, isolated from the direction of the surrounding text. */
export const Typed = ({ text }: { readonly text: string }) => <bdi>{selfContained(text)}</bdi>;

interface RowsProps {
  readonly caption: string;
  readonly columns: readonly string[];
  /** Names of the numeric columns. */
  readonly numbers?: readonly string[];
  readonly children: ComponentChildren;
}

/** A table whose rows become cards on narrow screens. */
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

/** The label is visible where the column headers are not. */
export const Cell = ({ label, children, ...rest }: CellProps) => (
  <td data-label={label} {...rest}>
    <div>{children}</div>
  </td>
);

interface EmptyProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Empty state with the next step. */
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

/** Term and description, inside a `dl.fact-list`. */
export const DetailRow = ({ label, children }: Detail) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

export const zoneNote = (zone: string): string => `Times in ${zone}`;

/** Success messages, by the `done` parameter. */
export const Done = doneBy({
  saved: 'Saved.',
  added: 'Added. We sent a confirmation email to this address.',
  asked: 'Confirmation email resent. It is sent at most every five minutes.',
  known: 'This address is already in the list.',
  tested: 'Test email sent.',
  deleted: 'Deleted.',
  revoked: 'Revoked. The key stops working within 5 seconds.',
  sent: 'Test event sent. Reload the page to see the result.',
  resent: 'Resent. Reload the page to see the result.',
  enabled: 'Enabled. Pending deliveries are sent now.',
  disabled: 'Disabled.',
  created: 'Merchant created.',
  locked: 'Disabled and signed out of all browsers.',
  unlocked: 'Enabled. This person gets a mail with a link to choose a new password.',
});

interface CopyableProps {
  /** What the text is, for screen readers. */
  readonly name: string;
  readonly text: string;
}

/** Text with a button that copies it, if the browser can. */
export const Copyable = ({ name, text }: CopyableProps) => (
  <div class="command">
    <pre tabindex={0} aria-label={name}>
      <code>{text}</code>
    </pre>
    <button class="btn btn-sm" type="button" data-copy hidden>
      Copy
    </button>
  </div>
);
