import type { ComponentChildren } from 'preact';
import type { Problems } from './form.js';

/** Required in every POST form. */
export const CsrfField = ({ csrf }: { readonly csrf: string }) => (
  <input type="hidden" name="csrf" value={csrf} />
);

export interface Labelled {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** Problem with the submitted value. */
  readonly problem?: string | undefined;
  readonly isOptional?: boolean;
}

export type FieldState = Pick<Labelled, 'name' | 'problem'> & { readonly value: string };

/** Submitted values and problems, by field name. */
export const formFields =
  (form: URLSearchParams, problems: Problems = {}) =>
  (name: string): FieldState => ({ name, value: form.get(name) ?? '', problem: problems[name] });

/** Attributes that connect a control with its label. */
export const control = ({ name, problem }: Labelled, kind: 'form-control' | 'form-select') => ({
  class: problem ? `${kind} is-invalid` : kind,
  id: name,
  name,
});

/** IDs of the hint and problem of a field. */
export const notesOf = ({ name, hint, problem }: Labelled): string | undefined =>
  [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ') || undefined;

/** ARIA attributes, so that screen readers announce the hint and problem. */
export const described = (field: Labelled) => ({
  'aria-describedby': notesOf(field),
  'aria-invalid': field.problem ? ('true' as const) : undefined,
});

export const Notes = ({ name, hint, problem }: Labelled) => (
  <>
    {hint && (
      <small class="form-hint" id={`${name}-hint`}>
        {hint}
      </small>
    )}
    {problem && (
      <div class="problem" id={`${name}-problem`}>
        {problem}
      </div>
    )}
  </>
);

export const Label = ({ name, label, isOptional }: Labelled) => (
  <label class="form-label" for={name}>
    {label}
    {isOptional && <span class="text-secondary"> (optional)</span>}
  </label>
);

interface FieldProps extends Labelled {
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'search';
  readonly value?: string;
  readonly autocomplete?: string;
  readonly maxLength?: number;
  readonly isFocused?: boolean;
}

/** Input with label, hint and problem. */
export function FormField(props: FieldProps) {
  const { type = 'text', value, autocomplete, maxLength } = props;
  // The JSX types have one element per input type.
  const kind: object = { type };
  return (
    <div class="mb-3">
      <Label {...props} />
      <input
        {...control(props, 'form-control')}
        {...kind}
        value={value}
        autocomplete={autocomplete}
        maxLength={maxLength}
        required={!props.isOptional}
        autofocus={props.isFocused}
        {...described(props)}
      />
      <Notes {...props} />
    </div>
  );
}

interface NoticeProps {
  readonly kind?: 'good' | 'warn' | 'bad';
  readonly children: ComponentChildren;
}

/** Prominent message, announced by screen readers. */
export const Notice = ({ kind, children }: NoticeProps) => (
  <div class={`notice mb-3 ${kind ?? ''}`} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
);

interface DoneProps {
  /** The `done` parameter as received; unknown values render nothing. */
  readonly word: unknown;
}

/** Creates a component that shows the success message for the `done` parameter. */
export const doneBy =
  (texts: Readonly<Record<string, string>>) =>
  ({ word }: DoneProps) =>
    typeof word === 'string' && Object.hasOwn(texts, word) ? (
      <Notice kind="good">{texts[word]}</Notice>
    ) : null;

interface PostFormProps {
  readonly action?: string;
  readonly csrf: string;
  readonly children: ComponentChildren;
}

/** POST form with CSRF token. */
export const PostForm = ({ action, csrf, children }: PostFormProps) => (
  <form method="post" action={action} data-once>
    <CsrfField csrf={csrf} />
    {children}
  </form>
);

interface ButtonsProps {
  readonly label: string;
  readonly back: string;
  /** Label of the back link. */
  readonly stay?: string;
  readonly kind?: 'primary' | 'danger';
  /** Long labels: buttons wrap on narrow screens. */
  readonly isLong?: boolean;
}

/** Submit button and back link. */
export const FormButtons = ({
  label,
  back,
  stay = 'Back',
  kind = 'primary',
  isLong,
}: ButtonsProps) => (
  <div class={isLong ? 'd-flex flex-wrap gap-2' : 'd-flex gap-2'}>
    <button class={`btn btn-${kind}`}>{label}</button>
    <a class="btn" href={back}>
      {stay}
    </a>
  </div>
);
