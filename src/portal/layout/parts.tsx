import type { ComponentChildren } from 'preact';

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

/** Ids of what is said about a field. */
export const notesOf = ({ name, hint, problem }: Labelled): string | undefined =>
  [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ') || undefined;

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
export function Field(props: FieldProps) {
  const { name, type = 'text', value, problem, autocomplete, maxLength } = props;
  // To the compiler, each type is an element of its own.
  const kind: object = { type };
  return (
    <div class="mb-3">
      <Label {...props} />
      <input
        class={problem ? 'form-control is-invalid' : 'form-control'}
        id={name}
        name={name}
        {...kind}
        value={value}
        autocomplete={autocomplete}
        maxLength={maxLength}
        required={!props.isOptional}
        autofocus={props.isFocused}
        aria-describedby={notesOf(props)}
        aria-invalid={problem ? 'true' : undefined}
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
