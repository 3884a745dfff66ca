import { selfContained } from '../../common/markup.js';
import type { PortalContext } from '../../people/portal-context.js';
import type { SecurityProblems } from '../../people/security.service.js';
import { FormField, PostForm } from '../kit/form-components.js';
import { renderBarePage } from '../layout/shell.view.js';
import { NewPassword } from './new-password.view.js';

export const renderAsk = (context: PortalContext): string =>
  renderBarePage({
    title: 'Forgot your password?',
    children: (
      <PostForm csrf={context.csrf}>
        <p>Tell us your e-mail address. We send you a link to choose a new password.</p>
        <FormField
          name="email"
          label="E-mail"
          type="email"
          autocomplete="username"
          maxLength={254}
          isFocused
        />
        <button class="btn btn-primary w-100">Send the link</button>
        <BackToSignIn />
      </PostForm>
    ),
  });

/** The same for everybody. */
export const renderAsked = (): string =>
  renderBarePage({
    title: 'Look into your mailbox',
    children: (
      <>
        <p>
          If somebody has an account with this address, a link is on its way there. It works once,
          for an hour.
        </p>
        <p>Nothing arrives? Look among the unwanted mails, or ask again in a while.</p>
        <BackToSignIn />
      </>
    ),
  });

interface ChoosePage {
  readonly context: PortalContext;
  readonly email: string;
  readonly problems: SecurityProblems<'fresh' | 'again'>;
}

export const renderChoose = ({ context, email, problems }: ChoosePage): string =>
  renderBarePage({
    title: 'Choose a new password',
    children: (
      <PostForm csrf={context.csrf}>
        <p>
          For the account <bdi>{selfContained(email)}</bdi>. You will be signed out everywhere.
        </p>
        <NewPassword problems={problems} isFocused />
        <button class="btn btn-primary w-100">Change password</button>
      </PostForm>
    ),
  });

export const renderChosen = (): string =>
  renderBarePage({
    title: 'Your password is changed',
    children: (
      <>
        <p class="text-center">Sign in with the new one. You are signed out everywhere.</p>
        <a class="btn btn-primary w-100" href="/portal/sign-in">
          Sign in
        </a>
      </>
    ),
  });

const BackToSignIn = () => (
  <p class="mt-3 mb-0 text-center">
    <a href="/portal/sign-in">Back to the sign-in</a>
  </p>
);
