import type { ComponentChildren } from 'preact';
import type { SignedInContext } from '../../people/portal-context.js';
import { Notice, PostForm } from '../kit/form-components.js';
import { renderPage } from './shell.view.js';

interface ConfirmProps {
  readonly context: SignedInContext;
  readonly title: string;
  /** What will happen. */
  readonly children: ComponentChildren;
  readonly button: string;
  readonly back: string;
  /** On the way back. */
  readonly stay?: string;
  /** What the form sends along. */
  readonly hidden?: Readonly<Record<string, string>>;
}

/** Asks once more before something that cannot be taken back; the form goes to the page's address. */
export const renderConfirm = ({
  context,
  title,
  children,
  button,
  back,
  stay = 'Keep it',
  hidden = {},
}: ConfirmProps): string =>
  renderPage({
    context,
    title,
    children: (
      <div class="card form-card">
        <div class="card-body">
          {children}
          <PostForm csrf={context.csrf}>
            {Object.entries(hidden).map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
            <div class="d-flex gap-2">
              <button class="btn btn-danger">{button}</button>
              <a class="btn" href={back}>
                {stay}
              </a>
            </div>
          </PostForm>
        </div>
      </div>
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

/** The only time that a secret is shown. */
export const renderSecret = ({ context, title, label, secret, back, children }: SecretProps) =>
  renderPage({
    context,
    title,
    children: (
      <div class="card form-card">
        <div class="card-body">
          <Notice kind="warn">
            Copy it now and keep it like a password. It is not shown again, and nobody can look it
            up.
          </Notice>
          <label class="form-label" for="secret">
            {label}
          </label>
          <input class="form-control secret-field mb-3" id="secret" readonly value={secret} />
          {children}
          <a class="btn btn-primary" href={back}>
            I have kept it
          </a>
        </div>
      </div>
    ),
  });
