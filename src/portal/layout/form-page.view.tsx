import type { ComponentChildren } from 'preact';
import type { SignedInContext } from '../../people/portal-context.js';
import { FormCard } from '../kit/fields.js';
import { FormButtons, Notice, PostForm } from '../kit/form-components.js';
import type { Problems } from '../kit/form.js';
import { renderPage } from './shell.view.js';

interface FormPageProps {
  readonly context: SignedInContext;
  readonly title: string;
  readonly subtitle?: ComponentChildren;
  readonly problems: Problems | undefined;
  /** Above the form. */
  readonly intro?: ComponentChildren;
  /** The fields. */
  readonly children: ComponentChildren;
  readonly button: string;
  readonly back: string;
}

/** Page with one form that posts to its own URL. */
export const renderForm = ({ problems, intro, children, button, back, ...page }: FormPageProps) =>
  renderPage({
    ...page,
    children: (
      <FormCard problems={problems}>
        {intro}
        <PostForm csrf={page.context.csrf}>
          {children}
          <FormButtons label={button} back={back} />
        </PostForm>
      </FormCard>
    ),
  });

interface ConfirmProps {
  readonly context: SignedInContext;
  readonly title: string;
  /** Consequences of the action. */
  readonly children: ComponentChildren;
  readonly button: string;
  readonly back: string;
  /** Label of the back link. */
  readonly stay?: string;
  /** Hidden fields. */
  readonly hidden?: Readonly<Record<string, string>>;
}

/** Confirmation page of an irreversible action; the form posts to its own URL. */
export const renderConfirm = ({
  context,
  title,
  children,
  button,
  back,
  stay = 'Cancel',
  hidden = {},
}: ConfirmProps): string =>
  renderPage({
    context,
    title,
    children: (
      <FormCard>
        {children}
        <PostForm csrf={context.csrf}>
          {Object.entries(hidden).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <FormButtons label={button} back={back} stay={stay} kind="danger" />
        </PostForm>
      </FormCard>
    ),
  });

interface SecretProps {
  readonly context: SignedInContext;
  readonly title: string;
  readonly label: string;
  readonly secret: string;
  readonly back: string;
  readonly children?: ComponentChildren;
}

/** Shows a secret once. */
export const renderSecret = ({ context, title, label, secret, back, children }: SecretProps) =>
  renderPage({
    context,
    title,
    children: (
      <FormCard>
        <Notice kind="warn">
          Copy it now and store it like a password. It is not shown again and cannot be recovered.
        </Notice>
        <label class="form-label" for="secret">
          {label}
        </label>
        <input class="form-control secret-field mb-3" id="secret" readonly value={secret} />
        {children}
        <a class="btn btn-primary" href={back}>
          I have saved it
        </a>
      </FormCard>
    ),
  });
