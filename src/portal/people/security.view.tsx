import { selfContained } from '../../common/markup.js';
import type { UserSession } from '../../database/people/user-session.entity.js';
import { PASSWORD_MAX } from '../../people/passwords/password-rules.js';
import type { SignedInContext } from '../../people/portal-context.js';
import { RECOVERY_CODES } from '../../people/second-factor/totp.service.js';
import type { SecurityProblems } from '../../people/security.service.js';
import { browserName } from '../../people/sessions/browser-name.js';
import { Card } from '../kit/card.js';
import { doneBy, FormField, Notice, PostForm } from '../kit/form-components.js';
import { Timestamp } from '../kit/moment.view.js';
import { renderPage } from '../layout/shell.view.js';
import { NewPassword } from './new-password.view.js';

/** The page belongs to no merchant, so there is no local time zone. */
const TIME_ZONE = 'UTC';

const Done = doneBy({
  password: 'Password changed. You were signed out of all other browsers.',
  session: 'Browser signed out.',
  sessions: 'You were signed out of all other browsers.',
});

/** Why two-factor authentication is required, by the `needed` parameter. */
const NEEDED = {
  change:
    'This action requires two-factor authentication. Set it up here, then try again. It takes about a minute.',
  live: 'Your role requires two-factor authentication in live mode. Set it up here, then open live mode again. It takes about a minute.',
  platform:
    'The platform’s pages require two-factor authentication. Set it up here to continue. It takes about a minute.',
} as const;

export const isNeed = (word: unknown): word is keyof typeof NEEDED =>
  typeof word === 'string' && Object.hasOwn(NEEDED, word);

export interface SecurityPage {
  readonly context: SignedInContext;
  readonly sessions: readonly UserSession[];
  readonly codesLeft: number;
  /** Set if the user was redirected here because two-factor authentication is missing. */
  readonly needed?: keyof typeof NEEDED;
  /** The `done` parameter. */
  readonly done?: unknown;
  readonly passwordProblems?: SecurityProblems<'old' | 'fresh' | 'again'>;
  readonly codeProblem?: string;
}

export const renderSecurity = (page: SecurityPage): string =>
  renderPage({
    context: page.context,
    title: 'Your account',
    subtitle: <bdi>{selfContained(page.context.session.email)}</bdi>,
    children: (
      <div class="people">
        <Done word={page.done} />
        {page.needed && <Notice kind="warn">{NEEDED[page.needed]}</Notice>}
        <SecondFactor {...page} />
        <Password {...page} />
        <Sessions {...page} />
      </div>
    ),
  });

function SecondFactor({ context, codesLeft, codeProblem }: SecurityPage) {
  const isOn = context.session.hasSecondFactor;
  const title = (
    <>
      Two-factor authentication{' '}
      <span class={isOn ? 'tag good' : 'tag warn'}>{isOn ? 'On' : 'Off'}</span>
    </>
  );
  return (
    <Card id="second-factor" title={title}>
      <p>
        {isOn
          ? 'Signing in requires your password and a code from your authenticator app.'
          : 'Protects your account with a code from an authenticator app, even if your password leaks.'}
      </p>
      <a class={isOn ? 'btn' : 'btn btn-primary'} href="/portal/security/second-factor">
        {isOn ? 'Change authenticator app' : 'Set up'}
      </a>
      {isOn && <RecoveryCodes csrf={context.csrf} left={codesLeft} problem={codeProblem} />}
    </Card>
  );
}

interface RecoveryProps {
  readonly csrf: string;
  readonly left: number;
  readonly problem: string | undefined;
}

const RecoveryCodes = ({ csrf, left, problem }: RecoveryProps) => (
  <>
    <h3 class="mt-4">Recovery codes</h3>
    <p>
      {left} of {RECOVERY_CODES} left. Each code signs you in once if you cannot use your app. New
      codes replace all old ones.
    </p>
    <PostForm action="/portal/security/recovery-codes" csrf={csrf}>
      <FormField
        name="code"
        label="Code from your app"
        problem={problem}
        autocomplete="one-time-code"
        maxLength={20}
      />
      <button class="btn">Create new codes</button>
    </PostForm>
  </>
);

const Password = ({ context, passwordProblems = {} }: SecurityPage) => (
  <Card id="password" title="Password">
    <PostForm action="/portal/security/password" csrf={context.csrf}>
      <FormField
        name="old"
        label="Current password"
        type="password"
        autocomplete="current-password"
        maxLength={PASSWORD_MAX}
        problem={passwordProblems.old}
      />
      <NewPassword problems={passwordProblems} />
      <button class="btn btn-primary">Change password</button>
    </PostForm>
  </Card>
);

const Sessions = ({ context, sessions }: SecurityPage) => (
  <Card id="sessions" title="Active sessions">
    <p class="text-secondary">Times are in {TIME_ZONE}.</p>
    <ul class="list-group mb-3">
      {sessions.map((session) => (
        <SessionItem context={context} session={session} />
      ))}
    </ul>
    {sessions.length > 1 && (
      <PostForm action="/portal/security/sessions/end-others" csrf={context.csrf}>
        <button class="btn">Sign out all other browsers</button>
      </PostForm>
    )}
  </Card>
);

interface ItemProps {
  readonly context: SignedInContext;
  readonly session: UserSession;
}

function SessionItem({ context, session }: ItemProps) {
  const isThis = session.id === context.session.id;
  const name = browserName(session.agent);
  return (
    <li class="list-group-item d-flex flex-wrap gap-3 align-items-center">
      <div class="flex-fill">
        <div>
          <strong>{name}</strong> {isThis && <span class="tag good">This browser</span>}
        </div>
        <div class="text-secondary">
          From <bdi>{selfContained(session.address)}</bdi>. Signed in{' '}
          <Timestamp at={session.createdAt} timeZone={TIME_ZONE} />, last used{' '}
          <Timestamp at={session.seenAt} timeZone={TIME_ZONE} />.
        </div>
      </div>
      {!isThis && (
        <PostForm action={`/portal/security/sessions/${session.id}/end`} csrf={context.csrf}>
          <button class="btn btn-sm" aria-label={`Sign out ${name}`}>
            Sign out
          </button>
        </PostForm>
      )}
    </li>
  );
}
