import type { ComponentChildren } from 'preact';

interface HeadProps {
  readonly isNumber?: boolean;
  readonly children: ComponentChildren;
}

/**
 * The roles say again what each part of a table is, because an element that is laid out as a card
 * loses its meaning.
 */
export const Head = ({ isNumber, children }: HeadProps) => (
  <th scope="col" role="columnheader" class={isNumber ? 'num' : undefined}>
    {children}
  </th>
);

interface CellProps {
  /** Where it stands on a card, and how it looks. */
  readonly kind: string;
  /** Stands before it on a card. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

export const CardCell = ({ kind, label, children }: CellProps) => (
  <td role="cell" class={kind} data-label={label}>
    {children}
  </td>
);
