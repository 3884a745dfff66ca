import type { ComponentChildren } from 'preact';

interface HeadProps {
  readonly isNumber?: boolean;
  readonly children: ComponentChildren;
}

/** Explicit ARIA roles: table elements lose their semantics when CSS lays them out as cards. */
export const Head = ({ isNumber, children }: HeadProps) => (
  <th scope="col" role="columnheader" class={isNumber ? 'num' : undefined}>
    {children}
  </th>
);

interface CellProps {
  /** CSS classes for position and style on a card. */
  readonly kind: string;
  /** Label in front of the value on a card. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

export const CardCell = ({ kind, label, children }: CellProps) => (
  <td role="cell" class={kind} data-label={label}>
    {children}
  </td>
);
