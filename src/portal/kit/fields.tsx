import type { ComponentChildren } from 'preact';
import {
  control,
  described,
  Label,
  type Labelled,
  Notes,
  notesOf,
  Notice,
} from './form-components.js';
import type { Problems } from './form.js';

export type Option = readonly [value: string, label: string];

interface ChoiceProps extends Labelled {
  readonly options: readonly Option[];
  readonly value: string;
}

/** Select field. */
export const Choice = (props: ChoiceProps) => (
  <div class="mb-3">
    <Label {...props} />
    <select {...control(props, 'form-select')} {...described(props)}>
      {props.options.map(([value, label]) => (
        <option value={value} selected={value === props.value}>
          {label}
        </option>
      ))}
    </select>
    <Notes {...props} />
  </div>
);

interface ChecksProps extends Labelled {
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly type?: 'checkbox' | 'radio';
}

/** Checkboxes or radio buttons. */
export const Checks = ({ type = 'checkbox', ...props }: ChecksProps) => (
  <fieldset class="mb-3" aria-describedby={notesOf(props)}>
    <legend class="form-label">{props.label}</legend>
    {props.options.map(([value, label]) => (
      <label class="form-check">
        <input
          class="form-check-input"
          type={type}
          name={props.name}
          value={value}
          checked={props.chosen.includes(value)}
        />
        <span class="form-check-label">{label}</span>
      </label>
    ))}
    <Notes {...props} />
  </fieldset>
);

interface AreaProps extends Labelled {
  readonly value: string;
  readonly rows?: number;
  readonly maxLength?: number;
}

/** Multi-line text field. */
export const Area = ({ rows = 3, ...props }: AreaProps) => (
  <div class="mb-3">
    <Label {...props} />
    <textarea
      {...control(props, 'form-control')}
      rows={rows}
      maxLength={props.maxLength}
      {...described(props)}
    >
      {props.value}
    </textarea>
    <Notes {...props} />
  </div>
);

interface DayProps extends Labelled {
  readonly value: string;
  /** Date and time instead of a date. */
  readonly hasTime?: boolean;
}

/** Date field with the browser's date picker. */
export function Day({ hasTime, ...props }: DayProps) {
  const type = hasTime ? 'datetime-local' : 'date';
  return (
    <div class="mb-3">
      <Label {...props} />
      <input
        {...control(props, 'form-control')}
        type={type}
        value={props.value}
        required={!props.isOptional}
        {...described(props)}
      />
      <Notes {...props} />
    </div>
  );
}

const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** Time zone field with suggestions. */
export const ZoneField = (props: Labelled & { readonly value: string }) => (
  <div class="mb-3">
    <Label {...props} />
    <input
      {...control(props, 'form-control')}
      type="text"
      list={`${props.name}-list`}
      value={props.value}
      maxLength={64}
      autocomplete="off"
      required={!props.isOptional}
      {...described(props)}
    />
    <datalist id={`${props.name}-list`}>
      {ZONES.map((zone) => (
        <option value={zone} />
      ))}
    </datalist>
    <Notes {...props} />
  </div>
);

/** Problem of the whole form, or a note that some fields are invalid. */
export function Trouble({ problems }: { readonly problems: Problems | undefined }) {
  if (!problems || Object.keys(problems).length === 0) return null;
  const text = problems['form'] ?? 'Nothing was saved. Please check the marked fields.';
  return <Notice kind="bad">{text}</Notice>;
}

interface FormCardProps {
  readonly problems?: Problems | undefined;
  readonly children: ComponentChildren;
}

/** Card for a form, with its problems on top. */
export const FormCard = ({ problems, children }: FormCardProps) => (
  <div class="card form-card">
    <div class="card-body">
      <Trouble problems={problems} />
      {children}
    </div>
  </div>
);
