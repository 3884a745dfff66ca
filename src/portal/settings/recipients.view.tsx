import { LOCALE_FACTS, LOCALES } from '../../common/locale.js';
import type { RecipientResponse } from '../../contract/recipient.response.js';
import type { RecipientStatus } from '../../database/notifications/notification-recipient.entity.js';
import { pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Cell, Done, Empty, Rows, Typed, When, zoneNote } from '../kit/components.js';
import { Checks, Choice, ZoneField } from '../kit/fields.js';
import { formFields, FormField, PostForm } from '../kit/form-components.js';
import type { Problems } from '../kit/form.js';
import { type Badge, Tag } from '../kit/status.js';
import { renderConfirm, renderForm } from '../layout/form-page.view.js';
import { renderPage } from '../layout/shell.view.js';

const COLUMNS = ['Recipient', 'State', 'Orders', 'Language', 'Last email', 'Actions'];

const base = ({ access }: MerchantContext): string => `${pathOf(access)}/recipients`;

export const renderRecipients = (
  context: MerchantContext,
  recipients: readonly RecipientResponse[],
  done: unknown,
): string =>
  renderPage({
    context,
    title: 'Emails',
    subtitle: `Recipients of emails about paid orders. ${zoneNote(context.access.timeZone)}.`,
    actions: (
      <a class="btn btn-primary" href={`${base(context)}/new`}>
        Add a recipient{' '}
      </a>
    ),
    children: (
      <>
        <Done word={done} />
        <div class="card">
          {recipients.length === 0 ? (
            <Empty title="No recipients yet">
              {' '}
              Add a recipient. Emails start after the recipient confirms.{' '}
            </Empty>
          ) : (
            <Rows caption="Recipients" columns={COLUMNS}>
              {recipients.map((recipient) => (
                <Row context={context} recipient={recipient} />
              ))}
            </Rows>
          )}
        </div>
      </>
    ),
  });

interface RowProps {
  readonly context: MerchantContext;
  readonly recipient: RecipientResponse;
}

function Row({ context, recipient }: RowProps) {
  const { id, email, status, lastDelivery, minimumAmount } = recipient;
  const zone = context.access.timeZone;
  return (
    <tr>
      <Cell label="Recipient" class="strong">
        <a href={`${base(context)}/${id}`}>
          <Typed text={email ?? ''} />
        </a>
      </Cell>
      <Cell label="State">
        <Tag {...BADGES[status]} />
      </Cell>
      <Cell label="Orders">{minimumAmount === null ? 'All' : `From ${minimumAmount}`}</Cell>
      <Cell label="Language">{languageOf(recipient.locale)}</Cell>
      <Cell label="Last email">
        {lastDelivery ? (
          <>
            <When at={lastDelivery.createdAt} zone={zone} /> <Outcome {...lastDelivery} />
          </>
        ) : (
          <span class="text-secondary">None</span>
        )}
      </Cell>
      <Cell label="Actions" class="actions">
        {status !== 'unsubscribed' && (
          <PostForm csrf={context.csrf} action={`${base(context)}/${id}/test`}>
            <button class="btn btn-sm">
              {status === 'confirmed' ? 'Send test email' : 'Resend confirmation'}
              <span class="visually-hidden"> to {email}</span>
            </button>
          </PostForm>
        )}
        <a class="btn btn-sm" href={`${base(context)}/${id}/delete`}>
          Delete<span class="visually-hidden"> {email}</span>
        </a>
      </Cell>
    </tr>
  );
}

const languageOf = (locale: string): string =>
  LOCALE_FACTS[locale as keyof typeof LOCALE_FACTS]?.name ?? locale;

const BADGES: Readonly<Record<RecipientStatus, Badge>> = {
  confirmed: { label: 'Confirmed', tone: 'good', icon: 'check' },
  unconfirmed: { label: 'Not confirmed yet', tone: 'busy', icon: 'clock' },
  unsubscribed: { label: 'Unsubscribed', tone: 'idle', icon: 'ended' },
};

function Outcome({ status, error }: NonNullable<RecipientResponse['lastDelivery']>) {
  if (status === 'failed') return <span class="problem">Not delivered: {error}</span>;
  return <span class="text-secondary">{status === 'pending' ? 'on its way' : status}</span>;
}

interface RecipientFormPage {
  readonly context: MerchantContext;
  readonly form: URLSearchParams;
  readonly problems?: Problems | undefined;
}

export const renderNewRecipient = ({ context, form, problems }: RecipientFormPage): string =>
  renderForm({
    context,
    title: 'Add a recipient',
    problems,
    children: (
      <>
        <FormField
          {...formFields(form, problems)('email')}
          label="Email"
          type="email"
          hint="We send one confirmation email. No other emails follow until it is confirmed."
          maxLength={254}
          autocomplete="off"
        />
        <Wishes form={form} problems={problems} />
      </>
    ),
    button: 'Add',
    back: base(context),
  });

interface RecipientPage extends RecipientFormPage {
  readonly recipient: RecipientResponse;
}

export const renderRecipient = ({ context, recipient, form, problems }: RecipientPage): string =>
  renderForm({
    context,
    title: 'Recipient',
    subtitle: <Typed text={recipient.email ?? ''} />,
    problems,
    intro: (
      <>
        <p>
          <Tag {...BADGES[recipient.status]} />
        </p>
        {recipient.status === 'unsubscribed' && (
          <p>The recipient unsubscribed. Add the address again to resend the confirmation.</p>
        )}
      </>
    ),
    children: <Wishes form={form} problems={problems} />,
    button: 'Save',
    back: base(context),
  });

function Wishes({ form, problems }: Omit<RecipientFormPage, 'context'>) {
  const field = formFields(form, problems);
  return (
    <>
      <Checks
        type="radio"
        name="which"
        label="Paid orders"
        options={[
          ['all', 'All'],
          ['from', 'Only orders of at least the amount below'],
        ]}
        chosen={[form.get('which') ?? 'all']}
      />
      <FormField
        {...field('minimumAmount')}
        label="Amount"
        hint="In minor units of the order’s currency: 5000 is 50.00 EUR or 5,000 JPY."
        maxLength={15}
        autocomplete="off"
        isOptional
      />
      <Choice
        {...field('locale')}
        label="Language"
        value={form.get('locale') ?? 'en'}
        options={LOCALES.map((locale) => [locale, LOCALE_FACTS[locale].name])}
      />
      <ZoneField {...field('timeZone')} label="Time zone" hint="Used for times in emails." />
    </>
  );
}

export const renderRecipientDeletion = (
  context: MerchantContext,
  { email }: RecipientResponse,
): string =>
  renderConfirm({
    context,
    title: 'Delete this recipient?',
    children: (
      <p>
        <Typed text={email ?? ''} /> gets no more emails, and the address is erased.
      </p>
    ),
    button: 'Delete recipient',
    back: base(context),
  });
