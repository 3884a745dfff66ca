/** A form is taken only with a code of the last minutes: the answer is a page that asks for one. */
export class CodeOwed extends Error {
  constructor(
    readonly csrf: string,
    readonly form: URLSearchParams,
    /** A code was typed already. */
    readonly isWrong: boolean,
  ) {
    super('a code is owed');
  }
}
