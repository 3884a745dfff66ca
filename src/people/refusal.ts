/** Why a page is not shown: the answer is a page that says so. */
export class Refusal extends Error {
  constructor(
    readonly status: 400 | 403 | 404 | 409 | 429,
    readonly title: string,
    readonly text: string,
  ) {
    super(title);
  }
}

/** The user is sent elsewhere first. */
export class GoTo extends Error {
  constructor(readonly url: string) {
    super(`go to ${url}`);
  }
}

/** Where whoever is not signed in, or no more, is sent. */
export const SIGN_IN = '/portal/sign-in';

export const notFound = (): Refusal =>
  new Refusal(
    404,
    'There is nothing here',
    'The address is wrong, or what was here belongs to somebody else.',
  );
