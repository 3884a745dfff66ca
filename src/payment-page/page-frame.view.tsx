import { LOCALE_FACTS, LOCALES, type Locale } from '../common/locale.js';
import { fill } from '../common/markup.js';
import type { Messages } from './messages.js';
import type { MerchantTheme } from './page.model.js';

const CONTACT_URL = /^(https|mailto):/;

interface ShopProps {
  readonly messages: Messages;
  readonly theme: MerchantTheme;
}

/** The merchant, and its order. */
export function ShopHeader({
  messages,
  theme,
  orderMerchantId,
}: ShopProps & { readonly orderMerchantId: string | undefined }) {
  return (
    <div class="merchant">
      <Logo {...theme} />
      <div>
        <p class="name">
          <bdi>{theme.name}</bdi>
        </p>
        <p class="order">{fill(messages.order, { id: <bdi>{orderMerchantId}</bdi> })}</p>
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

/** How to reach the merchant; nothing if it did not say. */
export function Questions({ messages, theme: { contactUrl } }: ShopProps) {
  if (!contactUrl || !CONTACT_URL.test(contactUrl)) return null;
  return (
    <p class="questions">{fill(messages.questions, { contact: <Contact url={contactUrl} /> })}</p>
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

/** Links instead of a list box: they work without a script and are not changed by accident. */
export function LanguageChoice({ messages, locale }: { messages: Messages; locale: Locale }) {
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
