import { selfContained } from '../../common/markup.js';
import { Field, PostForm } from '../layout/parts.js';
import { renderBarePage } from '../layout/shell.view.js';
import type { Visit } from '../visit.js';
import { NewPassword } from './new-password.view.js';
import type { Problems } from './security.service.js';

export const renderAsk = (visit: Visit): string =>
  renderBarePage({
    title: 'Forgot your password?',
    children: (
      <PostForm csrf={visit.csrf}>
        <p>Tell us your e-mail address. We send you a link to choose a new password.</p>
        <Field
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
  readonly visit: Visit;
  readonly email: string;
  readonly problems: Problems<'fresh' | 'again'>;
}

export const renderChoose = ({ visit, email, problems }: ChoosePage): string =>
  renderBarePage({
    title: 'Choose a new password',
    children: (
      <PostForm csrf={visit.csrf}>
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
