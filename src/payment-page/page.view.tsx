import { LOCALE_FACTS, LOCALES, type Locale } from '../common/locale.js';
import { fill, selfContained } from '../common/markup.js';
import { Document, html } from '../http/document.view.js';
import { ASSET_VERSION, SCRIPT_HREF, stylesheetHref } from './assets.js';
import { MESSAGES, type Messages } from './messages.js';
import { PaymentCard } from './page-card.view.js';
import type { PageView } from './page-components.js';
import { isLive, type MerchantTheme, type PageKey, type PageState } from './page.model.js';
import { WAY_BACK_SECONDS } from './way-back.js';

/** Increase for markup changes that do not change the version of the assets. */
export const TEMPLATE_VERSION = `1.${ASSET_VERSION}`;

const CONTACT_URL = /^(https|mailto):/;

const SYMBOLS: Record<PageState, string> = {
  open: '',
  processing: '…',
  awaiting_transfer: '…',
  unknown: '…',
  paid: '✓',
  overpaid: '✓',
  paid_late: '!',
  charged_back: '!',
  underpaid: '!',
  declined: '!',
  failed: '✕',
  cancelled: '✕',
  expired: '✕',
};

/** Reload interval without a script; long enough to copy transfer details by hand. */
const REFRESH_SECONDS: Partial<Record<PageState, number>> = {
  processing: 5,
  unknown: 5,
  awaiting_transfer: 120,
};

/** The whole page; `slot` has a placeholder for each part of the order's data. */
export function compilePage(key: PageKey, slot: PageView['slot']): string {
  const theme = { ...key.theme, name: selfContained(key.theme.name) };
  const view = { pageKey: { ...key, theme }, slot, messages: MESSAGES[key.locale] };
  return html(<PaymentPage {...view} />);
}

function PaymentPage(view: PageView) {
  const { pageKey, slot, messages } = view;
  const { locale, mode, state, theme, isSample } = pageKey;
  return (
    <Document
      locale={locale}
      title={titleOf(view)}
      styleHref={stylesheetHref(theme.colour)}
      head={<Head {...view} />}
    >
      {mode === 'test' && <header class="test">{messages.testBanner}</header>}
      <p id="news" class="hidden" role="status" />
      <main
        data-state={slot.fingerprint}
        data-now={slot.serverNow}
        data-events={isLive(state) && !isSample ? `/pay/${slot.token}/events` : undefined}
      >
        <Merchant {...view} />
        <PaymentCard {...view} />
        {isLive(state) && pageKey.cancelable && <Cancel {...view} />}
        {theme.contactUrl && CONTACT_URL.test(theme.contactUrl) && (
          <p class="questions">
            {fill(messages.questions, { contact: <Contact url={theme.contactUrl} /> })}
          </p>
        )}
      </main>
      <footer>
        <LanguageChoice messages={messages} locale={locale} />
      </footer>
    </Document>
  );
}

function Head({ pageKey: { state, takesBack }, slot }: PageView) {
  const seconds = REFRESH_SECONDS[state];
  return (
    <>
      {seconds && (
        <noscript>
          <meta http-equiv="refresh" content={String(seconds)} />
        </noscript>
      )}
      {takesBack && (
        <noscript>
          <meta http-equiv="refresh" content={`${WAY_BACK_SECONDS};url=${slot.shopUrl}`} />
        </noscript>
      )}
      <script src={SCRIPT_HREF} defer />
    </>
  );
}

function titleOf({ pageKey: { state, theme }, slot, messages }: PageView): string {
  if (state === 'open')
    return `${messages.pay.replace('{amount}', () => slot.amount ?? '')} – ${theme.name}`;
  return `${SYMBOLS[state]} ${messages.states[state].title} – ${theme.name}`;
}

function Merchant({ pageKey: { theme }, slot, messages }: PageView) {
  return (
    <div class="merchant">
      <Logo {...theme} />
      <div>
        <p class="name">
          <bdi>{theme.name}</bdi>
        </p>
        <p class="order">{fill(messages.order, { id: <bdi>{slot.orderMerchantId}</bdi> })}</p>
      </div>
    </div>
  );
}

/** Images come from this service only, so that no other host learns who pays whom. */
function Logo({ name, logoUrl }: MerchantTheme) {
  if (logoUrl && /^\/(?!\/)/.test(logoUrl)) {
    return <img class="logo" src={logoUrl} alt="" width="44" height="44" />;
  }
  const initial = /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase();
  return (
    <span class="logo" aria-hidden="true">
      {initial}
    </span>
  );
}

/** Shows the address as text, for devices without a mail program. */
function Contact({ url }: { url: string }) {
  const text = url.replace(/^(https:\/\/|mailto:)|\?.*$|\/$/g, '');
  return (
    <bdi>
      <a href={url}>{text}</a>
    </bdi>
  );
}

/** Confirmation without a script, since cancelling cannot be undone. */
function Cancel({ pageKey, slot, messages }: PageView) {
  return (
    <details class="cancel">
      <summary>{messages.cancel}</summary>
      <form method="post" action={`/pay/${slot.token}/cancel`}>
        <p>
          {messages.cancelWarning}
          {slot.reference && ` ${messages.transfer.cancelWarning}`}
        </p>
        <button class="button quiet" type={pageKey.isSample ? 'button' : undefined}>
          {messages.cancelYes}
        </button>
      </form>
    </details>
  );
}

/** Links instead of a list box: they work without a script and are not changed by accident. */
function LanguageChoice({ messages, locale }: { messages: Messages; locale: Locale }) {
  return (
    <details class="language">
      <summary>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="12" cy="12" r="9" />
          <path d="M3 12h18M12 3c-6 6-6 12 0 18M12 3c6 6 6 12 0 18" />
        </svg>
        <span class="hidden">{messages.language}: </span>
        {LOCALE_FACTS[locale].name}
      </summary>
      <ul>
        {LOCALES.map((each) => (
          <li>
            <a
              href={`?lang=${each}`}
              lang={each}
              hreflang={each}
              aria-current={each === locale ? 'true' : undefined}
            >
              {LOCALE_FACTS[each].name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
