/** The languages of pages and mails. */
export const LOCALES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'pl',
  'pt',
  'tr',
  'ar',
  'he',
  'zh',
] as const;
export type Locale = (typeof LOCALES)[number];

export interface LocaleFacts {
  /** The language in its own words. */
  name: string;
  dir: 'ltr' | 'rtl';
  /** For `Intl`; Latin digits everywhere, as banks print them. */
  tag: string;
}

export const LOCALE_FACTS: Record<Locale, LocaleFacts> = {
  en: { name: 'English', dir: 'ltr', tag: 'en' },
  de: { name: 'Deutsch', dir: 'ltr', tag: 'de' },
  fr: { name: 'Français', dir: 'ltr', tag: 'fr' },
  es: { name: 'Español', dir: 'ltr', tag: 'es' },
  it: { name: 'Italiano', dir: 'ltr', tag: 'it' },
  nl: { name: 'Nederlands', dir: 'ltr', tag: 'nl' },
  pl: { name: 'Polski', dir: 'ltr', tag: 'pl' },
  pt: { name: 'Português', dir: 'ltr', tag: 'pt-PT' },
  tr: { name: 'Türkçe', dir: 'ltr', tag: 'tr' },
  ar: { name: 'العربية', dir: 'rtl', tag: 'ar-u-nu-latn' },
  he: { name: 'עברית', dir: 'rtl', tag: 'he' },
  zh: { name: '中文', dir: 'ltr', tag: 'zh-Hans' },
};

export interface LocaleWishes {
  /** `?lang=` of the address. */
  query?: unknown;
  order?: string | null;
  cookie?: string | null;
  acceptLanguage?: string | null;
}

const MAX_HEADER_LENGTH = 1000;
const OLD_NAMES: Record<string, string> = { iw: 'he' };

/** Precedence: the payer's choice (query, cookie), the merchant's (order), the browser's. */
export function chooseLocale(wishes: LocaleWishes): Locale {
  return (
    matchLocale(wishes.query) ??
    matchLocale(wishes.cookie) ??
    matchLocale(wishes.order) ??
    bestAccepted(wishes.acceptLanguage) ??
    'en'
  );
}

/** "de-AT" gives "de"; undefined for an unsupported or missing language. */
export function matchLocale(tag: unknown): Locale | undefined {
  if (typeof tag !== 'string') return undefined;
  const language = tag.trim().toLowerCase().split(/[-_]/, 1)[0] ?? '';
  const wanted = OLD_NAMES[language] ?? language;
  return LOCALES.find((locale) => locale === wanted);
}

/** RFC 9110, section 12.5.4: the highest weight wins, the first of equals. */
function bestAccepted(header: string | null | undefined): Locale | undefined {
  const ranges = (header ?? '').slice(0, MAX_HEADER_LENGTH).split(',');
  let best: { locale?: Locale; weight: number } = { weight: 0 };
  for (const range of ranges) {
    const [tag, ...parameters] = range.split(';');
    const locale = matchLocale(tag);
    const weight = weightOf(parameters);
    if (locale && weight > best.weight) best = { locale, weight };
  }
  return best.locale;
}

function weightOf(parameters: string[]): number {
  const weight = parameters.map((text) => /^\s*q=([\d.]+)\s*$/i.exec(text)?.[1]).find(Boolean);
  return weight === undefined ? 1 : Number(weight);
}
