import { selfContained } from '../../common/markup.js';
import type { OpenInvitation } from '../../database/people/user-link.repository.js';
import { type Invited, USER_NAME_MAX } from '../../people/invitations.service.js';
import type { PortalContext } from '../../people/portal-context.js';
import { roleName } from '../../people/roles.js';
import type { SecurityProblems } from '../../people/security.service.js';
import { CsrfField, FormField, PostForm } from '../kit/form-components.js';
import { renderBarePage } from '../layout/shell.view.js';
import { NewPassword } from './new-password.view.js';

interface InvitationPage {
  readonly context: PortalContext;
  readonly invitation: OpenInvitation;
  readonly invited: Invited;
  readonly token: string;
  readonly name?: string;
  readonly problems?: SecurityProblems<'name' | 'fresh' | 'again'>;
}

export const renderInvitation = (page: InvitationPage): string =>
  renderBarePage({
    title: 'You have been invited',
    children: (
      <>
        <p class="text-center">
          <strong>
            <bdi>{selfContained(page.invitation.merchantName)}</bdi>
          </strong>{' '}
          invites <bdi>{selfContained(page.invitation.email)}</bdi> to join its team with the role{' '}
          {roleName(page.invitation.role).toLowerCase()}.
        </p>
        {FORMS[page.invited](page)}
      </>
    ),
  });

const pathOf = ({ token }: InvitationPage): string => `/portal/invitation/${token}`;

function Register(page: InvitationPage) {
  const { context, name, problems = {} } = page;
  return (
    <PostForm action={`${pathOf(page)}/register`} csrf={context.csrf}>
      <FormField
        name="name"
        label="Your name"
        value={name ?? ''}
        problem={problems.name}
        autocomplete="name"
        maxLength={USER_NAME_MAX}
        isFocused
      />
      <NewPassword problems={problems} />
      <button class="btn btn-primary w-100">Join the team</button>
    </PostForm>
  );
}

const Accept = (page: InvitationPage) => (
  <PostForm action={`${pathOf(page)}/accept`} csrf={page.context.csrf}>
    <button class="btn btn-primary w-100">Join the team</button>
  </PostForm>
);

const SignIn = (page: InvitationPage) => (
  <a
    class="btn btn-primary w-100"
    href={`/portal/sign-in?next=${encodeURIComponent(pathOf(page))}`}
  >
    Sign in to join
  </a>
);

const SignOut = ({ context }: InvitationPage) => (
  <>
    <p class="text-center">
      You are signed in as <bdi>{selfContained(context.session?.email ?? '')}</bdi>. Sign out, then
      open the link in the email again.
    </p>
    <form method="post" action="/portal/sign-out">
      <CsrfField csrf={context.csrf} />
      <button class="btn w-100">Sign out</button>
    </form>
  </>
);

const FORMS = {
  new: Register,
  member: Accept,
  'signed-out': SignIn,
  'other-user': SignOut,
} as const;
