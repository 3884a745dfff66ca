import { STATUS_CODES } from 'node:http';
import { FAILURE_CODES } from '../common/decline-codes.js';
import { type ErrorCode, type ErrorDefinition, ERRORS } from '../http/problems/errors.js';
import { FIELD_ERRORS, type FieldErrorCode } from '../http/problems/field-errors.js';
import { Prose, renderDocsPage } from './docs.view.js';
import { EXAMPLES } from './openapi/examples.js';

/** An operation in the reference. */
export interface OperationLink {
  readonly name: string;
  readonly href: string;
}

const statusText = (status: number): string => `${status} ${STATUS_CODES[status] ?? ''}`.trim();

/** All errors on one page. */
export function renderErrorList(): Promise<string> {
  const byStatus = Map.groupBy(Object.entries(ERRORS), ([, { status }]) => status);
  return renderDocsPage({
    title: 'Errors',
    current: 'Errors',
    children: (
      <main class="page">
        <h1>Errors</h1>
        <p class="lead">
          Every error of an operation is <code>application/problem+json</code> (RFC 9457). Let
          programs decide by <code>code</code>, which never changes its meaning, and show people{' '}
          <code>detail</code>.
        </p>
        {[...byStatus].map(([status, errors]) => (
          <StatusGroup key={status} status={status} errors={errors} />
        ))}
        <h2 id="fields">Bad fields</h2>
        <p>
          A <a href="/errors/validation_failed">422 validation_failed</a> lists every bad field in{' '}
          <code>errors</code>, each with one of these codes.
        </p>
        <dl class="codes">
          {Object.entries(FIELD_ERRORS).map(([code, meaning]) => (
            <Entry key={code} code={code} text={meaning} />
          ))}
        </dl>
        <FailedPayments />
      </main>
    ),
  });
}

/** Not errors of requests: values of `payment.error.code`, and of `statusReason` of a failed order. */
const FailedPayments = () => (
  <>
    <h2 id="payments">Failed payments</h2>
    <p>
      A payment that fails is no error of a request. The order says why in{' '}
      <code>payment.error.code</code>, and once it has <code>failed</code> in{' '}
      <code>statusReason</code>. Codes may be added, and providers may have others: treat one that
      you do not know as <code>declined</code>.
    </p>
    <dl class="codes">
      {Object.entries(FAILURE_CODES).map(([code, { meaning, another }]) => (
        <div key={code}>
          <dt id={`payment-${code}`}>
            <code>{code}</code>
          </dt>
          <dd>
            {meaning} Can another try help? {another}
          </dd>
        </div>
      ))}
    </dl>
  </>
);

interface StatusGroupProps {
  readonly status: number;
  readonly errors: readonly (readonly [string, ErrorDefinition])[];
}

function StatusGroup({ status, errors }: StatusGroupProps) {
  return (
    <section>
      <h2 id={`s${status}`}>{statusText(status)}</h2>
      <dl class="codes">
        {errors.map(([code, { title }]) => (
          <Entry key={code} code={code} text={`${title}.`} />
        ))}
      </dl>
    </section>
  );
}

const Entry = ({ code, text }: { readonly code: string; readonly text: string }) => (
  <div>
    <dt>
      <a href={`/errors/${code}`}>
        <code>{code}</code>
      </a>
    </dt>
    <dd>
      <Prose text={text} />
    </dd>
  </div>
);

/** Meaning and remedy of an error. */
export function renderErrorPage(code: ErrorCode, operations: readonly OperationLink[]) {
  const { status, title, cause, remedy, retryable } = ERRORS[code];
  const example = EXAMPLES.errors[code];
  return renderDocsPage({
    title,
    children: (
      <main class="page">
        <Head code={code} title={title} kind={statusText(status)} />
        <h2>What it means</h2>
        <p>
          <Prose text={cause} />
        </p>
        <h2>What to do</h2>
        <p>
          <Prose text={remedy} />
        </p>
        <p class={retryable ? 'note good' : 'note'}>
          {retryable
            ? 'The same request can succeed later.'
            : 'The same request would fail again in the same way.'}
        </p>
        {example === undefined ? (
          <p>People meet it in the portal; no operation answers with it.</p>
        ) : (
          <Example value={example} />
        )}
        {operations.length > 0 && <AnsweredBy operations={operations} />}
        <Back />
      </main>
    ),
  });
}

/** Meaning of a field error. */
export const renderFieldErrorPage = (code: FieldErrorCode): Promise<string> =>
  renderDocsPage({
    title: code,
    children: (
      <main class="page">
        <Head code={code} title={FIELD_ERRORS[code]} kind="422 bad field" />
        <h2>What to do</h2>
        <p>
          Correct the field that <code>pointer</code> names, a JSON Pointer (RFC 6901) into the body
          that you sent; <code>detail</code> says what it should look like. The request had no
          effect.
        </p>
        <p class="note">The same request would fail again in the same way.</p>
        <Example value={EXAMPLES.fields[code]} />
        <Back />
      </main>
    ),
  });

export const renderNoSuchError = (): Promise<string> =>
  renderDocsPage({
    title: ERRORS.error_not_found.title,
    children: (
      <main class="page">
        <Head code="error_not_found" title={ERRORS.error_not_found.title} kind="404 Not Found" />
        <p>
          <Prose text={ERRORS.error_not_found.cause} />
        </p>
        <Back />
      </main>
    ),
  });

interface HeadProps {
  readonly code: string;
  readonly title: string;
  readonly kind: string;
}

const Head = ({ code, title, kind }: HeadProps) => (
  <>
    <p class="kind">
      <span class="badge">{kind}</span> <code>{code}</code>
    </p>
    <h1>{title}</h1>
  </>
);

const Example = ({ value }: { readonly value: unknown }) => (
  <>
    <h2>Example</h2>
    <pre tabIndex={0}>
      <code>{JSON.stringify(value, null, 2)}</code>
    </pre>
  </>
);

const AnsweredBy = ({ operations }: { readonly operations: readonly OperationLink[] }) => (
  <>
    <h2>Answered by</h2>
    <ul>
      {operations.map(({ name, href }) => (
        <li key={name}>
          <a href={href}>
            <code>{name}</code>
          </a>
        </li>
      ))}
    </ul>
  </>
);

const Back = () => (
  <p class="back">
    <a href="/errors">All errors</a> · <a href="/docs">Reference</a>
  </p>
);
