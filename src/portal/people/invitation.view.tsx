import { selfContained } from '../../common/markup.js';
import type { OpenInvitation } from '../../database/repositories/user-link.repository.js';
import { CsrfField, Field, PostForm } from '../layout/parts.js';
import { renderBarePage } from '../layout/shell.view.js';
import { ROLE_NAMES } from '../roles.js';
import type { Visit } from '../visit.js';
import { type Invited, NAME_MAX } from './invitations.service.js';
import { NewPassword } from './new-password.view.js';
import type { Problems } from './security.service.js';

interface InvitationPage {
  readonly visit: Visit;
  readonly invitation: OpenInvitation;
  readonly invited: Invited;
  readonly token: string;
  readonly name?: string;
  readonly problems?: Problems<'name' | 'fresh' | 'again'>;
}

export const renderInvitation = (page: InvitationPage): string =>
  renderBarePage({
    title: 'You are invited',
    children: (
      <>
        <p class="text-center">
          <strong>
            <bdi>{selfContained(page.invitation.merchantName)}</bdi>
          </strong>{' '}
          invites <bdi>{selfContained(page.invitation.email)}</bdi> to its team, with the role{' '}
          {ROLE_NAMES[page.invitation.role].toLowerCase()}.
        </p>
        {FORMS[page.invited](page)}
      </>
    ),
  });

const pathOf = ({ token }: InvitationPage): string => `/portal/invitation/${token}`;

function Register(page: InvitationPage) {
  const { visit, name, problems = {} } = page;
  return (
    <PostForm action={`${pathOf(page)}/register`} csrf={visit.csrf}>
      <Field
        name="name"
        label="Your name"
        value={name ?? ''}
        problem={problems.name}
        autocomplete="name"
        maxLength={NAME_MAX}
        isFocused
      />
      <NewPassword problems={problems} />
      <button class="btn btn-primary w-100">Join the team</button>
    </PostForm>
  );
}

const Accept = (page: InvitationPage) => (
  <PostForm action={`${pathOf(page)}/accept`} csrf={page.visit.csrf}>
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

const SignOut = ({ visit }: InvitationPage) => (
  <>
    <p class="text-center">
      You are signed in as <bdi>{selfContained(visit.session?.email ?? '')}</bdi>. Sign out, then
      open the link in the mail again.
    </p>
    <form method="post" action="/portal/sign-out">
      <CsrfField csrf={visit.csrf} />
      <button class="btn w-100">Sign out</button>
    </form>
  </>
);

const FORMS = {
  new: Register,
  member: Accept,
  'signed-out': SignIn,
  'somebody-else': SignOut,
} as const;
