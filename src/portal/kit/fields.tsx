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

/** One of a few. */
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

/** Any of a few, or with `radio` one of them. */
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

/** Text of several lines. */
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
  /** To the minute instead of the day. */
  readonly hasTime?: boolean;
}

/** A day or a moment, picked from the browser's calendar. */
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

/** Typed, with every zone offered. */
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

/** What is wrong with the form as a whole, and that something is. */
export function Trouble({ problems }: { readonly problems: Problems | undefined }) {
  if (!problems || Object.keys(problems).length === 0) return null;
  const text = problems['form'] ?? 'Nothing was saved. Please look at the marked fields.';
  return <Notice kind="bad">{text}</Notice>;
}

interface FormCardProps {
  readonly problems?: Problems | undefined;
  readonly children: ComponentChildren;
}

/** A card for a form, which begins with what is wrong. */
export const FormCard = ({ problems, children }: FormCardProps) => (
  <div class="card form-card">
    <div class="card-body">
      <Trouble problems={problems} />
      {children}
    </div>
  </div>
);
