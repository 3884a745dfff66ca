import { render } from 'preact-render-to-string';
import type { Locale } from '../common/locale.js';
import { Document } from './document.view.js';
import { MESSAGES, type MessageKind } from './messages.js';

/** A page without an order: nothing found, or nothing to be shown right now. */
export function renderMessagePage(kind: MessageKind, locale: Locale): string {
  const { title, text } = MESSAGES[locale].pages[kind];
  const page = (
    <Document locale={locale} title={title}>
      <main>
        <section class="card">
          <h1>{title}</h1>
          <p>{text}</p>
        </section>
      </main>
    </Document>
  );
  return `<!doctype html>${render(page)}`;
}
