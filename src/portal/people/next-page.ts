/** Paths of portal pages. Excludes everything that a browser could read as another site, or as a path outside. */
const PAGE = /^\/portal(?:\/[\w\-/]*)?(?:\?[\w\-./?=&%+,:]*)?$/;

/** Page to open after the sign-in, or null if it is not a page of the portal. */
export const nextPage = (next: unknown): string | null =>
  typeof next === 'string' && next.length <= 2_048 && PAGE.test(next) && !next.includes('//')
    ? next
    : null;
