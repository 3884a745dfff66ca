/** Answers with an error page. */
export class Refusal extends Error {
  constructor(
    readonly status: 400 | 403 | 404 | 409 | 429,
    readonly title: string,
    readonly text: string,
  ) {
    super(title);
  }
}

/** Redirects the user first. */
export class GoTo extends Error {
  constructor(readonly url: string) {
    super(`go to ${url}`);
  }
}

/** Target for users who are not signed in. */
export const SIGN_IN = '/portal/sign-in';

export const notFound = (): Refusal =>
  new Refusal(
    404,
    'There is nothing here',
    'The address is wrong, or you have no access to this page.',
  );
