/** Answers with a page that asks for a code of the last minutes. */
export class SecondFactorRequired extends Error {
  constructor(
    readonly csrf: string,
    readonly form: URLSearchParams,
    /** A wrong code was entered. */
    readonly isWrong: boolean,
  ) {
    super('a code is owed');
  }
}
