interface ChipProps {
  readonly label: string;
  readonly href: string;
  readonly isChosen: boolean;
  /** Null if not counted. */
  readonly count: string | null;
}

/** Link that filters a list, with the number of its rows. */
export const FilterChip = ({ label, href, isChosen, count }: ChipProps) => (
  <li>
    <a class="chip" href={href} aria-current={isChosen ? 'true' : undefined}>
      {label} {count && <span>{count}</span>}
    </a>
  </li>
);
