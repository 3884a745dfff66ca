import { PASSWORD_MAX } from '../../people/passwords/password-rules.js';
import { drawQr } from '../../common/qr-code.js';
import { QrCode } from '../../http/qr-code.view.js';
import type { SignedInContext } from '../../people/portal-context.js';
import type { TotpSetup } from '../../people/second-factor/totp.service.js';
import type { SecurityProblems } from '../../people/security.service.js';
import { FormField, Notice, PostForm } from '../kit/form-components.js';
import { renderPage } from '../layout/shell.view.js';

interface SetUpPage {
  readonly context: SignedInContext;
  readonly setup: TotpSetup;
  readonly problems: SecurityProblems<'proof' | 'code'>;
}

/** The form carries the secret: it is stored only after a code confirms it. */
export const renderSecondFactor = ({ context, setup, problems }: SetUpPage): string =>
  renderPage({
    context,
    title: context.session.hasSecondFactor
      ? 'Change authenticator app'
      : 'Set up two-factor authentication',
    subtitle: <a href="/portal/security">Your account</a>,
    children: (
      <div class="people card">
        <div class="card-body">
          <ol class="steps-list">
            <li>
              <h2 class="h3">Scan this with your authenticator app</h2>
              <QrCode drawing={drawQr(setup.uri)} label="QR code for an authenticator app" />
              <p>
                Or enter this key: <code class="secret">{inFours(setup.secret)}</code>
              </p>
            </li>
            <li>
              <h2 class="h3">Confirm it</h2>
              <PostForm action="/portal/security/second-factor" csrf={context.csrf}>
                <input type="hidden" name="secret" value={setup.secret} />
                <Proof hasApp={context.session.hasSecondFactor} problem={problems.proof} />
                <FormField
                  name="code"
                  label="Code from the new app"
                  problem={problems.code}
                  autocomplete="one-time-code"
                  maxLength={20}
                />
                <button class="btn btn-primary">Confirm</button>
              </PostForm>
            </li>
          </ol>
        </div>
      </div>
    ),
  });

interface ProofProps {
  readonly hasApp: boolean;
  readonly problem: string | undefined;
}

/** Proof of identity: protects against access to an unattended browser. */
const Proof = ({ hasApp, problem }: ProofProps) =>
  hasApp ? (
    <FormField
      name="proof"
      label="Code from your old app or a recovery code"
      problem={problem}
      autocomplete="off"
      maxLength={20}
    />
  ) : (
    <FormField
      name="proof"
      label="Your password"
      type="password"
      problem={problem}
      autocomplete="current-password"
      maxLength={PASSWORD_MAX}
    />
  );

const inFours = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? '';

/** Shown only once. */
export const renderRecoveryCodes = (context: SignedInContext, codes: readonly string[]): string =>
  renderPage({
    context,
    title: 'Your recovery codes',
    children: (
      <div class="people card">
        <div class="card-body">
          <Notice kind="good">Two-factor authentication is on.</Notice>
          <p>
            Store these codes where you can find them without your phone: on paper or in a password
            manager. Each code works once. They are not shown again.
          </p>
          <ul class="codes">
            {codes.map((code) => (
              <li>
                <code>{code}</code>
              </li>
            ))}
          </ul>
          <a class="btn btn-primary" href="/portal">
            I have saved them
          </a>
        </div>
      </div>
    ),
  });
