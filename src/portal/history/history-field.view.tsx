import type { HistoryLook } from './history.service.js';

interface FilterFieldProps {
  readonly look: HistoryLook;
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'date';
  readonly hint?: string;
  readonly maxLength?: number;
  readonly isDecimal?: boolean;
}

/** An input of the filter: keeps what was typed, and says what is wrong with it. */
export function FilterField(props: FilterFieldProps) {
  const { look, name, label, type = 'text', hint, maxLength, isDecimal } = props;
  const problem = look.problems.find((each) => each.name === name)?.text;
  const id = `filter-${name}`;
  const notes = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  // A field for days would lose what is no day. To the compiler, each type is an element of its own.
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
        value={look.typed.getAll(name).at(-1)}
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
