import type { PortalContext } from '../../people/portal-context.js';
import { FormField, Notice, PostForm } from '../kit/form-components.js';
import { renderBarePage } from '../layout/shell.view.js';
import { CodeField } from './code-field.view.js';

interface SignInPage {
  readonly context: PortalContext;
  /** Page to open after the sign-in. */
  readonly next: string | null;
  readonly email?: string;
  readonly isRefused?: boolean;
}

export const renderSignIn = ({ context, next, email, isRefused }: SignInPage): string =>
  renderBarePage({
    title: 'Sign in',
    children: (
      <PostForm csrf={context.csrf}>
        {isRefused && <Notice kind="bad">Wrong email or password.</Notice>}
        {next && <input type="hidden" name="next" value={next} />}
        <FormField
          name="email"
          label="Email"
          type="email"
          value={email ?? ''}
          autocomplete="username"
          maxLength={254}
          isFocused={!email}
        />
        <FormField
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          maxLength={1024}
          isFocused={Boolean(email)}
        />
        <button class="btn btn-primary w-100">Sign in</button>
        <p class="mt-3 mb-0 text-center">
          <a href="/portal/reset">Forgot your password?</a>
        </p>
      </PostForm>
    ),
  });

interface CodePage {
  readonly context: PortalContext;
  readonly next: string | null;
  readonly isRefused?: boolean;
}

export const renderCode = ({ context, next, isRefused }: CodePage): string =>
  renderBarePage({
    title: 'Two-factor authentication',
    children: (
      <>
        <PostForm csrf={context.csrf}>
          {isRefused && (
            <Notice kind="bad">This code is invalid or expired. Wait for the next one.</Notice>
          )}
          {next && <input type="hidden" name="next" value={next} />}
          <CodeField />
          <button class="btn btn-primary w-100">Continue</button>
        </PostForm>
        <form class="mt-3 text-center" method="post" action="/portal/sign-out">
          <input type="hidden" name="csrf" value={context.csrf} />
          <button class="btn btn-link">Use another account</button>
        </form>
      </>
    ),
  });
