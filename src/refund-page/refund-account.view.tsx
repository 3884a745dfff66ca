import { selfContained, fill } from '../common/markup.js';
import type { Locale } from '../common/locale.js';
import { Document, html } from '../http/document.view.js';
import { stylesheetHref } from '../payment-page/assets.js';
import { MESSAGES } from '../payment-page/messages.js';
import { LanguageChoice, Questions, ShopHeader } from '../payment-page/page-frame.view.js';
import type { MerchantTheme } from '../payment-page/page.model.js';
import { type EntryFault, REFUND_PAGE_MESSAGES } from './messages.js';

/** `form`: the payer can enter an account; `entered`: it is checked, or on its way; `sent`: the bank booked it. */
export type RefundAccountState = 'form' | 'entered' | 'sent' | 'ended';

export interface RefundAccountPage {
  readonly state: RefundAccountState;
  readonly locale: Locale;
  readonly theme: MerchantTheme;
  readonly orderMerchantId: string;
  /** Formatted. */
  readonly amount: string;
  /** Masked; null before it is entered. */
  readonly account: string | null;
  readonly isTest: boolean;
  /** A rejected entry. */
  readonly entry: RefundEntry | null;
}

/** What the payer entered, and what is wrong with it. */
export interface RefundEntry {
  readonly holder: string;
  readonly iban: string;
  readonly faults: readonly EntryFault[];
}

export function renderRefundAccount(page: RefundAccountPage): string {
  const { locale, isTest, orderMerchantId } = page;
  const theme = { ...page.theme, name: selfContained(page.theme.name) };
  const messages = MESSAGES[locale];
  const title = titleOf(page);
  return html(
    <Document
      locale={locale}
      title={`${title} – ${theme.name}`}
      styleHref={stylesheetHref(theme.colour)}
    >
      {isTest && <header class="test">{messages.testBanner}</header>}
      <main>
        <ShopHeader messages={messages} theme={theme} orderMerchantId={orderMerchantId} />
        <Card {...page} theme={theme} title={title} />
        <Questions messages={messages} theme={theme} />
      </main>
      <footer>
        <LanguageChoice messages={messages} locale={locale} />
      </footer>
    </Document>,
  );
}

function titleOf({ state, locale }: RefundAccountPage): string {
  const messages = REFUND_PAGE_MESSAGES[locale];
  return state === 'form' ? messages.title : messages[state].title;
}

const TONES: Readonly<Record<RefundAccountState, string>> = {
  form: 'calm',
  entered: 'good',
  sent: 'good',
  ended: 'ended',
};

function Card(page: RefundAccountPage & { readonly title: string }) {
  const { state, locale, amount, title } = page;
  return (
    <section class={`card ${TONES[state]}`}>
      <div class="sum">
        <h1>{title}</h1>
        <p class="amount">
          <bdi>{amount}</bdi>
        </p>
      </div>
      <div class="act">
        {state === 'form' ? <AccountForm {...page} /> : <Explanation {...page} state={state} />}
        {state === 'entered' && (
          <p class="next">{fill(REFUND_PAGE_MESSAGES[locale].entered.warning, partsOf(page))}</p>
        )}
      </div>
    </section>
  );
}

const Explanation = (
  page: RefundAccountPage & { readonly state: Exclude<RefundAccountState, 'form'> },
) => (
  <p class="happened" role="status">
    {fill(REFUND_PAGE_MESSAGES[page.locale][page.state].text, partsOf(page))}
  </p>
);

const partsOf = ({ theme, amount, account }: RefundAccountPage) => ({
  merchant: <bdi>{theme.name}</bdi>,
  amount: <bdi>{amount}</bdi>,
  account: <bdi dir="ltr">{account}</bdi>,
});

function AccountForm(page: RefundAccountPage) {
  const { locale, entry } = page;
  const messages = REFUND_PAGE_MESSAGES[locale];
  const has = (fault: EntryFault) => entry?.faults.includes(fault) === true;
  return (
    <>
      <p>{fill(messages.why, partsOf(page))}</p>
      <form method="post" action={`?lang=${locale}`} novalidate>
        <Field
          name="holder"
          label={messages.holder}
          value={entry?.holder ?? ''}
          autocomplete="name"
          fault={has('holder') ? messages.faults.holder : null}
        />
        <Field
          name="iban"
          label={messages.iban}
          value={entry?.iban ?? ''}
          autocomplete="off"
          dir="ltr"
          fault={
            (has('iban') && messages.faults.iban) ||
            (has('unreachable') && messages.faults.unreachable) ||
            null
          }
        />
        <p class="hint">{messages.once}</p>
        <button class="button">{messages.send}</button>
      </form>
    </>
  );
}

interface FieldProps {
  readonly name: keyof Omit<RefundEntry, 'faults'>;
  readonly label: string;
  readonly value: string;
  readonly autocomplete: string;
  readonly dir?: 'ltr';
  readonly fault: string | null;
}

const Field = ({ name, label, value, autocomplete, dir, fault }: FieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input
      type="text"
      id={name}
      name={name}
      value={value}
      maxLength={140}
      autocomplete={autocomplete}
      autocapitalize={name === 'iban' ? 'characters' : undefined}
      spellcheck={false}
      dir={dir}
      required
      aria-invalid={fault ? 'true' : undefined}
      aria-describedby={fault ? `${name}-fault` : undefined}
      autofocus={fault !== null}
    />
    {fault && (
      <p class="fault" id={`${name}-fault`}>
        {fault}
      </p>
    )}
  </div>
);
