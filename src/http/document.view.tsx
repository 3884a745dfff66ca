import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import { LOCALE_FACTS, type Locale } from '../common/locale.js';

interface DocumentProps {
  locale: Locale;
  title: string;
  styleHref: string;
  /** Additional head elements. */
  head?: ComponentChildren;
  children: ComponentChildren;
}

/** Layout of personal pages: not indexed, and no referrer is sent. */
export function Document({ locale, title, styleHref, head, children }: DocumentProps) {
  return (
    <html lang={locale} dir={LOCALE_FACTS[locale].dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={styleHref} />
        {head}
      </head>
      <body>{children}</body>
    </html>
  );
}

export const html = (page: ComponentChildren): string => `<!doctype html>${render(<>{page}</>)}`;
