/** RFC 5646, section 4.4.1, asks for room for 35 characters. */
export const LOCALE_TAG_LENGTH_MAX = 35;

/** A well-formed BCP 47 language tag: `de`, `pt-BR`, `zh-Hant-TW`; not `de_DE`. */
export function isLocaleTag(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > LOCALE_TAG_LENGTH_MAX) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
