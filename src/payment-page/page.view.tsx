import { selfContained } from '../common/markup.js';
import { Document, html } from '../http/document.view.js';
import { ASSET_VERSION, SCRIPT_HREF, stylesheetHref } from './assets.js';
import { MESSAGES } from './messages.js';
import { PaymentCard } from './page-card.view.js';
import type { PageView } from './page-components.js';
import { LanguageChoice, Questions, ShopHeader } from './page-frame.view.js';
import { isLive, type PageKey, type PageState } from './page.model.js';
import { WAY_BACK_SECONDS } from './way-back.js';

/** Increase for markup changes that do not change the version of the assets. */
export const TEMPLATE_VERSION = `1.${ASSET_VERSION}`;

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
        <ShopHeader messages={messages} theme={theme} orderMerchantId={slot.orderMerchantId} />
        <PaymentCard {...view} />
        {isLive(state) && pageKey.cancelable && <Cancel {...view} />}
        <Questions messages={messages} theme={theme} />
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
