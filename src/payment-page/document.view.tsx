import type { ComponentChildren } from 'preact';
import { LOCALE_FACTS, type Locale } from '../common/locale.js';
import { stylesheetHref } from './assets.js';

interface DocumentProps {
  locale: Locale;
  title: string;
  colour?: string | null;
  /** More for the head. */
  head?: ComponentChildren;
  children: ComponentChildren;
}

/** What every page that a payer sees has in common. */
export function Document({ locale, title, colour, head, children }: DocumentProps) {
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
        <link rel="stylesheet" href={stylesheetHref(colour)} />
        {head}
      </head>
      <body>{children}</body>
    </html>
  );
}
