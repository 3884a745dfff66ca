import type { ComponentChildren } from 'preact';
import type { Problems } from './form.js';

/** Every form that posts has it. */
export const CsrfField = ({ csrf }: { readonly csrf: string }) => (
  <input type="hidden" name="csrf" value={csrf} />
);

export interface Labelled {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with what was typed. */
  readonly problem?: string | undefined;
  readonly isOptional?: boolean;
}

export type FieldState = Pick<Labelled, 'name' | 'problem'> & { readonly value: string };

/** What the fields of a form show: as it was typed, and what is wrong with it. */
export const formFields =
  (form: URLSearchParams, problems: Problems = {}) =>
  (name: string): FieldState => ({ name, value: form.get(name) ?? '', problem: problems[name] });

/** What every control begins with, so that its label finds it. */
export const control = ({ name, problem }: Labelled, kind: 'form-control' | 'form-select') => ({
  class: problem ? `${kind} is-invalid` : kind,
  id: name,
  name,
});

/** Ids of what is said about a field. */
export const notesOf = ({ name, hint, problem }: Labelled): string | undefined =>
  [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ') || undefined;

/** What every control ends with, so that whoever hears the page hears its notes. */
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

/** An input with its label, its hint, and what is wrong with it. */
export function FormField(props: FieldProps) {
  const { type = 'text', value, autocomplete, maxLength } = props;
  // To the compiler, each type is an element of its own.
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

/** Something to know before all else; read aloud when it appears. */
export const Notice = ({ kind, children }: NoticeProps) => (
  <div class={`notice mb-3 ${kind ?? ''}`} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
);

interface DoneProps {
  /** As the address has it: one of our own words, or anything else. */
  readonly word: unknown;
}

/** Makes what tells, by the word in the address, what the form before a page did. */
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

/** A form that changes something. */
export const PostForm = ({ action, csrf, children }: PostFormProps) => (
  <form method="post" action={action} data-once>
    <CsrfField csrf={csrf} />
    {children}
  </form>
);

interface ButtonsProps {
  readonly label: string;
  readonly back: string;
  /** On the way back. */
  readonly stay?: string;
  readonly kind?: 'primary' | 'danger';
  /** Long labels stand below each other on a narrow screen. */
  readonly isLong?: boolean;
}

/** Sends the form, or leaves it. */
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
