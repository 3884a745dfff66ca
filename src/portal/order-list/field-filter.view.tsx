import type { ListLook } from './order-list-look.js';

/** Submitted values, and what is wrong with them. */
type Typed = Pick<ListLook, 'problems' | 'typed'>;

interface FilterLabel {
  readonly list: Typed;
  readonly name: string;
  readonly label: string;
}

interface FilterFieldProps extends FilterLabel {
  readonly type?: 'text' | 'date';
  readonly hint?: string;
  readonly maxLength?: number;
  readonly isDecimal?: boolean;
}

interface FilterChoiceProps<T extends string> extends FilterLabel {
  /** Options. */
  readonly choices: readonly T[];
  readonly chosen: T | null;
  readonly nameOf?: (choice: T) => string;
}

/** Select filter. Keeps a value from an old link even if it is no longer an option. */
export function FilterChoice<T extends string>(props: FilterChoiceProps<T>) {
  const { list, name, label, choices, chosen, nameOf = String } = props;
  const problem = problemOf(list, name);
  const all = chosen === null || choices.includes(chosen) ? choices : [chosen, ...choices];
  const id = `filter-${name}`;
  return (
    <div class="mb-3">
      <label class="form-label" for={id}>
        {label}
      </label>
      <select
        class={problem ? 'form-select is-invalid' : 'form-select'}
        id={id}
        name={name}
        aria-describedby={problem && `${id}-problem`}
        aria-invalid={problem ? 'true' : undefined}
      >
        <option value="">Any</option>
        {all.map((choice) => (
          <option value={choice} selected={choice === chosen}>
            {nameOf(choice)}
          </option>
        ))}
      </select>
      {problem && (
        <div class="problem" id={`${id}-problem`}>
          {problem}
        </div>
      )}
    </div>
  );
}

const problemOf = ({ problems }: Typed, name: string): string | undefined =>
  problems.find((each) => each.name === name)?.text;

/** Text filter. Shows the submitted value and its problem. */
export function FilterField(props: FilterFieldProps) {
  const { list, name, label, type = 'text', hint, maxLength, isDecimal } = props;
  const problem = problemOf(list, name);
  const id = `filter-${name}`;
  const notes = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  // A date field would drop invalid input. The JSX types have one element per input type.
  const kind: object = { type: problem ? 'text' : type };
  return (
    <div class="mb-3">
      <label class="form-label" for={id}>
        {label}
      </label>
      <input
        class={problem ? 'form-control is-invalid' : 'form-control'}
        id={id}
        name={name}
        {...kind}
        value={list.typed[name]}
        maxLength={maxLength}
        inputMode={isDecimal ? 'decimal' : undefined}
        autocomplete="off"
        aria-describedby={notes || undefined}
        aria-invalid={problem ? 'true' : undefined}
      />
      {hint && (
        <small class="form-hint" id={`${id}-hint`}>
          {hint}
        </small>
      )}
      {problem && (
        <div class="problem" id={`${id}-problem`}>
          {problem}
        </div>
      )}
    </div>
  );
}
