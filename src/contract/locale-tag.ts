/** RFC 5646, section 4.4.1, recommends room for 35 characters. */
export const LOCALE_TAG_LENGTH_MAX = 35;

/** Matches well-formed tags, and tags with a repeated variant or extension. */
export const LOCALE_TAG_PATTERN =
  '^([A-Za-z]{2,3}|[A-Za-z]{5,8})(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?' +
  '(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(-[0-9A-WY-Za-wy-z](-[A-Za-z0-9]{2,8})+)*' +
  '(-[Xx](-[A-Za-z0-9]{1,8})+)?$';

/** A well-formed BCP 47 language tag: `de`, `pt-BR`, `zh-Hant-TW`; not `de_DE`. */
export function isLocaleTag(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > LOCALE_TAG_LENGTH_MAX) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
