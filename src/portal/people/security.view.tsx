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

/** Of these a page without a merchant can speak to everybody. */
const TIME_ZONE = 'UTC';

const Done = doneBy({
  password: 'Your password is changed. You are signed out everywhere else.',
  session: 'That browser is signed out.',
  sessions: 'You are signed out everywhere else.',
});

/** Why the second factor is asked for, by the word in the address. */
const NEEDED = {
  change:
    'This decides who has access, where money goes, or what payers and programs are told, so it takes a code of a second step. Set it up here, then do it again. It takes about a minute.',
  live: 'Live mode shows real payers and moves real money, so your role needs a second step at the sign-in. Set it up here, then open live mode again. It takes about a minute.',
  platform:
    'The platform’s pages are about the money of all merchants, so your role needs a second step at the sign-in. Set it up here, and you are led on to them. It takes about a minute.',
} as const;

export const isNeed = (word: unknown): word is keyof typeof NEEDED =>
  typeof word === 'string' && Object.hasOwn(NEEDED, word);

export interface SecurityPage {
  readonly context: SignedInContext;
  readonly sessions: readonly UserSession[];
  readonly codesLeft: number;
  /** Sent here because the second factor is missing, and where to. */
  readonly needed?: keyof typeof NEEDED;
  /** The word in the address. */
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
      Second step at the sign-in{' '}
      <span class={isOn ? 'tag good' : 'tag warn'}>{isOn ? 'On' : 'Off'}</span>
    </>
  );
  return (
    <Card id="second-factor" title={title}>
      <p>
        {isOn
          ? 'After your password you are asked for a code from your authenticator app.'
          : 'With an authenticator app, somebody who knows your password still cannot sign in.'}
      </p>
      <a class={isOn ? 'btn' : 'btn btn-primary'} href="/portal/security/second-factor">
        {isOn ? 'Change to another app' : 'Set up an app'}
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
      {left} of {RECOVERY_CODES} are left. Each signs you in once when your app is out of reach. New
      ones replace all of the old.
    </p>
    <PostForm action="/portal/security/recovery-codes" csrf={csrf}>
      <FormField
        name="code"
        label="Code from your app"
        problem={problem}
        autocomplete="one-time-code"
        maxLength={20}
      />
      <button class="btn">Make new codes</button>
    </PostForm>
  </>
);

const Password = ({ context, passwordProblems = {} }: SecurityPage) => (
  <Card id="password" title="Password">
    <PostForm action="/portal/security/password" csrf={context.csrf}>
      <FormField
        name="old"
        label="Your password now"
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
  <Card id="sessions" title="Where you are signed in">
    <p class="text-secondary">Times are in {TIME_ZONE}.</p>
    <ul class="list-group mb-3">
      {sessions.map((session) => (
        <SessionItem context={context} session={session} />
      ))}
    </ul>
    {sessions.length > 1 && (
      <PostForm action="/portal/security/sessions/end-others" csrf={context.csrf}>
        <button class="btn">Sign out everywhere else</button>
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
