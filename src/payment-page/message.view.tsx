import type { Locale } from '../common/locale.js';
import { Document, html } from '../http/document.view.js';
import type { NoticeKind } from '../http/page.js';
import { stylesheetHref } from './assets.js';
import { MESSAGES } from './messages.js';

/** A page without an order: not found, or temporarily unavailable. */
export function renderMessagePage(kind: NoticeKind, locale: Locale): string {
  const { title, text } = MESSAGES[locale].pages[kind];
  return html(
    <Document locale={locale} title={title} styleHref={stylesheetHref()}>
      <main>
        <section class="card">
          <h1>{title}</h1>
          <p>{text}</p>
        </section>
      </main>
    </Document>,
  );
}
