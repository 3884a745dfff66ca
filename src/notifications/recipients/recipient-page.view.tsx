import type { Locale } from '../../common/locale.js';
import { fill, selfContained } from '../../common/markup.js';
import { Document, html } from '../../http/document.view.js';
import type { NoticeKind } from '../../http/page.js';
import { MAIL_MESSAGES, type MailMessages } from '../mail/messages.js';
import { STYLESHEET } from './page-style.js';
import type { RecipientStatus } from '../../database/notifications/notification-recipient.entity.js';

export interface RecipientPage {
  readonly locale: Locale;
  readonly status: RecipientStatus;
  readonly email: string;
  readonly merchantName: string;
  readonly isTest: boolean;
  /** Base path of the forms. */
  readonly path: string;
}

/** Consent state of a mailbox with the available actions. */
export function renderRecipientPage(page: RecipientPage): string {
  const { locale, status, email, merchantName, isTest } = page;
  const messages = MAIL_MESSAGES[locale];
  const { title, text } = messages.pages[status];
  return html(
    <Document locale={locale} title={title} styleHref={STYLESHEET.href}>
      {isTest && <p class="test">{messages.testMode}</p>}
      <main>
        <section class={`card ${status}`}>
          <Icon status={status} />
          <h1>{title}</h1>
          <p class="text" role="status">
            {fill(text, { merchant: <Name text={merchantName} />, email: <Name text={email} /> })}
          </p>
          <Choices {...page} pages={messages.pages} />
        </section>
      </main>
    </Document>,
  );
}

/** A page without a recipient. */
export function renderNotice(kind: NoticeKind, locale: Locale): string {
  const { title, text } = MAIL_MESSAGES[locale].pages[kind];
  return html(
    <Document locale={locale} title={title} styleHref={STYLESHEET.href}>
      <main>
        <section class="card">
          <h1>{title}</h1>
          <p class="text">{text}</p>
        </section>
      </main>
    </Document>,
  );
}

const Name = ({ text }: { readonly text: string }) => <bdi>{selfContained(text)}</bdi>;

function Choices({
  status,
  path,
  pages,
}: RecipientPage & { readonly pages: MailMessages['pages'] }) {
  const confirm = `${path}/confirm`;
  const unsubscribe = `${path}/unsubscribe`;
  if (status === 'confirmed') {
    return <Choice action={unsubscribe} label={pages.confirmed.unsubscribe} isQuiet />;
  }
  if (status === 'unsubscribed') {
    return <Choice action={confirm} label={pages.unsubscribed.confirm} isQuiet />;
  }
  return (
    <>
      <Choice action={confirm} label={pages.unconfirmed.confirm} />
      <Choice action={unsubscribe} label={pages.unconfirmed.decline} isQuiet />
    </>
  );
}

interface ChoiceProps {
  readonly action: string;
  readonly label: string;
  readonly isQuiet?: boolean;
}

/** A form instead of a link: programs that follow links in mails must not decide anything. */
const Choice = ({ action, label, isQuiet }: ChoiceProps) => (
  <form method="post" action={action}>
    <button class={isQuiet ? 'quiet' : undefined}>{label}</button>
  </form>
);

const PATHS: Record<RecipientStatus, string> = {
  unconfirmed: 'M9 12h14v9a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 9 21zm0 0 7 6 7-6',
  confirmed: 'm10 16.5 4 4 8-9',
  unsubscribed: 'M10 16h12',
};

const Icon = ({ status }: { readonly status: RecipientStatus }) => (
  <svg class="icon" viewBox="0 0 32 32" aria-hidden="true">
    <circle cx="16" cy="16" r="16" />
    <path d={PATHS[status]} />
  </svg>
);
