/** A page of the portal, and nothing that a browser could take for another site. */
const PAGE = /^\/portal(?:[/?][\w\-./?=&%+,:]*)?$/;

/** Where to go after the sign-in; whatever is no page of the portal gives null. */
export const nextPage = (next: unknown): string | null =>
  typeof next === 'string' && next.length <= 2_048 && PAGE.test(next) && !next.includes('//')
    ? next
    : null;
