import { LOCALE_FACTS, LOCALES } from '../../common/locale.js';
import type { RecipientStatus } from '../../notifications/recipients/recipient-status.js';
import type { RecipientResponse } from '../../notifications/recipients/recipient.response.js';
import { Field, PostForm } from '../layout/parts.js';
import { renderPage } from '../layout/shell.view.js';
import { pathOf, type PlacedVisit } from '../visit.js';
import { Checks, Choice, Trouble, ZoneField } from './fields.js';
import type { Problems } from './form.js';
import { Cell, Done, Empty, renderConfirm, Rows, Tag, Typed, When, zoneNote } from './parts.js';

const COLUMNS = ['Mailbox', 'State', 'Orders', 'Language', 'Last mail', 'Actions'];

const base = ({ place }: PlacedVisit): string => `${pathOf(place)}/recipients`;

export const renderRecipients = (
  visit: PlacedVisit,
  recipients: readonly RecipientResponse[],
  done: unknown,
): string =>
  renderPage({
    visit,
    title: 'E-mails',
    subtitle: `Mailboxes that are told of each paid order. ${zoneNote(visit.place.timeZone)}.`,
    actions: (
      <a class="btn btn-primary" href={`${base(visit)}/new`}>
        Add a mailbox
      </a>
    ),
    children: (
      <>
        <Done word={done} />
        <div class="card">
          {recipients.length === 0 ? (
            <Empty title="Nobody gets mails yet">
              Add a mailbox. Its owner is asked first, and mails begin with the yes.
            </Empty>
          ) : (
            <Rows caption="Mailboxes" columns={COLUMNS}>
              {recipients.map((recipient) => (
                <Row visit={visit} recipient={recipient} />
              ))}
            </Rows>
          )}
        </div>
      </>
    ),
  });

interface RowProps {
  readonly visit: PlacedVisit;
  readonly recipient: RecipientResponse;
}

function Row({ visit, recipient }: RowProps) {
  const { id, email, status, lastDelivery, minimumAmount } = recipient;
  const zone = visit.place.timeZone;
  return (
    <tr>
      <Cell label="Mailbox" class="strong">
        <a href={`${base(visit)}/${id}`}>
          <Typed text={email ?? ''} />
        </a>
      </Cell>
      <Cell label="State">
        <State status={status} />
      </Cell>
      <Cell label="Orders">{minimumAmount === null ? 'All' : `From ${minimumAmount}`}</Cell>
      <Cell label="Language">{languageOf(recipient.locale)}</Cell>
      <Cell label="Last mail">
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
          <PostForm csrf={visit.csrf} action={`${base(visit)}/${id}/test`}>
            <button class="btn btn-sm">
              {status === 'confirmed' ? 'Send a test mail' : 'Ask again'}
              <span class="visually-hidden"> to {email}</span>
            </button>
          </PostForm>
        )}
        <a class="btn btn-sm" href={`${base(visit)}/${id}/delete`}>
          Delete<span class="visually-hidden"> {email}</span>
        </a>
      </Cell>
    </tr>
  );
}

const languageOf = (locale: string): string =>
  LOCALE_FACTS[locale as keyof typeof LOCALE_FACTS]?.name ?? locale;

function State({ status }: { readonly status: RecipientStatus }) {
  if (status === 'confirmed') {
    return (
      <Tag tone="good" icon="check">
        Confirmed
      </Tag>
    );
  }
  return status === 'unconfirmed' ? (
    <Tag tone="busy" icon="clock">
      Not confirmed yet
    </Tag>
  ) : (
    <Tag tone="idle" icon="ended">
      Unsubscribed
    </Tag>
  );
}

function Outcome({ status, error }: NonNullable<RecipientResponse['lastDelivery']>) {
  if (status === 'failed') return <span class="problem">Not delivered: {error}</span>;
  return <span class="text-secondary">{status === 'pending' ? 'on its way' : status}</span>;
}

interface RecipientFormPage {
  readonly visit: PlacedVisit;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
}

export const renderNewRecipient = ({ visit, form, problems = {} }: RecipientFormPage): string =>
  renderPage({
    visit,
    title: 'Add a mailbox',
    children: (
      <div class="card form-card">
        <div class="card-body">
          <Trouble problems={problems} />
          <PostForm csrf={visit.csrf}>
            <Field
              name="email"
              label="E-mail"
              type="email"
              hint="Its owner gets one mail with a question. Without a yes no other mail follows."
              value={form.get('email') ?? ''}
              problem={problems['email']}
              maxLength={254}
              autocomplete="off"
            />
            <Wishes form={form} problems={problems} />
            <Buttons visit={visit} label="Add" />
          </PostForm>
        </div>
      </div>
    ),
  });

interface RecipientPage extends RecipientFormPage {
  readonly recipient: RecipientResponse;
}

export const renderRecipient = ({ visit, recipient, form, problems = {} }: RecipientPage): string =>
  renderPage({
    visit,
    title: 'Mailbox',
    subtitle: <Typed text={recipient.email ?? ''} />,
    children: (
      <div class="card form-card">
        <div class="card-body">
          <Trouble problems={problems} />
          <p>
            <State status={recipient.status} />
          </p>
          {recipient.status === 'unsubscribed' && (
            <p>The owner wants no more mails. Add the address again to ask once more.</p>
          )}
          <PostForm csrf={visit.csrf}>
            <Wishes form={form} problems={problems} />
            <Buttons visit={visit} label="Save" />
          </PostForm>
        </div>
      </div>
    ),
  });

const Wishes = ({ form, problems }: Required<Omit<RecipientFormPage, 'visit'>>) => (
  <>
    <Checks
      type="radio"
      name="which"
      label="Paid orders"
      options={[
        ['all', 'All'],
        ['from', 'Only those of at least the amount below'],
      ]}
      chosen={[form.get('which') ?? 'all']}
    />
    <Field
      name="minimumAmount"
      label="Amount"
      hint="In the smallest unit of the order’s currency: 5000 is 50.00 EUR, and 5,000 JPY."
      value={form.get('minimumAmount') ?? ''}
      problem={problems['minimumAmount']}
      maxLength={15}
      autocomplete="off"
      isOptional
    />
    <Choice
      name="locale"
      label="Language"
      value={form.get('locale') ?? 'en'}
      options={LOCALES.map((locale) => [locale, LOCALE_FACTS[locale].name])}
      problem={problems['locale']}
    />
    <ZoneField
      name="timeZone"
      label="Time zone"
      hint="In it mails give times."
      value={form.get('timeZone') ?? ''}
      problem={problems['timeZone']}
    />
  </>
);

const Buttons = ({ visit, label }: { readonly visit: PlacedVisit; readonly label: string }) => (
  <div class="d-flex gap-2">
    <button class="btn btn-primary">{label}</button>
    <a class="btn" href={base(visit)}>
      Back
    </a>
  </div>
);

export const renderRecipientDeletion = (visit: PlacedVisit, { email }: RecipientResponse): string =>
  renderConfirm({
    visit,
    title: 'Delete this mailbox?',
    children: (
      <p>
        <Typed text={email ?? ''} /> gets no more mails, and the address is erased.
      </p>
    ),
    button: 'Delete it',
    back: base(visit),
  });
