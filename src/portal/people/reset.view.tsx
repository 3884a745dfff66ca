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
        <p>Enter your email address. We will send you a link to choose a new password.</p>
        <FormField
          name="email"
          label="Email"
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

/** The same for all addresses, so that the page does not reveal which accounts exist. */
export const renderAsked = (): string =>
  renderBarePage({
    title: 'Check your email',
    children: (
      <>
        <p>
          If there is an account with this address, we have sent it a link. The link works once,
          within one hour.
        </p>
        <p>No email? Check your spam folder or try again later.</p>
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
          For the account <bdi>{selfContained(email)}</bdi>. You will be signed out of all browsers.
        </p>
        <NewPassword problems={problems} isFocused />
        <button class="btn btn-primary w-100">Change password</button>
      </PostForm>
    ),
  });

export const renderChosen = (): string =>
  renderBarePage({
    title: 'Password changed',
    children: (
      <>
        <p class="text-center">
          Sign in with your new password. You were signed out of all browsers.
        </p>
        <a class="btn btn-primary w-100" href="/portal/sign-in">
          Sign in
        </a>
      </>
    ),
  });

const BackToSignIn = () => (
  <p class="mt-3 mb-0 text-center">
    <a href="/portal/sign-in">Back to sign-in</a>
  </p>
);
